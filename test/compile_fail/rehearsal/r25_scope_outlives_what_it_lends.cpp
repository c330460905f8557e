// SPDX-License-Identifier: Apache-2.0
// expect-error: report_tensor_destroyed_while_lent
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
#ifdef TILEWRIGHT_FIXED
  auto z = device.zeros<f32>({64});
#endif
  scope([&](Scope& s) {
#ifndef TILEWRIGHT_FIXED
    auto z = device.zeros<f32>({64});
#endif
    s.start(increment(z.partition({16})));
  });
  return true;
}
static_assert(rehearse(misuse));
