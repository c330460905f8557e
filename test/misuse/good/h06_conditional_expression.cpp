// One of two tensors goes on
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto a = zeros(d);
  auto b = ones(d);
  auto z = perhaps() ? std::move(a) : std::move(b);
  return all_are(z, 0.0f);
}
