// SPDX-License-Identifier: Apache-2.0
// A part cannot be moved out of the function that split the tensor.
// expect-error g++: use of deleted function .*TensorSlice
// expect-error clang++-22: deleted (copy )?constructor
// expect-error clang++-14: deleted (copy )?constructor
#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifndef TILEWRIGHT_FIXED
TensorSlice<f32> misuse() {
#else
void misuse() {
#endif
  auto z = zeros();
  auto [head, tail] = z.split_at(0, 32);
  increment(tail.partition({16})).sync();
#ifndef TILEWRIGHT_FIXED
  return std::move(head);
#else
  increment(head.partition({16})).sync();
#endif
}
