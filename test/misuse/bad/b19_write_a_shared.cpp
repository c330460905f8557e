// layer: types: a Shared has no partition
// SPDX-License-Identifier: Apache-2.0
// expect: {deleted}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto s = ones(d).share();
  increment(s.partition({16})).sync();
}
