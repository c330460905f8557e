// SPDX-License-Identifier: Apache-2.0
// Graphs of the fake driver: kernel nodes, copy nodes and empty ones. An instantiated graph is a copy; launched, its
// nodes run in the order of making as one piece of work of the stream.
#include <cstring>

#include "support/fake_driver.hpp"

namespace tilewright::test {

using cuda::result;

// SAFETY, for the casts below: handles of the fake are addresses of its own objects, looked up before use.
result fake_driver::graph_create(cuda::graph_handle* graph, unsigned) {
  auto made = std::make_unique<fake_graph>();
  *graph = reinterpret_cast<cuda::graph_handle>(made.get());
  graphs_.emplace(made.get(), std::move(made));
  return result::success;
}

result fake_driver::graph_destroy(cuda::graph_handle graph) {
  return graphs_.erase(graph) == 1 ? result::success : misuse("a graph that is not there was destroyed");
}

bool fake_driver::read_node(const cuda::kernel_node_params& params, fake_node& node) {
  const auto found = functions_.find(params.function);
  const bool is_single = params.grid_y == 1 && params.grid_z == 1 && params.block_x == 1 && params.block_y == 1 &&
                         params.block_z == 1 && params.shared_memory_bytes == 0;
  if (found == functions_.end() || params.grid_x == 0 || !is_single) return false;
  node.function = found->second;
  node.grid = params.grid_x;
  node.words.resize(node.function->kernel->is_pointer.size());
  for (std::size_t i = 0; i < node.words.size(); ++i) {
    std::memcpy(&node.words[i], params.parameters[i], sizeof node.words[i]);
  }
  return true;
}

bool fake_driver::read_node(const cuda::copy_node_params& params, fake_node& node) {
  if (params.context != current_context() || params.depth != 1 || params.height == 0 || params.width_bytes == 0) {
    return false;
  }
  const auto side = [](const cuda::memory_layers& from) {
    cuda::memory_rows made{};
    made.type = from.type;
    made.host = from.host;
    made.device = from.device;
    made.pitch = from.pitch;
    return made;
  };
  node.rows = {side(params.from), side(params.to), params.width_bytes, params.height};
  return true;
}

result fake_driver::graph_add(cuda::graph_node_handle* node, cuda::graph_handle graph,
                              const cuda::graph_node_handle* dependencies, const cuda::graph_edge* edges,
                              std::size_t count, cuda::graph_node_params* params) {
  fake_graph* found = find(graphs_, graph, "a graph");
  if (found == nullptr) return result::invalid_handle;
  auto made = std::make_shared<fake_node>(fake_node{params->type});
  if (params->type == cuda::graph_node_type::kernel && !read_node(params->kernel, *made)) {
    return misuse("a kernel node of the wrong form");
  }
  if (params->type == cuda::graph_node_type::copy && !read_node(params->copy, *made)) {
    return misuse("a copy node of the wrong form");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto* before = reinterpret_cast<const fake_node*>(dependencies[i]);
    bool is_known = false;
    for (const auto& other : found->nodes) is_known = is_known || other.get() == before;
    if (!is_known) return misuse("an edge from a node of another graph");
    if (edges != nullptr && edges[i].type == cuda::graph_edge::type_programmatic &&
        (edges[i].from_port != cuda::graph_edge::port_programmatic || before->function == nullptr ||
         made->function == nullptr)) {
      return misuse("a programmatic edge that is not between kernels");
    }
    made->after.push_back(before);
  }
  const bool is_early = edges != nullptr && count > 0 && edges[0].type == cuda::graph_edge::type_programmatic;
  gpu_.journal.push_back(describe(*found, *made, is_early));
  *node = reinterpret_cast<cuda::graph_node_handle>(made.get());
  found->nodes.push_back(std::move(made));
  return result::success;
}

// "node 2: add_0 4 after 1 0", "node 1: add_0 4 early after 0".
std::string fake_driver::describe(const fake_graph& graph, const fake_node& node, bool is_early) {
  std::string text = "node " + std::to_string(graph.nodes.size()) + ":";
  if (node.function != nullptr) text += " " + node.function->symbol + " " + std::to_string(node.grid);
  if (node.type == cuda::graph_node_type::copy) {
    text += " copy " + std::to_string(node.rows.height) + " x " + std::to_string(node.rows.width_bytes);
  }
  if (!node.after.empty()) text += is_early ? " early after" : " after";
  for (const fake_node* before : node.after) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      if (graph.nodes[i].get() == before) text += " " + std::to_string(i);
    }
  }
  return text;
}

result fake_driver::graph_instantiate(cuda::graph_exec_handle* exec, cuda::graph_handle graph, unsigned long long) {
  const fake_graph* found = find(graphs_, graph, "a graph");
  if (found == nullptr) return result::invalid_handle;
  auto made = std::make_unique<fake_exec>();
  made->originals = found->nodes;
  for (const auto& node : found->nodes) made->nodes.push_back(*node);
  *exec = reinterpret_cast<cuda::graph_exec_handle>(made.get());
  execs_.emplace(made.get(), std::move(made));
  return result::success;
}

result fake_driver::graph_exec_destroy(cuda::graph_exec_handle exec) {
  gpu_.run_all();
  return execs_.erase(exec) == 1 ? result::success : misuse("an instantiated graph that is not there was destroyed");
}

result fake_driver::graph_set_kernel(cuda::graph_exec_handle exec, cuda::graph_node_handle node,
                                     const cuda::kernel_node_params* params) {
  fake_exec* found = find(execs_, exec, "an instantiated graph");
  if (found == nullptr) return result::invalid_handle;
  for (std::size_t i = 0; i < found->nodes.size(); ++i) {
    if (found->originals[i].get() != reinterpret_cast<const fake_node*>(node)) continue;
    gpu_.journal.push_back("set node " + std::to_string(i));
    return read_node(*params, found->nodes[i]) ? result::success : misuse("a kernel node of the wrong form");
  }
  return misuse("a node of another graph was changed");
}

result fake_driver::graph_exec_update(cuda::graph_exec_handle exec, cuda::graph_handle graph,
                                      cuda::graph_update_result* outcome) {
  fake_exec* found = find(execs_, exec, "an instantiated graph");
  const fake_graph* wanted = find(graphs_, graph, "a graph");
  if (found == nullptr || wanted == nullptr) return result::invalid_handle;
  *outcome = {};
  if (wanted->nodes.size() != found->nodes.size()) return result::graph_exec_update_failure;
  for (std::size_t i = 0; i < found->nodes.size(); ++i) found->nodes[i] = *wanted->nodes[i];
  return result::success;
}

result fake_driver::graph_upload(cuda::graph_exec_handle exec, cuda::stream_handle stream) {
  const bool are_there = find(execs_, exec, "an instantiated graph") != nullptr && timeline(stream) != nullptr;
  return are_there ? result::success : result::invalid_handle;
}

result fake_driver::graph_launch(cuda::graph_exec_handle exec, cuda::stream_handle where) {
  const fake_exec* found = find(execs_, exec, "an instantiated graph");
  fake_timeline* stream = timeline(where);
  if (found == nullptr || stream == nullptr || stream->context != current_context()) return result::invalid_handle;
  gpu_.journal.push_back("graph of " + std::to_string(found->nodes.size()) + " on " +
                         std::to_string(gpu_.number_of(stream)));
  for (const fake_node& node : found->nodes) {
    bool is_pinned = true;
    if (node.function != nullptr) gpu_.submit(*stream, launch_work(*node.function, node.grid, node.words));
    if (node.type != cuda::graph_node_type::copy) continue;
    if (!submit_rows(*stream, node.rows, is_pinned)) return result::invalid_value;
    if (!is_pinned) return misuse("a graph that copies memory which is not pinned");
  }
  return result::success;
}

void fake_driver::fill_graph_table() {
  serve<&fake_driver::graph_create>(table_.graph_create);
  serve<&fake_driver::graph_destroy>(table_.graph_destroy);
  serve<&fake_driver::graph_add>(table_.graph_add);
  serve<&fake_driver::graph_instantiate>(table_.graph_instantiate);
  serve<&fake_driver::graph_exec_destroy>(table_.graph_exec_destroy);
  serve<&fake_driver::graph_set_kernel>(table_.graph_set_kernel);
  serve<&fake_driver::graph_exec_update>(table_.graph_exec_update);
  serve<&fake_driver::graph_upload>(table_.graph_upload);
  serve<&fake_driver::graph_launch>(table_.graph_launch);
}

}  // namespace tilewright::test
