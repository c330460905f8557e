// layer: types: a lambda that owns a Tensor has no copy
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: lambdas
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto run = [t = std::move(z)] { return t.shape().rank(); };
  auto other = run;
  (void)other();
}
