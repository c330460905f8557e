// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_unique
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto x = device.zeros<f32>({64}).share();
  std::vector<Shared<f32>> readers(3, x);
#ifdef TILEWRIGHT_FIXED
  readers.clear();
#endif
  auto unique = std::move(x).into_unique();
  increment(unique.partition({16})).sync();
  return true;
}
static_assert(misuse(rehearsal_device()));
