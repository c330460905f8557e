// layer: types: a launch that borrows has no start()
// SPDX-License-Identifier: Apache-2.0
// expect: borrows its arguments only runs by sync
// topic: asynchrony
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto f = increment(z.partition({16})).start();
  (void)std::move(f).wait();
}
