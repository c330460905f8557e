// SPDX-License-Identifier: Apache-2.0
#include "runtime/graph_program.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

#include "runtime/launch_outcome.hpp"
#include "runtime/memory_uses.hpp"

namespace tilewright::detail {

graph_program::graph_program(graph_nodes nodes) : nodes_(std::move(nodes)) {
  for (const auto& node : nodes_) {
    const std::vector<storage*>& touched = node->recorded().memories;
    memories_.insert(memories_.end(), touched.begin(), touched.end());
    has_checks_ = has_checks_ || node->recorded().launch.faults != nullptr;
  }
  std::sort(memories_.begin(), memories_.end(), std::less<>());
  memories_.erase(std::unique(memories_.begin(), memories_.end()), memories_.end());
}

graph_program::graph_program(const graph_program& of, std::size_t place, std::shared_ptr<const graph_node> node)
    : nodes_(of.nodes_), memories_(of.memories_), has_checks_(of.has_checks_) {
  nodes_[place] = std::move(node);
}

// Without, no node has to be looked at: a replay of many costs little more than its launches.
bool graph_program::meets_faults() const noexcept {
  return has_checks_ || std::any_of(memories_.begin(), memories_.end(),
                                    [](const storage* memory) { return memory->may_fault.load_relaxed(); });
}

void graph_program::announce() const {
  if (!meets_faults()) return;
  for (const auto& node : nodes_) detail::announce(node->recorded());
}

// A launch that fails ends the replay: the rest would compute from what is not there.
void graph_program::run(stream_queue& stream) const {
  try {
    if (has_checks_) {
      for (const auto& node : nodes_) start_run(node->recorded());  // all: each is settled
    }
    if (device_ != nullptr) return device_->run(stream);
    for (const auto& node : nodes_) node->recorded().device->run(node->recorded().launch, stream);
  } catch (...) {
    for (const auto& node : nodes_) {
      for (const storage* memory : node->recorded().written) note_failure(memory, std::current_exception());
    }
    throw;
  }
}

// Nodes that read what a faulting one wrote fail with it; the others are good.
std::exception_ptr graph_program::settle() const {
  const auto is_lost = [](const storage* memory) { return memory->fault != nullptr; };
  if (!meets_faults() && std::none_of(memories_.begin(), memories_.end(), is_lost)) return {};
  std::exception_ptr first;
  for (const auto& node : nodes_) {
    std::exception_ptr failed = detail::settle(node->recorded());
    if (!first) first = std::move(failed);
  }
  return first;
}

}  // namespace tilewright::detail
