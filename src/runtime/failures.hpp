// SPDX-License-Identifier: Apache-2.0
// What failed in a stream, by ticket, until somebody asks. Looking costs one load while nothing has failed.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

namespace tilewright::detail {

class failures {
 public:
  // Keeps the first failure of an entry.
  void keep(std::uint64_t ticket, const void* context, std::exception_ptr failure) noexcept {
    const std::lock_guard lock(mutex_);
    if (kept_.try_emplace(ticket, kept{std::move(failure), context}).second) count_.fetch_add(1);
  }

  // Throws the failure of an entry first ... last, and forgets it. With a context: of an entry with that one, and
  // forgets them all.
  void throw_one(std::uint64_t first, std::uint64_t last, const void* context) {
    if (count_.load() == 0) return;
    std::exception_ptr failure;
    {
      const std::lock_guard lock(mutex_);
      for (auto at = kept_.lower_bound(first); at != kept_.end() && at->first <= last;) {
        if (context != nullptr && at->second.context != context) {
          ++at;
          continue;
        }
        if (!failure) failure = at->second.failure;
        at = kept_.erase(at);
        count_.fetch_sub(1);
        if (context == nullptr) break;
      }
    }
    if (failure) std::rethrow_exception(failure);
  }

 private:
  std::mutex mutex_;
  struct kept {
    std::exception_ptr failure;
    const void* context;  // of the entry
  };
  std::map<std::uint64_t, kept> kept_;
  std::atomic<int> count_{0};
};

}  // namespace tilewright::detail
