// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_other_launches_than_the_nodes_have
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  auto prepared = prepare(increment(device.zeros<f32>({64}).partition({16})));
  auto graph = capture(device, [&] { increment(z.partition({16})).sync(); });
  const int changed[] = {0};
  graph.update(changed, [&] {
    prepared.enqueue();
#ifndef TILEWRIGHT_FIXED
    prepared.enqueue();
#endif
  });
  graph.sync();
  return true;
}
static_assert(rehearse(misuse));
