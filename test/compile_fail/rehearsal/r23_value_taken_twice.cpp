// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_value_that_was_taken_before
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto result = increment(device.zeros<f32>({64}).partition({16})).try_sync();
  auto [a] = std::move(result).value();
#ifndef TILEWRIGHT_FIXED
  auto [b] = std::move(result).value();
#endif
  return true;
}
static_assert(rehearse(misuse));
