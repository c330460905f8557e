// SPDX-License-Identifier: Apache-2.0
// expect-error g++: use of deleted function .*build
// expect-error clang++-22: call to deleted member function 'build'
// expect-error clang++-14: call to deleted member function 'build'
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

void misuse() {
  auto s = ones();
  GraphBuilder builder(device());
  auto [z, same] = builder.add(twice(zeros().partition({16}), s));
#ifndef TILEWRIGHT_FIXED
  Graph graph = builder.build();
#else
  Graph graph = std::move(builder).build();
#endif
  graph.sync();
}
