// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_launch_while_lent_to_others
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  scope([&](Scope& s) {
    for (auto part : z.chunks(0, 32)) s.start(increment(part.partition({16})));
#ifndef TILEWRIGHT_FIXED
    s.start(increment(z.slice(0, 0, 16).partition({16})));
#endif
  });
  increment(z.slice(0, 0, 16).partition({16})).sync();
  return true;
}
static_assert(rehearse(misuse));
