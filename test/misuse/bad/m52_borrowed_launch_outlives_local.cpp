// layer: flow: a function returns a launch that borrows its local
// SPDX-License-Identifier: Apache-2.0
// expect: {dies_lent}
// topic: lifetimes
#include "misuse.hpp"

REHEARSABLE auto launch_on_local(Device d) {
  auto local = ones(d);
  return increment(local.partition({16}));
}

REHEARSABLE void misuse(Device d) { launch_on_local(d).sync(); }
