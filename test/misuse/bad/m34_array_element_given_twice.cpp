// layer: container: an element of an array is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: containers
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::array<Tensor<f32>, 2> pair{zeros(d), ones(d)};
  (void)increment(std::move(pair[0]).partition({16})).sync();
  (void)increment(std::move(pair[0]).partition({16})).sync();
}
