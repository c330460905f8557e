// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_graph.hpp"

#include "runtime/cuda/cuda_stream.hpp"
#include "runtime/cuda/row_copies.hpp"

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

copy_node_params copy_of(const rows_to_copy& rows, context_handle context) {
  const auto side = [](const memory_rows& from) {
    memory_layers made{};
    made.type = from.type;
    made.host = from.host;
    made.device = from.device;
    made.pitch = from.pitch;
    return made;
  };
  copy_node_params made{};
  made.context = context;
  made.from = side(rows.from);
  made.to = side(rows.to);
  made.width_bytes = rows.width_bytes;
  made.height = rows.height;
  made.depth = 1;
  return made;
}

}  // namespace

void cuda_graph::run(detail::stream_queue& stream) {
  context_.require_alive();
  if (exec_ != nullptr)
    context_.call_on_stream(context_.driver().graph_launch, exec_, static_cast<cuda_stream&>(stream).handle());
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
// Another copy may take another number of transfers.
bool cuda_graph::is_placed_alike(const placed& here, const detail::graph_node& node) const {
  const detail::planned_launch& there = node.recorded();
  if (here.is_copy || there.launch.copy) return false;
  return here.is_empty == !detail::has_work(there.launch) && here.is_programmatic == there.launch.gpu.is_programmatic &&
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
    nodes_[i] = {.id = nodes[i]->id(),
                 .memories = from.memories,
                 .written = from.written,
                 .is_empty = !detail::has_work(from.launch),
                 .is_copy = from.launch.copy.has_value(),
                 .is_programmatic = from.launch.gpu.is_programmatic};
    if (nodes_[i].is_empty) continue;
    is_empty = false;
    if (from.launch.copy) {
      add_copies(i, *from.launch.copy, edges[i]);
    } else {
      add_kernel(i, from.launch, edges[i]);
    }
  }
  if (!is_empty) context_.call(driver.graph_instantiate, &exec_, graph_, 0ull);
}

std::vector<graph_node_handle> cuda_graph::handles_of(const std::vector<int>& nodes) const {
  std::vector<graph_node_handle> handles;
  for (const int node : nodes) handles.push_back(nodes_[static_cast<std::size_t>(node)].handle);
  return handles;
}

// A programmatic kernel waits until the kernel before it is complete, whose own wait covers those before that one: so
// an early start is sound where that kernel is the only one to wait for.
void cuda_graph::add_kernel(std::size_t node, const detail::compiled_launch& launch, const std::vector<int>& after) {
  const std::vector<graph_node_handle> handles = handles_of(after);
  graph_edge early{};
  early.from_port = graph_edge::port_programmatic;
  early.type = graph_edge::type_programmatic;
  const bool is_early =
      nodes_[node].is_programmatic && after.size() == 1 && !nodes_[static_cast<std::size_t>(after.front())].is_copy;
  graph_node_params parameters{};
  parameters.type = graph_node_type::kernel;
  parameters.kernel = parameters_of(launch);
  context_.call(context_.driver().graph_add, &nodes_[node].handle, graph_, handles.data(), is_early ? &early : nullptr,
                handles.size(), &parameters);
}

// Its transfers one after another, so that there is one node to come after.
void cuda_graph::add_copies(std::size_t node, const detail::element_copy& copy, const std::vector<int>& after) {
  std::vector<graph_node_handle> handles = handles_of(after);
  for (const rows_to_copy& rows : transfers_of(copy)) {
    graph_node_params parameters{};
    parameters.type = graph_node_type::copy;
    parameters.copy = copy_of(rows, context_.handle());
    context_.call(context_.driver().graph_add, &nodes_[node].handle, graph_, handles.data(), nullptr, handles.size(),
                  &parameters);
    handles.assign(1, nodes_[node].handle);
  }
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
