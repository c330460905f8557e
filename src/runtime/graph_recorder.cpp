// SPDX-License-Identifier: Apache-2.0
#include "runtime/graph_recorder.hpp"

#include <atomic>
#include <utility>

#include "runtime/memory_uses.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::detail {
namespace {

thread_local graph_recorder* current_recorder = nullptr;
std::atomic<std::uint64_t> next_id{1};

}  // namespace

graph_node::graph_node(planned_launch&& recorded) : id_(next_id.fetch_add(1)), recorded_(std::move(recorded)) {
  for (storage* memory : recorded_.memories) retain(memory);
}

graph_node::~graph_node() {
  for (storage* memory : recorded_.memories) release(memory);
}

void graph_recorder::require_own_device(const planned_launch& launch) const {
  if (launch.device == &device_) return;
  throw usage_error({.what = "a launch of another device inside a capture",
                     .where = text_of(launch.module),
                     .expected = device_.name(),
                     .got = launch.device->name(),
                     .fix = "capture one graph for each device, and run other work outside"});
}

void graph_recorder::add(planned_launch&& launch, const event& since) {
  require_own_device(launch);
  for (storage* memory : launch.exclusive) make_guard(memory, since);
  nodes_.push_back(std::make_shared<const graph_node>(std::move(launch)));
}

// Copies: a node has the status of its own runs, and the child may be replayed beside this graph.
void graph_recorder::add(const graph_nodes& child) {
  graph_nodes copies;
  for (const auto& node : child) {
    require_own_device(node->recorded());
    copies.push_back(std::make_shared<const graph_node>(another(node->recorded())));
  }
  nodes_.insert(nodes_.end(), copies.begin(), copies.end());
}

graph_recorder* graph_recorder::current() noexcept { return current_recorder; }

void graph_recorder::start(graph_recorder& recorder, const char* what) {
  require_no_capture(what);
  current_recorder = &recorder;
}

void graph_recorder::end() noexcept { current_recorder = nullptr; }

void require_no_capture(const device_engine& device, const char* what) {
  if (current_recorder == nullptr || &current_recorder->device() != &device) return;
  throw usage_error(
      {.what = std::string(what) + " inside a capture",
       .where = "capture or update of a graph",
       .expected = "launches, which a replay repeats",
       .got = "the host at work on contents of a tensor, which happens once; recorded launches have not run",
       .fix = "make tensors with values before the capture, and read results after a replay"});
}

void require_no_capture(const char* what) {
  if (current_recorder == nullptr) return;
  throw usage_error({.what = std::string(what) + " inside a capture",
                     .where = "capture or update of a graph",
                     .expected = "launches, and replays of graphs that were made before",
                     .got = "a capture or a measurement inside a capture",
                     .fix = "make the inner graph first; enqueue() inside the capture records its launches"});
}

}  // namespace tilewright::detail
