// layer: types: a name that nothing mentions
// SPDX-License-Identifier: Apache-2.0
// expect: {unwaited}
// topic: asynchrony
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto f = increment(std::move(z).partition({16})).start();
}
