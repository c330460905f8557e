// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_arguments_of_different_devices
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
#ifndef TILEWRIGHT_FIXED
  auto x = rehearsal_device(1).zeros<f32>({64});
#else
  auto x = rehearsal_device(0).zeros<f32>({64});
#endif
  twice(z.partition({16}), x.borrow()).sync();
  return true;
}
static_assert(misuse(rehearsal_device()));
