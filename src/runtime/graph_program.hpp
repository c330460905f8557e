// SPDX-License-Identifier: Apache-2.0
// What one replay runs: the nodes of a graph as they were when it was enqueued.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "runtime/graph_recorder.hpp"

namespace tilewright::detail {

// Counted by hand: an entry of a stream holds it as a bare pointer, so that a replay allocates nothing.
class graph_program {
 public:
  explicit graph_program(graph_nodes nodes);
  // `of` with another node in one place, which touches the same memory.
  graph_program(const graph_program& of, std::size_t place, std::shared_ptr<const graph_node> node);
  graph_program(const graph_program&) = delete;
  graph_program& operator=(const graph_program&) = delete;

  const graph_nodes& nodes() const noexcept { return nodes_; }
  const std::vector<storage*>& memories() const noexcept { return memories_; }

  void announce() const;                 // before it goes to a stream
  void run(stream_queue& stream) const;  // as an entry of the stream
  std::exception_ptr settle() const;     // when the device is done with it; gives the first fault of a node
  // What runs instead of the launches; it has to be there while a replay is pushed.
  void set_device(device_graph* device) noexcept { device_ = device; }

  void retain() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  struct owner_gone {
    void operator()(graph_program* program) const noexcept { program->release(); }
  };
  using owner = std::unique_ptr<graph_program, owner_gone>;
  owner another_owner() noexcept {
    retain();
    return owner(this);
  }

 private:
  ~graph_program() = default;
  bool meets_faults() const noexcept;

  std::atomic<int> owners_{1};
  graph_nodes nodes_;
  std::vector<storage*> memories_;  // of all nodes, each once, by address
  bool has_checks_ = false;         // in a kernel
  device_graph* device_ = nullptr;
};

}  // namespace tilewright::detail
