// SPDX-License-Identifier: Apache-2.0
#include "runtime/pinning.hpp"

#include <sched.h>

namespace tilewright::runtime {
namespace {

bool read_allowed_cores(cpu_set_t& allowed) noexcept {
  CPU_ZERO(&allowed);
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0;
}

}  // namespace

bool is_pinning_useful(int threads) noexcept {
  cpu_set_t allowed;
  return read_allowed_cores(allowed) && CPU_COUNT(&allowed) == threads;
}

void pin_to_core(int n) noexcept {
  cpu_set_t allowed;
  if (n < 0 || !read_allowed_cores(allowed)) return;
  int left = n % CPU_COUNT(&allowed);
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed) || left-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

}  // namespace tilewright::runtime
