// layer: types: a launch that borrows is dropped
// SPDX-License-Identifier: Apache-2.0
// expect: {unlent_run}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  increment(z.partition({16}));
}
