// SPDX-License-Identifier: Apache-2.0
// What failed in a stream, by ticket, until somebody asks. Looking costs one load while nothing has failed.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>

namespace tilewright::detail {

class failures {
 public:
  // Keeps the first failure of an entry. Called in its catch block.
  void keep(std::uint64_t ticket) noexcept {
    const std::lock_guard lock(mutex_);
    if (kept_.try_emplace(ticket, std::current_exception()).second) count_.fetch_add(1);
  }

  // Throws the failure of an entry first ... last, and forgets it.
  void throw_one(std::uint64_t first, std::uint64_t last) {
    if (count_.load() == 0) return;
    std::exception_ptr failure;
    {
      const std::lock_guard lock(mutex_);
      const auto found = kept_.lower_bound(first);
      if (found == kept_.end() || found->first > last) return;
      failure = found->second;
      kept_.erase(found);
      count_.fetch_sub(1);
    }
    std::rethrow_exception(failure);
  }

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::exception_ptr> kept_;
  std::atomic<int> count_{0};
};

}  // namespace tilewright::detail
