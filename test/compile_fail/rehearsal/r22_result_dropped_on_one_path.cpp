// SPDX-License-Identifier: Apache-2.0
// expect-error: report_result_dropped_unseen
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  for (int step = 0; step < 2; ++step) {
    auto result = increment(device.zeros<f32>({64}).partition({16})).try_sync();
#ifndef TILEWRIGHT_FIXED
    if (step == 0 && !result) return false;
#else
    if (!result) return false;
#endif
  }
  return true;
}
static_assert(rehearse(misuse));
