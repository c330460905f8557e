// SPDX-License-Identifier: Apache-2.0
// expect-error: report_op_that_never_ran
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  std::vector<Tensor<f32>> results;
  for (int i = 0; i < 3; ++i) {
    auto op = increment(device.zeros<f32>({64}).partition({16}));
#ifndef TILEWRIGHT_FIXED
    if (i != 2) results.push_back(std::get<0>(std::move(op).sync()));
#else
    results.push_back(std::get<0>(std::move(op).sync()));
#endif
  }
  return true;
}
static_assert(misuse(rehearsal_device()));
