// A lambda that owns a tensor and is called often
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto step = [t = zeros(d)]() mutable {
    increment(t.partition({16})).sync();
    return all_are(t, 1.0f);
  };
  return step() && !step();
}
