// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_argument_of_another_rank_than_its_parameter
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  auto x = device.zeros<f32>({8, 8});
#ifndef TILEWRIGHT_FIXED
  twice(z.partition({16}), std::move(x).reshape(Shape(8, 8)).share()).sync();
#else
  twice(z.partition({16}), std::move(x).reshape(Shape(64)).share()).sync();
#endif
  return true;
}
static_assert(misuse(rehearsal_device()));
