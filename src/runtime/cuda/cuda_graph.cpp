// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_graph.hpp"

#include "runtime/cuda/cuda_stream.hpp"

namespace tilewright::cuda {
namespace {

const detail::compiled_launch& launch_of(const detail::graph_node& node) { return node.recorded().launch; }

kernel_node_params parameters_of(const detail::compiled_launch& launch) {
  kernel_node_params made{};
  made.function = static_cast<function_handle>(launch.gpu.function);
  made.grid_x = launch.gpu.grid;
  made.grid_y = made.grid_z = made.block_x = made.block_y = made.block_z = 1;
  made.parameters = const_cast<void**>(launch.gpu.parameters.data());  // SAFETY: the driver only reads, and copies them
  return made;
}

}  // namespace

void cuda_graph::run(detail::stream_queue& stream) {
  context_.require_alive();
  if (exec_ != nullptr)
    context_.call(context_.driver().graph_launch, exec_, static_cast<cuda_stream&>(stream).handle());
}

void cuda_graph::become(const detail::graph_nodes& nodes) {
  context_.require_alive();
  if (change(nodes)) return;
  drop();
  try {
    make(nodes);
  } catch (...) {
    drop();
    throw;
  }
}

// ---- Changes in place ----------------------------------------------------------------------------------------------
bool cuda_graph::is_placed_alike(const placed& here, const detail::graph_node& node) const {
  const detail::planned_launch& there = node.recorded();
  return here.is_empty == (there.launch.gpu.grid == 0) && here.is_programmatic == there.launch.gpu.is_programmatic &&
         here.memories == there.memories && here.written == there.written;
}

// The driver takes new parameters for later launches; replays in flight keep theirs.
bool cuda_graph::change(const detail::graph_nodes& nodes) {
  if (exec_ == nullptr || nodes.size() != nodes_.size()) return false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes_[i].id != nodes[i]->id() && !is_placed_alike(nodes_[i], *nodes[i])) return false;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    placed& here = nodes_[i];
    if (here.id == nodes[i]->id()) continue;
    if (!here.is_empty) {
      const kernel_node_params parameters = parameters_of(launch_of(*nodes[i]));
      if (context_.try_call(context_.driver().graph_set_kernel, exec_, here.handle, &parameters) != result::success) {
        return false;
      }
    }
    here.id = nodes[i]->id();
  }
  return true;
}

// ---- Making --------------------------------------------------------------------------------------------------------
void cuda_graph::make(const detail::graph_nodes& nodes) {
  const driver_table& driver = context_.driver();
  nodes_.resize(nodes.size());
  const detail::graph_edges edges = detail::edges_of(nodes);
  context_.call(driver.graph_create, &graph_, 0u);
  bool is_empty = true;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const detail::planned_launch& from = nodes[i]->recorded();
    nodes_[i] = {nodes[i]->id(), from.memories, from.written, from.launch.gpu.grid == 0,
                 from.launch.gpu.is_programmatic};
    if (nodes_[i].is_empty) continue;
    is_empty = false;
    add(i, *nodes[i], edges[i]);
  }
  if (!is_empty) context_.call(driver.graph_instantiate, &exec_, graph_, 0ull);
}

// A programmatic kernel waits until the kernel before it is complete, whose own wait covers those before that one: so
// an early start is sound where that kernel is the only one to wait for.
void cuda_graph::add(std::size_t node, const detail::graph_node& from, const std::vector<int>& after) {
  std::vector<graph_node_handle> handles;
  for (const int earlier : after) handles.push_back(nodes_[static_cast<std::size_t>(earlier)].handle);
  graph_edge early{};
  early.from_port = graph_edge::port_programmatic;
  early.type = graph_edge::type_programmatic;
  const bool is_early = nodes_[node].is_programmatic && handles.size() == 1;
  graph_node_params parameters{};
  parameters.type = graph_node_type::kernel;
  parameters.kernel = parameters_of(launch_of(from));
  context_.call(context_.driver().graph_add, &nodes_[node].handle, graph_, handles.data(), is_early ? &early : nullptr,
                handles.size(), &parameters);
}

// A replay in flight goes on: the driver frees what it runs when it is done. These calls need no context.
void cuda_graph::drop() noexcept {
  const driver_table& driver = context_.driver();
  if (exec_ != nullptr) (void)driver.graph_exec_destroy.function(exec_);
  if (graph_ != nullptr) (void)driver.graph_destroy.function(graph_);
  exec_ = nullptr;
  graph_ = nullptr;
  nodes_.clear();
}

}  // namespace tilewright::cuda
