// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function
// expect-error clang++-22: call to implicitly-deleted copy constructor
// expect-error clang++-14: call to implicitly-deleted copy constructor
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  Graph graph = capture(device(), [&] { increment(z.partition({16})).sync(); });
#ifndef TILEWRIGHT_FIXED
  Graph again = graph;
#else
  Graph again = std::move(graph);
#endif
  again.sync();
}
