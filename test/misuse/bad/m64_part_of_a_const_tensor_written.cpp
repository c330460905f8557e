// layer: types: a const Tensor has no writer
// SPDX-License-Identifier: Apache-2.0
// expect: a part of a const Tensor cannot be written
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  const auto& seen = z;
  increment(seen.slice(0, 0, 32).partition({16})).sync();
}
