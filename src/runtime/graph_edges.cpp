// SPDX-License-Identifier: Apache-2.0
#include "runtime/graph_edges.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace tilewright::detail {
namespace {

// Who touched one storage last.
struct history {
  int writer = -1;
  std::vector<int> readers;  // since then
};

// Which nodes come before a node, by any path: one bit each.
class ancestors {
 public:
  explicit ancestors(std::size_t nodes) : words_((nodes + 63) / 64), bits_(nodes * words_) {}
  bool has(int node, int before) const { return (row(node)[before / 64] >> (before % 64) & 1) != 0; }
  void add(int node, int before) {
    std::uint64_t* here = row(node);
    const std::uint64_t* there = row(before);
    for (std::size_t i = 0; i < words_; ++i) here[i] |= there[i];
    here[before / 64] |= std::uint64_t{1} << (before % 64);
  }

 private:
  std::uint64_t* row(int node) { return bits_.data() + static_cast<std::size_t>(node) * words_; }
  const std::uint64_t* row(int node) const { return bits_.data() + static_cast<std::size_t>(node) * words_; }

  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

using histories = std::unordered_map<const storage*, history>;

bool writes(const planned_launch& launch, const storage* memory) {
  return std::binary_search(launch.written.begin(), launch.written.end(), memory, std::less<>());
}

std::vector<int> conflicts_of(const planned_launch& launch, const histories& seen) {
  std::vector<int> found;
  for (const storage* memory : launch.memories) {
    const auto before = seen.find(memory);
    if (before == seen.end()) continue;
    const history& past = before->second;
    if (past.writer >= 0) found.push_back(past.writer);
    if (writes(launch, memory)) found.insert(found.end(), past.readers.begin(), past.readers.end());
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void note(const planned_launch& launch, int node, histories& seen) {
  for (const storage* memory : launch.memories) {
    history& past = seen[memory];
    if (writes(launch, memory)) {
      past.writer = node;
      past.readers.clear();
    } else {
      past.readers.push_back(node);
    }
  }
}

}  // namespace

bool has_work(const compiled_launch& launch) noexcept {
  return launch.copy ? launch.copy->run_bytes != 0 : launch.blocks != 0;
}

graph_edges edges_of(const graph_nodes& nodes) {
  graph_edges edges(nodes.size());
  ancestors before(nodes.size());
  histories seen;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const planned_launch& launch = nodes[i]->recorded();
    if (!has_work(launch.launch)) continue;
    const int node = static_cast<int>(i);
    for (const int earlier : conflicts_of(launch, seen)) {
      if (before.has(node, earlier)) continue;
      before.add(node, earlier);
      edges[i].push_back(earlier);
    }
    note(launch, node, seen);
  }
  return edges;
}

}  // namespace tilewright::detail
