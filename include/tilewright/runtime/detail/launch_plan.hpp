// SPDX-License-Identifier: Apache-2.0
// A launch without C++ types: what launch() hands over after it has paired arguments with parameters.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tilewright/ast/kernel_reference.hpp"
#include "tilewright/compiler/specialization.hpp"
#include "tilewright/runtime/device.hpp"

namespace tilewright::detail {

struct launch_argument {
  compiler::argument value;
  storage* memory = nullptr;    // none: a scalar
  bool is_only_handle = false;  // a Tensor or Partition, not a Shared
};

// Without a module: a copy of the second argument to the first.
struct kernel_description {
  const ast::module_view* module = nullptr;
  const dim_bindings* with = nullptr;
  const dim_bindings* defaults = nullptr;
  const tilewright::schedule* schedule = nullptr;
};

// What was enqueued by one op.
struct enqueued_range {
  event last;
  std::uint64_t first = 0;        // of one launch that runs again and again: its first ticket, 0 for none
  const void* context = nullptr;  // and what is its own between the first and the last
  std::vector<event> earlier;     // of a combination of ops: all but the last, on any stream
};

// A checked launch with its image, parameter block and grid. Not copied; run any number of times.
class TILEWRIGHT_API launch_plan {
 public:
  constexpr launch_plan() = default;  // of nothing, in a rehearsal
  // Checks everything: devices, shapes, Dims, aliases, bounds. Throws usage_error, compile_error, out_of_memory.
  launch_plan(const kernel_description& kernel, std::span<const launch_argument> arguments);
  launch_plan(launch_plan&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  launch_plan& operator=(launch_plan&&) = delete;
  constexpr ~launch_plan() {
    if (state_ != nullptr) destroy(state_);
  }

  device_engine& device() const;
  // Hands the work to the stream; the plan is spent. Memory is kept alive until it is done.
  void enqueue(stream_queue& stream, enqueued_range& range) &&;

  // For launches that are run again and again, each after the one before: neither allocates nor locks. The plan must
  // outlive the work.
  event enqueue_again(stream_queue& stream, const event& before);
  // After such launches are done: throws the device_fault that their outputs are lost by.
  void require_no_fault();
  const void* context() const;  // of its entries in streams

 private:
  struct state;
  static state* make(const kernel_description& kernel, std::span<const launch_argument> arguments);
  static void destroy(state* spent) noexcept;

  state* state_ = nullptr;
};

// Work enqueued in this scope is run by the waiting thread itself when nobody else runs the stream; it does not wake
// the stream's own thread until the scope ends.
class TILEWRIGHT_API stream_scope {
 public:
  explicit stream_scope(stream_queue& stream);
  stream_scope(const stream_scope&) = delete;
  stream_scope& operator=(const stream_scope&) = delete;
  ~stream_scope();

 private:
  stream_queue& stream_;
};

TILEWRIGHT_API stream_queue& thread_stream(device_engine& device);
// Waits for the work; throws what failed in it first.
TILEWRIGHT_API void wait(const enqueued_range& range);
TILEWRIGHT_API bool is_done(const enqueued_range& range);
TILEWRIGHT_API void wait_quietly(const event& last) noexcept;
TILEWRIGHT_API void wait_quietly(const enqueued_range& range) noexcept;

// Inside the function given to then(), nothing may wait for a result.
class TILEWRIGHT_API enqueue_scope {
 public:
  enqueue_scope();
  enqueue_scope(const enqueue_scope&) = delete;
  enqueue_scope& operator=(const enqueue_scope&) = delete;
  ~enqueue_scope();
};
TILEWRIGHT_API void require_same_device(const device_engine& first, const device_engine& second);
TILEWRIGHT_API void require_outside_then(const char* what);
[[noreturn]] TILEWRIGHT_API void refuse_second_run(const char* what);

}  // namespace tilewright::detail
