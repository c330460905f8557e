// SPDX-License-Identifier: Apache-2.0
#include "runtime/reactor.hpp"

#include <unistd.h>

#include <memory>
#include <utility>

#include "runtime/device_engine.hpp"
#include "tilewright/runtime/task.hpp"

namespace tilewright::detail {
namespace {

thread_local bool is_reactor_thread = false;

// The reactor is made after the engine, and never before a fork that the engine did not see.
bool is_of_other_process() noexcept { return cpu_engine().is_of_other_process(); }

std::atomic<reactor*> the_reactor = nullptr;

// Of the main thread. It dies when main() returns or calls exit(), before anything of static storage, libraries' own
// included: so a task that compiles a kernel is waited for while LLVM is whole. Other threads that call exit() only
// reach the finisher of shared(), where parts of LLVM may be gone.
struct main_thread {
  ~main_thread() {
    if (reactor* const one = the_reactor) one->end();
  }
  bool is_watched = true;
};
thread_local const main_thread watched;

// While the program is loaded; by another thread only where the library is loaded later.
[[maybe_unused]] const bool is_main_watched = ::getpid() == ::gettid() && watched.is_watched;

[[noreturn]] void refuse_spawn() {
  throw usage_error({.what = "a task is spawned when the program ends",
                     .where = "spawn()",
                     .expected = "a call before main() returns",
                     .got = "the thread of spawned tasks has ended",
                     .fix = "wait for tasks before main() returns; destructors of static objects start none"});
}

void let_go(task_root& root) noexcept {
  if (root.owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete &root;
}

void let_go_of_frame(task_root& root) noexcept {
  if (root.frame_owners.fetch_sub(1, std::memory_order_acq_rel) == 1 && root.frame != nullptr) {
    root.frame->handle.destroy();
  }
}

}  // namespace

reactor& reactor::shared() {
  // Made after the engines, so it ends before the streams are waited for at the end of the program.
  (void)cpu_engine();
  (void)interp_engine();
  static reactor* const one = new reactor;
  static const struct finisher {
    ~finisher() { one->end(); }
  } at_exit;
  (void)at_exit;
  the_reactor = one;
  return *one;
}

bool reactor::is_this_thread() noexcept { return is_reactor_thread; }

reactor::reactor() : thread_([this] { loop(); }) {}

void reactor::end() noexcept {
  // A forked process has no such thread, and one that calls exit() on it cannot wait for itself.
  if (is_of_other_process() || is_reactor_thread || !thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    has_mail_ = true;  // so that a task whose work runs here gives the thread back
  }
  driver_.signal().set();
  thread_.join();
}

void reactor::post(const mail& item) {
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_) refuse_spawn();
    mail_.push_back(item);
    has_mail_ = true;
  }
  driver_.signal().set();
}

void reactor::start(task_root& root) { post({&root, false}); }

void reactor::cancel(task_root& root) noexcept {
  root.is_cancelled = true;
  root.owners.fetch_add(1, std::memory_order_relaxed);
  try {
    post({&root, true});
  } catch (...) {  // no memory to say it: then the next co_await sees it
    let_go(root);
  }
}

// ---- On its thread -------------------------------------------------------------------------------------------------
void reactor::begin(task_root& root) noexcept {
  root.driver = &driver_;
  root.lane = std::exchange(next_lane_, (next_lane_ + 1) % device_engine::lanes);
  root.after = first_root_;
  if (first_root_ != nullptr) first_root_->before = &root;
  first_root_ = &root;
  driver_.make_ready(*root.frame);
}

void reactor::end(task_root& root, task_root::state how) noexcept {
  (root.before != nullptr ? root.before->after : first_root_) = root.after;
  if (root.after != nullptr) root.after->before = root.before;
  root.now.store(how, std::memory_order_release);
  root.now.notify_all();
  let_go(root);
}

bool reactor::read_mail() {
  if (!has_mail_) return false;
  std::vector<mail> items;
  {
    const std::lock_guard lock(mutex_);
    items.swap(mail_);
    has_mail_ = is_ending_.load();
  }
  for (const auto& [root, is_cancel] : items) {
    if (!is_cancel) {
      begin(*root);
      continue;
    }
    if (root->now.load(std::memory_order_relaxed) == task_root::running) driver_.cancel(*root);
    let_go(*root);
  }
  return true;
}

void reactor::loop() {
  is_reactor_thread = true;
  spin_window window;
  while (!is_ending_) {
    bool was_busy = read_mail();
    driver_.poll();
    for (int turns = 0; turns < 64 && driver_.has_ready(); ++turns, was_busy = true) {
      auto& root = static_cast<task_root&>(driver_.next_context());
      device_engine::set_lane_of_thread(root.lane);
      driver_.run_one();
      if (!root.is_finished) continue;
      let_go_of_frame(root);
      end(root, task_root::ended);
    }
    if (was_busy) {
      window.open();
    } else if (!window.is_open()) {
      driver_.sleep();
    }
  }
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  read_mail();
  while (first_root_ != nullptr) {
    task_root& root = *first_root_;
    std::exchange(root.frame, nullptr)->handle.destroy();
    end(root, task_root::dropped);
  }
}

// ---- What Running calls --------------------------------------------------------------------------------------------
task_root& spawn(task_frame& first) {
  struct owner {
    task_frame* frame;
    ~owner() {
      if (frame != nullptr) frame->handle.destroy();
    }
  } owned{&first};
  cpu_engine().require_this_process();
  auto made = std::make_unique<task_root>();
  made->frame = &first;
  first.context = made.get();
  reactor::shared().start(*made);
  owned.frame = nullptr;
  return *made.release();
}

bool is_done(const task_root& root) noexcept { return root.now.load(std::memory_order_acquire) != task_root::running; }

void wait(task_root& root) {
  require_outside_then("wait()");
  cpu_engine().require_this_process();
  if (reactor::is_this_thread()) {
    throw usage_error({.what = "a spawned task waits for another one",
                       .where = "wait() or cancel() of a Running",
                       .expected = "a thread that runs no spawned tasks",
                       .got = "the thread that runs them all",
                       .fix = "co_await the task itself, or when_all() of several"});
  }
  spin_window window;
  window.open();
  while (!is_done(root)) {
    if (!window.is_open()) root.now.wait(task_root::running, std::memory_order_acquire);
  }
  if (root.now.load(std::memory_order_acquire) == task_root::ended) return;
  throw cancelled({.what = "a spawned task was destroyed before its end",
                   .where = "wait() of a Running",
                   .expected = "",
                   .got = "the end of the program",
                   .fix = "wait for spawned tasks before main() returns"});
}

void request_cancel(task_root& root) noexcept {
  if (!is_done(root) && !is_of_other_process()) reactor::shared().cancel(root);
}

void release(task_root& root) noexcept {
  let_go_of_frame(root);
  let_go(root);
}

}  // namespace tilewright::detail
