// A correct program that -Wconsumed refuses: a helper that fills its reference in a loop
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE void fill(Tensor<f32>& t, Device d) { t = zeros(d); }

REHEARSABLE bool correct(Device d) {
  auto z = zeros(d);
  for (int i = 0; i < 3; ++i) {
    (void)increment(std::move(z).partition({16})).sync();
    fill(z, d);
  }
  return all_are(z, 0.0f);
}
