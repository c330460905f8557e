// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_launch_of_another_device_inside_a_capture
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device, Device other) {
  auto z = device.zeros<f32>({64}), y = device.zeros<f32>({64});
  auto far = other.zeros<f32>({64});
  const auto graph = capture(device, [&] {
#ifndef TILEWRIGHT_FIXED
    copy(z.all(), far.borrow()).sync();
#else
    copy(z.all(), y.borrow()).sync();
#endif
  });
  copy(y.all(), far.borrow()).sync();
  return graph.nodes() == 1;
}
static_assert(rehearse(misuse));
