// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_capture_inside_a_capture
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  auto inner = capture(device, [&] { increment(z.partition({16})).sync(); });
  auto outer = capture(device, [&] {
#ifndef TILEWRIGHT_FIXED
    (void)capture(device, [&] { increment(z.partition({16})).sync(); });
#else
    inner.enqueue();
#endif
  });
  outer.sync();
  return true;
}
static_assert(rehearse(misuse));
