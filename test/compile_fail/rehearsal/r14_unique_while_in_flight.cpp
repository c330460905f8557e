// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_unique
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto x = device.zeros<f32>({64}).share();
  auto flying = twice(device.zeros<f32>({64}).partition({16}), x).start();
#ifdef TILEWRIGHT_FIXED
  { auto [z, y] = std::move(flying).wait(); }
  auto unique = std::move(x).into_unique();
#else
  auto unique = std::move(x).into_unique();
  auto [z, y] = std::move(flying).wait();
#endif
  return true;
}
static_assert(misuse(rehearsal_device()));
