// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_output_that_overlaps_another_argument
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  for (int i = 0; i < 3; ++i) {
#ifndef TILEWRIGHT_FIXED
    twice(z.slice(0, 16 * i, 16 * i + 16).partition({16}), z.slice(0, 32 + 0, 48 + 0).borrow()).sync();
#else
    twice(z.slice(0, 16 * i, 16 * i + 16).partition({16}), z.slice(0, 32 + 16, 48 + 16).borrow()).sync();
#endif
  }
  return true;
}
static_assert(misuse(rehearsal_device()));
