// layer: types: a name that nothing mentions
// SPDX-License-Identifier: Apache-2.0
// expect: {unlent_run}|{unrun}|will be destroyed at the end of the full-expression
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto op = increment(z.partition({16}));
}
