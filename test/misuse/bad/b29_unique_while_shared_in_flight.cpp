// layer: run time only: how many owners there are is counted at run time
// SPDX-License-Identifier: Apache-2.0
// expect: {not_unique}
// topic: asynchrony
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto s = ones(d).share();
  auto f = twice(std::move(z).partition({16}), s).start();
  auto u = std::move(s).into_unique();
  (void)std::move(f).wait();
}
