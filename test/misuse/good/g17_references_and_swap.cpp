// A helper that keeps a tensor, in a loop, swap(), a lambda by reference
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE void forward(Tensor<f32>& x TILEWRIGHT_KEEPS) { increment(x.partition({16})).sync(); }

REHEARSABLE bool correct(Device d) {
  auto a = zeros(d);
  auto b = zeros(d);
  for (int i = 0; i < 3; ++i) {
    forward(a);
    swap(a, b);
  }
  auto again = [&] { forward(a); };
  again();
  return all_are(a, 2.0f) && all_are(b, 2.0f);
}
