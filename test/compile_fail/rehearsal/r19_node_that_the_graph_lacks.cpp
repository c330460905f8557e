// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_node_that_the_graph_lacks
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  auto graph = capture(device, [&] { increment(z.partition({16})).sync(); });
#ifndef TILEWRIGHT_FIXED
  const int changed[] = {1};
#else
  const int changed[] = {0};
#endif
  graph.update(changed, [&] { increment(z.partition({32})).sync(); });
  return true;
}
static_assert(rehearse(misuse));
