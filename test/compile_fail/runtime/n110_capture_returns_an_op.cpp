// SPDX-License-Identifier: Apache-2.0
// expect-error: the function given to capture\(\) or update\(\) returns nothing
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto z = zeros();
  auto s = ones();
#ifndef TILEWRIGHT_FIXED
  Graph graph = capture(device(), [&] { return twice(std::move(z).partition({16}), s); });
#else
  Graph graph = capture(device(), [&] { (void)twice(std::move(z).partition({16}), s).sync(); });
#endif
  graph.sync();
}
