// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_second_run
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  struct holder {
    Op<std::tuple<Tensor<f32>>> op;
  };
  holder held{increment(device.zeros<f32>({64}).partition({16}))};
  auto [z] = std::move(held.op).sync();
#ifndef TILEWRIGHT_FIXED
  std::move(held.op).discard();
#endif
  return true;
}
static_assert(misuse(rehearsal_device()));
