// SPDX-License-Identifier: Apache-2.0
// expect-error: report_tensor_destroyed_while_lent
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  std::vector<Tensor<f32>> layers;
  layers.push_back(device.zeros<f32>({64}));
  auto target = device.zeros<f32>({64});
  auto head = layers[0].slice(0, 0, 16);
#ifndef TILEWRIGHT_FIXED
  layers.clear();
#endif
  twice(target.slice(0, 0, 16).partition({16}), head.borrow()).sync();
  return true;
}
static_assert(misuse(rehearsal_device()));
