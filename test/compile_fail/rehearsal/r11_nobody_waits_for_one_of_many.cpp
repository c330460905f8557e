// SPDX-License-Identifier: Apache-2.0
// expect-error: report_result_that_nobody_waits_for
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  std::vector<InFlight<std::tuple<Tensor<f32>>>> flying;
  for (int i = 0; i < 3; ++i) flying.push_back(increment(device.zeros<f32>({64}).partition({16})).start());
#ifndef TILEWRIGHT_FIXED
  for (std::size_t i = 1; i < flying.size(); ++i) std::move(flying[i]).detach();
#else
  for (auto& each : flying) std::move(each).detach();
#endif
  return true;
}
static_assert(misuse(rehearsal_device()));
