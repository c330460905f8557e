// SPDX-License-Identifier: Apache-2.0
// From arguments to a checked, compiled launch, and onto a stream.
#include "tilewright/runtime/detail/launch_plan.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/aliases.hpp"
#include "runtime/graph_recorder.hpp"
#include "runtime/launch_memo.hpp"
#include "runtime/launch_outcome.hpp"
#include "runtime/memory_uses.hpp"
#include "runtime/planned_launch.hpp"
#include "runtime/scope_loans.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::detail {

struct launch_plan::state : planned_launch {
  bool is_repeated = false;    // by enqueue_again
  std::exception_ptr failure;  // of run_once

  static void run(void* context, stream_queue& stream) {
    const auto* held = static_cast<const state*>(context);
    start_run(*held);
    if (held->launch.copy && held->launch.copy->to_device != nullptr) return copy_across(*held->launch.copy, stream);
    held->device->run(held->launch, stream);
  }
  static void run_once(void* context, stream_queue& stream) {
    try {
      run(context, stream);
    } catch (...) {
      static_cast<state*>(context)->failure = std::current_exception();
      throw;
    }
  }
};

namespace {

std::string kernel_text(const ast::module_view& module) { return text_of(&module); }

[[noreturn]] void refuse_device(const ast::module_view& module, std::size_t parameter, const device_engine& expected,
                                const device_engine& got) {
  throw usage_error({.what = "arguments lie on different devices",
                     .where = kernel_text(module) + ", parameter " + std::to_string(parameter),
                     .expected = expected.name(),
                     .got = got.name(),
                     .fix = "copy(there.empty<T>(shape), tensor) first"});
}

device_engine& device_of(const ast::module_view& module, std::span<const launch_argument> arguments) {
  device_engine* found = nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].memory == nullptr) continue;
    device_engine* here = arguments[i].memory->device;
    if (found != nullptr && found != here) refuse_device(module, i, *found, *here);
    found = here;
  }
  require_internal(found != nullptr, "a launch has no tensor");
  return *found;
}

std::vector<compiler::named_extent> named(const dim_bindings& bindings) {
  std::vector<compiler::named_extent> result;
  for (int i = 0; i < bindings.count; ++i) result.push_back({bindings.items[i].name, bindings.items[i].extent});
  return result;
}

std::vector<compiler::argument> values_of(std::span<const launch_argument> arguments) {
  std::vector<compiler::argument> values;
  values.reserve(arguments.size());
  for (const launch_argument& given : arguments) values.push_back(given.value);
  return values;
}

[[noreturn]] void refuse_stride(const ast::module_view& module, std::size_t parameter, int axis, index_t stride) {
  throw usage_error(
      {.what = "a view whose stride is not positive, on a GPU",
       .where = kernel_text(module) + ", parameter " + std::to_string(parameter) + ", axis " + std::to_string(axis),
       .expected = "a stride of 1 or more",
       .got = std::to_string(stride),
       .fix = "give a tensor that holds the elements in that order, or run the kernel on cpu_device()"});
}

// Code for GPUs relies on positive strides. Where no second element is reached, any stride means the same.
void require_positive_strides(const ast::module_view& module, std::vector<compiler::argument>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    compiler::argument& value = values[i];
    const auto rank = static_cast<std::size_t>(value.rank);
    const bool is_empty =
        std::find(value.extents.begin(), value.extents.begin() + rank, 0) != value.extents.begin() + rank;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if (value.strides[axis] > 0) continue;
      if (!is_empty && value.extents[axis] > 1) refuse_stride(module, i, static_cast<int>(axis), value.strides[axis]);
      value.strides[axis] = 1;
    }
  }
}

std::int64_t block_count(const ast::module_view& module, const std::vector<index_t>& grid) {
  index_t blocks = 1;
  for (const index_t extent : grid) {
    if (extent == 0) return 0;
    if (!__builtin_mul_overflow(blocks, extent, &blocks)) continue;
    throw usage_error({.what = "a launch has too many blocks",
                       .where = kernel_text(module),
                       .expected = "fewer than 2^63",
                       .got = to_text(Shape(std::span<const index_t>(grid))),
                       .fix = "use larger pieces"});
  }
  return blocks;
}

bound_launch bind(const kernel_description& kernel, planned_launch& planned) {
  compiler::bound_arguments bound =
      compiler::bind_arguments(*kernel.module, planned.values, named(*kernel.with), named(*kernel.defaults));
  bound.special.schedule = *kernel.schedule;
  const runtime::compiled_kernel& compiled = planned.device->compile(*kernel.module, bound.special);
  if (bound.special.schedule.deny_residual) compiler::refuse_residual_checks(compiled.program);
  compiler::verify_launch(compiled.program, planned.values, bound.grid);
  const std::int64_t blocks = block_count(*kernel.module, bound.grid);
  const std::int64_t in_turn = compiler::blocks_in_turn(compiled.program, bound.special.schedule, bound.grid);
  return {&compiled, std::move(bound.grid), blocks, in_turn};
}

void compile(const kernel_description& kernel, planned_launch& planned) {
  const std::vector<compiler::argument>& values = planned.values;
  device_engine& device = *planned.device;
  if (compiler::is_gpu(device.target())) require_positive_strides(*kernel.module, planned.values);
  // Devices that keep no values compile for the sake of the images, and note each.
  launch_memo* const memo = device.keeps_values() ? launch_memo::of_thread() : nullptr;
  const bound_launch* bound = memo != nullptr ? memo->find(device, kernel, values) : nullptr;
  bound_launch made;
  if (bound == nullptr) {
    made = bind(kernel, planned);
    bound = memo != nullptr ? &memo->keep(device, kernel, values, std::move(made)) : &made;
  }

  compiled_launch& launch = planned.launch;
  planned.program = &bound->kernel->program;
  launch.image = bound->kernel->image;
  planned.add_status();
  launch.parameters.resize(compiler::parameter_block_words(planned.program->parameters));
  compiler::write_parameter_block(planned.program->parameters, values, launch.parameters.data(), bound->grid);
  std::fill(std::begin(launch.grid), std::end(launch.grid), 1);
  std::copy(bound->grid.begin(), bound->grid.end(), launch.grid);
  launch.blocks = bound->blocks;
  launch.in_turn = bound->in_turn;
}

[[noreturn]] void refuse_shapes(const compiler::argument& to, const compiler::argument& from) {
  const auto text = [](const compiler::argument& view) {
    return to_text(Shape(std::span(view.extents).first(static_cast<std::size_t>(view.rank))));
  };
  throw usage_error({.what = "a copy between different shapes",
                     .where = "copy()",
                     .expected = text(to) + ", of where it goes to",
                     .got = text(from),
                     .fix = "slice the larger one, or reshape one of them"});
}

void plan_copy(std::span<const launch_argument> arguments, planned_launch& planned) {
  const launch_argument &to = arguments[0], &from = arguments[1];
  const auto rank = static_cast<std::size_t>(to.value.rank);
  const bool is_same_shape =
      to.value.rank == from.value.rank &&
      std::equal(to.value.extents.begin(), to.value.extents.begin() + rank, from.value.extents.begin());
  if (!is_same_shape) refuse_shapes(to.value, from.value);
  planned.launch.copy = make_copy(to, from);
}

// A replay is work of one device.
void require_recordable(const planned_launch& planned) {
  if (!planned.launch.copy || planned.launch.copy->to_device == nullptr) return;
  throw usage_error(
      {.what = "a copy between devices inside a capture",
       .where = "capture or update of a graph",
       .expected = "copies within " + std::string(planned.device->name()) + ", or to and from its buffers",
       .got = "a copy to " + std::string(planned.launch.copy->to_device->name()) + " from " +
              planned.launch.copy->from_device->name(),
       .fix = "copy before the capture or between replays, or through a HostBuffer of the device"});
}

void insert(std::vector<storage*>& sorted, storage* memory) {
  const auto place = std::lower_bound(sorted.begin(), sorted.end(), memory, std::less<>());
  if (place == sorted.end() || *place != memory) sorted.insert(place, memory);
}

void note_memories(const ast::module_view* module, std::span<const launch_argument> arguments, planned_launch& made) {
  const std::size_t most = arguments.size();
  for (auto* each : {&made.memories, &made.exclusive, &made.shared, &made.written}) each->reserve(most);
  made.uses.reserve(most);
  for (std::size_t i = 0; i < most; ++i) {
    const launch_argument& given = arguments[i];
    if (given.memory == nullptr) continue;
    insert(made.memories, given.memory);
    insert(given.is_only_handle ? made.exclusive : made.shared, given.memory);
    made.uses.push_back(use_of(kind_of(module, i), given));
    if (made.uses.back().is_written) insert(made.written, given.memory);
  }
}

}  // namespace

launch_plan::state* launch_plan::make(const kernel_description& kernel, std::span<const launch_argument> arguments) {
  auto made = std::make_unique<state>();
  const ast::module_view* module = kernel.module;
  made->module = module;
  made->device = module != nullptr ? &device_of(*module, arguments) : &device_of_copy(arguments[0], arguments[1]);
  made->device->require_this_process();
  require_no_alias(module, arguments);
  require_no_scope_loan(module, arguments);
  made->values = values_of(arguments);
  if (module != nullptr) {
    compile(kernel, *made);
  } else {
    plan_copy(arguments, *made);
  }
  made->device->prepare(made->launch);
  note_memories(module, arguments, *made);
  return made.release();
}

launch_plan::launch_plan(const kernel_description& kernel, std::span<const launch_argument> arguments)
    : state_(make(kernel, arguments)) {}
void launch_plan::destroy(state* spent) noexcept { delete spent; }

device_engine& launch_plan::device() const { return *state_->device; }

void launch_plan::enqueue(stream_queue& stream, enqueued_range& range) && {
  require_same_device(*state_->device, stream.device());
  if (graph_recorder* recorder = graph_recorder::current()) {
    require_recordable(*state_);
    const owned<state> spent(std::exchange(state_, nullptr));
    return recorder->add(std::move(*spent), {});
  }
  const ordered_uses uses(state_->memories, stream);
  const auto done = [](void* context) {
    const std::unique_ptr<state> held(static_cast<state*>(context));
    const struct owner {
      const std::vector<storage*>& memories;
      ~owner() {
        for (storage* memory : memories) release_flight(memory);
      }
    } releases{held->memories};
    return settle(*held, held->failure);
  };
  announce(*state_);
  const std::vector<storage*> exclusive = std::move(state_->exclusive), shared = std::move(state_->shared);
  for (storage* memory : state_->memories) retain_flight(memory);
  const std::uint64_t ticket = stream.push({state::run_once, done, std::exchange(state_, nullptr)});
  range.last = {&stream, ticket};
  for (storage* memory : exclusive) note_use(memory, range.last, true);
  for (storage* memory : shared) note_use(memory, range.last, false);
  uses.note(range.last);
}

event launch_plan::enqueue_again(stream_queue& stream, const event& before) {
  if (graph_recorder* recorder = graph_recorder::current()) {
    require_recordable(*state_);
    recorder->add(another(*state_), before);
    return before;
  }
  if (before.stream != &stream) require_same_device(*state_->device, stream.device());
  wait_in_order(stream, before);
  const ordered_uses uses(state_->memories, stream);
  // Without checks in it, only require_no_fault() looks: a launch that is repeated owns all that it writes.
  const auto done = [](void* context) { return settle(*static_cast<const state*>(context)); };
  state_->is_repeated = true;
  const event pushed{&stream, stream.push({state::run, state_->launch.faults ? +done : nullptr, state_})};
  uses.note(pushed);
  return pushed;
}

const void* launch_plan::context() const { return state_; }

void launch_plan::require_no_fault() {
  if (!state_->launch.faults && state_->is_repeated) {
    if (const std::exception_ptr failed = settle(*state_)) std::rethrow_exception(failed);
  }
  detail::require_no_fault(*state_);
}

stream_scope::stream_scope(stream_queue& stream) : stream_(stream) { stream_.hold(); }
stream_scope::~stream_scope() { stream_.let_go(); }

stream_queue& thread_stream(device_engine& device) { return device.thread_stream(); }

namespace {
thread_local int enqueue_depth = 0;
}
enqueue_scope::enqueue_scope() { ++enqueue_depth; }
enqueue_scope::~enqueue_scope() { --enqueue_depth; }

void require_outside_then(const char* what) {
  if (enqueue_depth == 0) return;
  throw usage_error({.what = std::string(what) + " inside a function given to then()",
                     .where = "then(f)",
                     .expected = "an Op that f returns",
                     .got = "a wait for a result that is not computed yet",
                     .fix = "read the result after sync() or wait() of the whole chain"});
}

void require_same_device(const device_engine& first, const device_engine& second) {
  if (&first == &second) return;
  throw usage_error({.what = "work of one device on a stream of another",
                     .where = "sync_on, start_on or then",
                     .expected = first.name(),
                     .got = second.name(),
                     .fix = "take the stream from the device of the tensors"});
}

void refuse_second_run(const char* what) {
  throw usage_error({.what = std::string(what) + ": a second use",
                     .where = what,
                     .expected = "one that has not run",
                     .got = "one that was run, moved or given up",
                     .fix = "call the kernel again, with the arguments that came back"});
}

}  // namespace tilewright::detail
