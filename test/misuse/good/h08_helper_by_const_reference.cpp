// A helper that reads
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE Tensor<f32> doubled(Device d, const Tensor<f32>& x) {
  auto z = zeros(d);
  twice(z.partition({16}), x.borrow()).sync();
  return z;
}

REHEARSABLE bool correct(Device d) {
  const auto x = ones(d);
  return all_are(doubled(d, x), 2.0f) && all_are(doubled(d, x), 2.0f);
}
