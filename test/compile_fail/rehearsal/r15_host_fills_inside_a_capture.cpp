// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_host_at_work_inside_a_capture
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  const auto graph = capture(device, [&] {
#ifndef TILEWRIGHT_FIXED
    z = device.full<f32>({64}, 1.0f);
#endif
    increment(z.partition({16})).sync();
  });
  if (graph.nodes() != 1) return false;
  return true;
}
static_assert(rehearse(misuse));
