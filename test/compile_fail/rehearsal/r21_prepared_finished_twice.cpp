// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_second_run
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  std::vector<Tensor<f32>> results;
  auto prepared = prepare(increment(device.zeros<f32>({64}).partition({16})));
  for (int i = 0; i < 2; ++i) {
    prepared.sync();
    results.push_back(std::get<0>(std::move(prepared).finish()));
#ifdef TILEWRIGHT_FIXED
    prepared = prepare(increment(device.zeros<f32>({64}).partition({16})));
#endif
  }
  return true;
}
static_assert(rehearse(misuse));
