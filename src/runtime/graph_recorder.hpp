// SPDX-License-Identifier: Apache-2.0
// Where launches go while a graph is captured: the calling thread's recorder takes them instead of a stream.
#pragma once

#include <memory>
#include <vector>

#include "runtime/planned_launch.hpp"

namespace tilewright::detail {

// One recorded launch. Never changed; owns its memory, so a graph that holds it, or a replay in flight, needs no more.
class graph_node {
 public:
  explicit graph_node(planned_launch&& recorded);
  graph_node(const graph_node&) = delete;
  graph_node& operator=(const graph_node&) = delete;
  ~graph_node();

  const planned_launch& recorded() const noexcept { return recorded_; }
  std::uint64_t id() const noexcept { return id_; }  // of no other node, not even a later one at the same address

 private:
  const std::uint64_t id_;
  planned_launch recorded_;
};

class graph_recorder {
 public:
  explicit graph_recorder(device_engine& device) : device_(device) {}

  device_engine& device() const noexcept { return device_; }
  graph_nodes& nodes() noexcept { return nodes_; }
  // `since`: the last use of the arguments, when the launch ran before. Throws usage_error for another device.
  void add(planned_launch&& launch, const event& since);
  // The launches of another graph, as they are now. Throws as above.
  void add(const graph_nodes& child);

  // The calling thread's; none outside a capture.
  static graph_recorder* current() noexcept;
  // Makes it the calling thread's, or with nullptr ends that. Throws usage_error inside another capture.
  static void start(graph_recorder& recorder, const char* what);
  static void end() noexcept;

 private:
  void require_own_device(const planned_launch& launch) const;

  device_engine& device_;
  graph_nodes nodes_;
};

// In a capture nothing has run: contents of tensors of its device cannot be read, nor written by the host.
void require_no_capture(const device_engine& device, const char* what);
// Another capture, or what has to run now, inside a capture.
void require_no_capture(const char* what);

}  // namespace tilewright::detail
