// layer: run time only: extents are values
// SPDX-License-Identifier: Apache-2.0
// expect: reshape changes the element count|refuse_reshape
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto wide = std::move(z).reshape({8, 9});
  (void)wide.shape();
}
