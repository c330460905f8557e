// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_launch_of_another_device_inside_a_capture
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device, Device other) {
  auto z = device.zeros<f32>({64}), y = other.zeros<f32>({64});
  const auto graph = capture(device, [&] {
    increment(z.partition({16})).sync();
#ifndef TILEWRIGHT_FIXED
    increment(y.partition({16})).sync();
#endif
  });
  increment(y.partition({16})).sync();
  return graph.nodes() == 1;
}
static_assert(rehearse(misuse));
