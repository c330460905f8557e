// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_launch_while_lent_to_others
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64}), y = device.zeros<f32>({64});
  auto reader = z.slice(0, 0, 32).borrow();
#ifndef TILEWRIGHT_FIXED
  increment(z.slice(0, 16, 64).partition({16})).sync();
#else
  increment(z.slice(0, 32, 64).partition({16})).sync();
#endif
  twice(y.slice(0, 0, 32).partition({16}), std::move(reader)).sync();
  return true;
}
static_assert(misuse(rehearsal_device()));
