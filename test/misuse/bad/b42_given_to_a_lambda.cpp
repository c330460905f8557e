// layer: flow: a capture takes a name that is read afterwards
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: lambdas
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto rank = [mine = std::move(z)] { return mine.shape().rank(); };
  (void)rank();
  (void)z.to_host();
}
