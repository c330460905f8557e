// SPDX-License-Identifier: Apache-2.0
// A graph as the driver runs it: a kernel node for each launch, copy nodes for each copy, and only the edges that their
// memory needs. A kernel that waits for launches ahead of it by itself may start while the one before it ends.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/cuda/gpu_context.hpp"
#include "runtime/device_engine.hpp"
#include "runtime/graph_edges.hpp"

namespace tilewright::cuda {

class cuda_graph final : public detail::device_graph {
 public:
  explicit cuda_graph(gpu_context& context) : context_(context) {}
  ~cuda_graph() override { drop(); }

  void become(const detail::graph_nodes& nodes) override;
  void run(detail::stream_queue& stream) override;

 private:
  // What the driver has of a node, and what its edges follow from. Holds no memory: a graph that is not replayed again
  // keeps nothing alive here.
  struct placed {
    std::uint64_t id = 0;
    std::vector<detail::storage*> memories, written;
    bool is_empty = false, is_copy = false, is_programmatic = false;
    graph_node_handle handle = nullptr;  // of a copy the last one
  };

  bool is_placed_alike(const placed& here, const detail::graph_node& node) const;
  bool change(const detail::graph_nodes& nodes);
  void make(const detail::graph_nodes& nodes);
  void add_kernel(std::size_t node, const detail::compiled_launch& launch, const std::vector<int>& after);
  void add_copies(std::size_t node, const detail::element_copy& copy, const std::vector<int>& after);
  std::vector<graph_node_handle> handles_of(const std::vector<int>& nodes) const;
  void drop() noexcept;

  gpu_context& context_;
  graph_handle graph_ = nullptr;
  graph_exec_handle exec_ = nullptr;
  std::vector<placed> nodes_;
};

}  // namespace tilewright::cuda
