// SPDX-License-Identifier: Apache-2.0
// expect-error: report_borrowing_launch_that_never_ran
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  for (int i = 0; i < 3; ++i) {
    auto launch = increment(z.partition({16}));
#ifndef TILEWRIGHT_FIXED
    if (i != 2) std::move(launch).sync();
#else
    if (0 != 2) std::move(launch).sync();
#endif
  }
  return true;
}
static_assert(misuse(rehearsal_device()));
