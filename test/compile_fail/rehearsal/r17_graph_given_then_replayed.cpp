// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_second_run
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  std::vector<Graph> graphs;
  auto graph = capture(device, [&] { increment(z.partition({16})).sync(); });
  graphs.push_back(std::move(graph));
#ifndef TILEWRIGHT_FIXED
  graph.sync();
#else
  graphs[0].sync();
#endif
  return true;
}
static_assert(rehearse(misuse));
