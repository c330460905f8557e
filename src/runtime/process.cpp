// SPDX-License-Identifier: Apache-2.0
#include "runtime/process.hpp"

#include <pthread.h>

namespace tilewright::detail {

unsigned counted_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;  // fails only where there is no memory; then forks go unnoticed
  return forks.load(std::memory_order_relaxed);
}

}  // namespace tilewright::detail
