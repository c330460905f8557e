// SPDX-License-Identifier: Apache-2.0
// The one thread on which all spawned tasks run. It looks on for a while after something happened, and then sleeps
// until a stream or another thread wakes it. Made when the first task is spawned. test/model/reactor.pml models it.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/task_driver.hpp"

namespace tilewright::detail {

// A spawned task. Its first coroutine, with its result, is destroyed by the last of the reactor, which lets go of it
// before it says that the task has ended, and the Running.
struct task_root : task_context {
  task_frame* frame = nullptr;  // none: destroyed where it awaited
  std::atomic<int> frame_owners{2};
  std::atomic<int> owners{2};  // of this
  enum state : int { running, ended, dropped };
  std::atomic<int> now{running};
  task_root *before = nullptr, *after = nullptr;  // in the reactor's list
};

class reactor {
 public:
  static reactor& shared();  // never destroyed
  static bool is_this_thread() noexcept;

  reactor();
  reactor(const reactor&) = delete;
  reactor& operator=(const reactor&) = delete;
  // Destroys the tasks that have not ended where they await; their work goes on. From then on start() is refused.
  void end() noexcept;

  void start(task_root& root);
  void cancel(task_root& root) noexcept;

 private:
  struct mail {
    task_root* root;
    bool is_cancel;
  };

  void post(const mail& item);
  void loop();
  bool read_mail();
  void begin(task_root& root) noexcept;
  void end(task_root& root, task_root::state how) noexcept;

  std::atomic<bool> has_mail_{false}, is_ending_{false};  // the first is set by the end, too
  task_driver driver_{&has_mail_};
  task_root* first_root_ = nullptr;
  int next_lane_ = 0;

  std::mutex mutex_;
  std::vector<mail> mail_;
  bool is_closed_ = false;  // nobody reads mail any more
  std::thread thread_;
};

}  // namespace tilewright::detail
