// SPDX-License-Identifier: Apache-2.0
// What coroutines of Tasks are to the thread that runs them, whatever they compute.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "tilewright/runtime/detail/op_node.hpp"

namespace tilewright::detail {

class task_driver;    // resumes coroutines on one thread
struct task_context;  // what the coroutines of one sync(), or of one spawn(), have in common
struct task_frame;
struct task_root;

// A coroutine that waits for others, and how many of them are still to end.
struct task_join {
  task_frame* waiting;
  std::size_t left;
};

// A coroutine. Resumed by its driver only, on one thread; may be destroyed there whenever it is suspended.
struct TILEWRIGHT_API task_frame {
  task_frame() = default;
  task_frame(const task_frame&) = delete;
  task_frame& operator=(const task_frame&) = delete;
  ~task_frame();

  std::coroutine_handle<> handle;
  task_context* context = nullptr;  // none: has not been started
  task_join* join = nullptr;        // who waits for it; none: the first one of its context
  task_frame* next = nullptr;       // in the driver's queue
  bool is_queued = false;
  std::exception_ptr failure;
};

TILEWRIGHT_API void start_part(task_frame& part, const task_frame& whole, task_join& join) noexcept;
TILEWRIGHT_API void finish(task_frame& ended) noexcept;
// Runs it to its end on the calling thread.
TILEWRIGHT_API void drive(task_frame& first);

// A co_await of work in streams; it lives in the coroutine. When it dies early, the work goes on.
class TILEWRIGHT_API work_await {
 public:
  work_await(task_frame& waiting, enqueued_range&& flying);
  work_await(const work_await&) = delete;
  work_await& operator=(const work_await&) = delete;
  ~work_await();

  // True: the work is done, and nothing to wait for. Throws `cancelled` before anything is enqueued.
  bool start(op_work& work);
  bool look();  // at what was in flight before
  void suspend() noexcept;
  void finish();  // throws what failed, or `cancelled` when the work is not done

 private:
  friend class task_driver;

  void require_not_cancelled() const;
  bool run_here() noexcept;
  void note_time() noexcept;

  task_frame& waiting_;
  enqueued_range range_;
  work_await *before_ = nullptr, *after_ = nullptr;  // in the driver's list
  std::int64_t started_ns_ = 0;                      // of the steady clock; 0 for what was in flight before
  bool is_listed_ = false, has_signal_ = false, is_cancelled_ = false;
};

// ---- Spawned tasks -------------------------------------------------------------------------------------------------
TILEWRIGHT_API task_root& spawn(task_frame& first);  // owns the coroutine from now on, also when it throws
TILEWRIGHT_API bool is_done(const task_root& root) noexcept;
TILEWRIGHT_API void wait(task_root& root);  // refused on the thread that runs spawned tasks
TILEWRIGHT_API void request_cancel(task_root& root) noexcept;
TILEWRIGHT_API void release(task_root& root) noexcept;

}  // namespace tilewright::detail
