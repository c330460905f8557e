// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_use_after_give
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  std::vector<Tensor<f32>> layers;
  for (int i = 0; i < 3; ++i) layers.push_back(device.zeros<f32>({64}));
  for (int i = 0; i < 3; ++i) {
#ifndef TILEWRIGHT_FIXED
    auto taken = std::move(layers[static_cast<std::size_t>(i / 2)]);
#else
    auto taken = std::move(layers[static_cast<std::size_t>(i)]);
#endif
    increment(taken.partition({16})).sync();
  }
  return true;
}
static_assert(misuse(rehearsal_device()));
