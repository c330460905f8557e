// SPDX-License-Identifier: Apache-2.0
#include "runtime/wake_signal.hpp"

#include <chrono>
#include <thread>

namespace tilewright::detail {
namespace {

constexpr std::int64_t window_ns = 30'000;  // a few times what waking a thread costs

}  // namespace

std::int64_t steady_now_ns() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void wake_signal::set() noexcept {
  is_set_.store(true);
  if (!is_asleep_.load()) return;  // it looks at is_set_ after it said that it sleeps
  const std::lock_guard lock(mutex_);
  woken_.notify_one();
}

void wake_signal::sleep(std::int64_t microseconds) noexcept {
  std::unique_lock lock(mutex_);
  is_asleep_.store(true);
  const auto is_set = [this] { return is_set_.load(); };
  if (microseconds < 0) {
    woken_.wait(lock, is_set);
  } else {
    woken_.wait_for(lock, std::chrono::microseconds(microseconds), is_set);
  }
  is_asleep_.store(false);
  is_set_.store(false);
}

void spin_window::open() noexcept { end_ = steady_now_ns() + window_ns; }

bool spin_window::is_open() noexcept {
  if (steady_now_ns() >= end_) return false;
  std::this_thread::yield();
  return true;
}

}  // namespace tilewright::detail
