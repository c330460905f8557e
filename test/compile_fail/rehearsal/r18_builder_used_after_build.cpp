// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_use_after_give
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  GraphBuilder builder(device);
  auto [a] = builder.add(increment(std::move(z).partition({16})));
#ifdef TILEWRIGHT_FIXED
  auto [b] = builder.add(increment(std::move(a).partition({16})));
#endif
  auto graph = std::move(builder).build();
#ifndef TILEWRIGHT_FIXED
  auto [b] = builder.add(increment(std::move(a).partition({16})));
#endif
  graph.sync();
  return true;
}
static_assert(rehearse(misuse));
