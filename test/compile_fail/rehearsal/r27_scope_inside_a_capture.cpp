// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_scope_inside_a_capture
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  const auto graph = capture(device, [&] {
#ifndef TILEWRIGHT_FIXED
    scope([&](Scope& s) { s.start(increment(z.partition({16}))); });
#else
    increment(z.partition({16})).sync();
#endif
  });
  return graph.nodes() == 1;
}
static_assert(rehearse(misuse));
