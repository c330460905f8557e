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
  }
  std::sort(memories_.begin(), memories_.end(), std::less<>());
  memories_.erase(std::unique(memories_.begin(), memories_.end()), memories_.end());
}

// A launch that fails ends the replay: the rest would compute from what is not there.
void graph_program::run(stream_queue& stream) const {
  try {
    for (const auto& node : nodes_) start_run(node->recorded());  // all: each is settled
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
void graph_program::settle() const {
  std::exception_ptr first;
  for (const auto& node : nodes_) {
    try {
      detail::settle(node->recorded());
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace tilewright::detail
