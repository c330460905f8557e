// layer: types: a Tensor has no copy
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto y = z;
  (void)y.to_host();
}
