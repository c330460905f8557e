// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/graph.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>

#include "runtime/graph_program.hpp"
#include "runtime/memory_uses.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/detail/flights.hpp"

namespace tilewright {
namespace detail {

class graph_state {
 public:
  graph_state(device_engine& device, graph_nodes nodes)
      : device_(device), device_graph_(device_.make_graph()), program_(new graph_program(std::move(nodes))) {}

  device_engine& device() const { return device_; }
  int nodes() const { return static_cast<int>(program_->nodes().size()); }
  const graph_nodes& recorded() const { return program_->nodes(); }
  void enqueue(stream_queue& stream);
  void record_into(graph_recorder& recorder) const { recorder.add(program_->nodes()); }
  void wait() { replays_.wait(); }
  int replace(graph_nodes recorded);
  int replace(std::span<const int> places, graph_nodes recorded);
  void set(int node, int parameter, dtype type, std::uint64_t bits);

 private:
  const std::shared_ptr<const graph_node>& checked_node(int node, const char* where) const;
  void become(graph_program::owner program);
  void make();

  device_engine& device_;
  std::unique_ptr<device_graph> device_graph_;
  graph_program::owner program_;
  bool is_made_ = false;  // device_graph_ runs program_
  flights replays_;
};

namespace {

bool is_same_kernel(const std::shared_ptr<const graph_node>& a, const std::shared_ptr<const graph_node>& b) {
  return a->recorded().module == b->recorded().module;
}

bool copies_the_same(const std::optional<element_copy>& a, const std::optional<element_copy>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->to == b->to && a->from == b->from && a->run_bytes == b->run_bytes && a->rank == b->rank &&
         a->extents == b->extents && a->to_steps == b->to_steps && a->from_steps == b->from_steps;
}

bool runs_the_same(const compiled_launch& a, const compiled_launch& b) {
  return copies_the_same(a.copy, b.copy) && a.image == b.image && a.parameters == b.parameters &&
         a.blocks == b.blocks && a.in_turn == b.in_turn &&
         std::equal(std::begin(a.grid), std::end(a.grid), std::begin(b.grid));
}

[[noreturn]] void refuse_place(const char* what, int given, int count, const std::string& where) {
  throw usage_error({.what = std::string("no such ") + what,
                     .where = where,
                     .expected = "0 to " + std::to_string(count - 1),
                     .got = std::to_string(given),
                     .fix = std::string("count from 0") + (count == 0 ? "; there is none" : "")});
}

[[noreturn]] void refuse_launches(std::string expected, std::string got) {
  throw usage_error({.what = "other launches than the nodes to be changed have",
                     .where = "Graph::update()",
                     .expected = std::move(expected),
                     .got = std::move(got),
                     .fix = "run the launches of these nodes, in their order, or record all with update(callable)"});
}

[[noreturn]] void refuse_no_scalar(std::string where, const char* got) {
  throw usage_error({.what = "set() changes Scalar parameters only",
                     .where = std::move(where),
                     .expected = "a Scalar",
                     .got = got,
                     .fix = "change tensors with update()"});
}

void require_scalar(const planned_launch& node, int parameter, dtype type) {
  const std::string where = "Graph::set(), " + text_of(node.module);
  if (node.program == nullptr) refuse_no_scalar(where, "a copy");
  const auto& parameters = node.program->parameters;
  const auto count = static_cast<int>(parameters.size());
  if (parameter < 0 || parameter >= count) refuse_place("parameter", parameter, count, where);
  const compiler::program_parameter& found = parameters[static_cast<std::size_t>(parameter)];
  const std::string place = where + ", parameter " + std::to_string(parameter);
  if (found.kind != parameter_kind::scalar) refuse_no_scalar(place, parameter_kind_name(found.kind));
  const dtype wanted = found.element == dtype::index ? dtype::i64 : found.element;
  if (type == wanted) return;
  throw usage_error({.what = "a number of another type",
                     .where = place,
                     .expected = info(wanted).name,
                     .got = info(type).name,
                     .fix = "give the parameter's type"});
}

}  // namespace

void graph_state::make() {
  device_graph_->become(program_->nodes());
  program_->set_device(device_graph_.get());
  is_made_ = true;
}

void graph_state::enqueue(stream_queue& stream) {
  require_same_device(device_, stream.device());
  if (graph_recorder* const recorder = graph_recorder::current()) return record_into(*recorder);
  if (device_graph_ != nullptr && !is_made_) make();
  wait_in_order(stream, replays_.last());
  const ordered_uses uses(program_->memories(), stream);
  const auto run = [](void* context, stream_queue& where) { static_cast<graph_program*>(context)->run(where); };
  const auto done = [](void* context) {
    const graph_program::owner program(static_cast<graph_program*>(context));
    return program->settle();
  };
  program_->announce();
  const event pushed{&stream, stream.push({run, done, program_->another_owner().release()})};
  uses.note(pushed);
  replays_.add(pushed, program_.get());
}

int graph_state::replace(graph_nodes recorded) {
  const graph_nodes& present = program_->nodes();
  int changed = static_cast<int>(std::max(present.size(), recorded.size()));
  if (std::equal(present.begin(), present.end(), recorded.begin(), recorded.end(), is_same_kernel)) {
    changed = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
      if (present[i] == recorded[i]) continue;
      if (runs_the_same(present[i]->recorded().launch, recorded[i]->recorded().launch)) {
        recorded[i] = present[i];
      } else {
        ++changed;
      }
    }
  }
  if (changed != 0) become(graph_program::owner(new graph_program(std::move(recorded))));
  return changed;
}

void graph_state::become(graph_program::owner program) {
  program_ = std::move(program);
  if (!std::exchange(is_made_, false)) return;
  try {
    make();  // now, while the device runs the replay before
  } catch (const runtime_error&) {
    // The next enqueue() tries again, and throws.
  }
}

int graph_state::replace(std::span<const int> places, graph_nodes recorded) {
  if (places.size() != recorded.size()) {
    refuse_launches(std::to_string(places.size()) + " launches, one for each node given",
                    std::to_string(recorded.size()));
  }
  graph_nodes all = program_->nodes();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& present = checked_node(places[i], "Graph::update()");
    if (!is_same_kernel(present, recorded[i])) {
      refuse_launches(text_of(present->recorded().module) + " for node " + std::to_string(places[i]),
                      text_of(recorded[i]->recorded().module));
    }
    all[static_cast<std::size_t>(places[i])] = std::move(recorded[i]);
  }
  return replace(std::move(all));
}

const std::shared_ptr<const graph_node>& graph_state::checked_node(int node, const char* where) const {
  if (node < 0 || node >= nodes()) refuse_place("node", node, nodes(), where);
  return program_->nodes()[static_cast<std::size_t>(node)];
}

void graph_state::set(int node, int parameter, dtype type, std::uint64_t bits) {
  const planned_launch& present = checked_node(node, "Graph::set()")->recorded();
  require_scalar(present, parameter, type);
  planned_launch changed = another(present);
  changed.values[static_cast<std::size_t>(parameter)].scalar = bits;
  const compiler::program& program = *changed.program;
  compiler::verify_launch(program, changed.values, {changed.launch.grid, changed.launch.grid + program.grid_rank});
  compiler::write_parameter_block(program.parameters, changed.values, changed.launch.parameters.data(),
                                  changed.launch.grid);
  if (runs_the_same(changed.launch, present.launch)) return;
  become(graph_program::owner(new graph_program(*program_, static_cast<std::size_t>(node),
                                                std::make_shared<const graph_node>(std::move(changed)))));
}

// ---- Profile -------------------------------------------------------------------------------------------------------
namespace {

// Nodes that run one image of one kernel, in their order.
std::vector<graph_nodes> by_kernel(const graph_nodes& nodes) {
  std::vector<graph_nodes> groups;
  for (const auto& node : nodes) {
    const auto runs_it = [&](const graph_nodes& group) {
      return is_same_kernel(group.front(), node) &&
             group.front()->recorded().launch.image == node->recorded().launch.image;
    };
    auto found = std::find_if(groups.begin(), groups.end(), runs_it);
    if (found == groups.end()) found = groups.insert(groups.end(), graph_nodes{});
    found->push_back(node);
  }
  return groups;
}

KernelTime time_of(device_engine& device, const graph_nodes& group, int replays) {
  graph_state alone(device, group);
  stream_queue& stream = thread_stream(device);
  const auto run = [&](int count) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) alone.enqueue(stream);
    alone.wait();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  };
  run(1);
  const double each = run(replays) / replays / static_cast<double>(group.size());
  const ast::module_view* module = group.front()->recorded().module;
  return {module != nullptr ? module->name : text_of(module), static_cast<int>(group.size()), each};
}

}  // namespace

std::vector<KernelTime> profile(const graph_state& graph, int replays) {
  std::vector<KernelTime> times;
  for (const graph_nodes& group : by_kernel(graph.recorded())) {
    times.push_back(time_of(graph.device(), group, replays));
  }
  const auto whole = [](const KernelTime& time) { return time.launches * time.microseconds; };
  std::sort(times.begin(), times.end(), [&](const KernelTime& a, const KernelTime& b) { return whole(a) > whole(b); });
  return times;
}

// ---- Recording -----------------------------------------------------------------------------------------------------
graph_recorder* recording::make(device_engine& device) { return new graph_recorder(device); }
void destroy_hidden(graph_recorder* spent) noexcept { delete spent; }
void destroy_hidden(graph_state* spent) noexcept { delete spent; }

int recording::recorded_nodes() const { return static_cast<int>(recorder_->nodes().size()); }

void recording::add(const graph_state& child) const { child.record_into(*recorder_); }

void recording::scope::begin(const char* what) {
  graph_recorder& recorder = into_.recorder();
  before_ = recorder.nodes().size();
  require_outside_then(what);
  graph_recorder::start(recorder, what);
}

void recording::scope::end() noexcept {
  graph_recorder::end();
  if (!keeps_) into_.recorder().nodes().resize(before_);
}

}  // namespace detail

// ---- Graph ---------------------------------------------------------------------------------------------------------
detail::graph_state* Graph::make(const detail::recording& recorded) {
  detail::graph_recorder& recorder = recorded.recorder();
  return new detail::graph_state(recorder.device(), std::move(recorder.nodes()));
}

detail::graph_state& Graph::checked() const {
  if (!state_) detail::refuse_second_run("Graph");
  return *state_;
}

detail::device_engine& Graph::engine() const { return checked().device(); }
int Graph::recorded_nodes() const { return checked().nodes(); }

void Graph::replay(const Stream* chosen) {
  detail::graph_state& state = checked();
  state.enqueue(chosen != nullptr ? chosen->queue() : detail::thread_stream(state.device()));
}

void Graph::replay_and_wait() {
  detail::require_outside_then("sync()");
  detail::stream_queue& stream = detail::thread_stream(engine());
  const detail::stream_scope scope(stream);
  checked().enqueue(stream);
  if (detail::graph_recorder::current() == nullptr) checked().wait();
}

std::vector<KernelTime> Graph::measure(int replays) {
  detail::require_outside_then("profile()");
  detail::require_no_capture("profile()");
  if (replays < 1) {
    throw usage_error({.what = "a profile of no replays",
                       .where = "Graph::profile()",
                       .expected = "1 or more",
                       .got = std::to_string(replays),
                       .fix = "give the number of replays to average over"});
  }
  return detail::profile(checked(), replays);
}

int Graph::replace_now(detail::recording&& recorded) {
  return checked().replace(std::move(recorded.recorder().nodes()));
}
int Graph::replace_now(std::span<const int> nodes, detail::recording&& recorded) {
  return checked().replace(nodes, std::move(recorded.recorder().nodes()));
}
int recorded_launches() {
  detail::graph_recorder* const recorder = detail::graph_recorder::current();
  return recorder == nullptr ? 0 : static_cast<int>(recorder->nodes().size());
}
void Graph::set_value(int node, int parameter, dtype type, const void* value, std::size_t size_bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, value, size_bytes);
  checked().set(node, parameter, type, bits);
}

}  // namespace tilewright
