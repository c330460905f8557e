// layer: container: who else holds a Shared is known to whoever follows its count
// SPDX-License-Identifier: Apache-2.0
// expect: {not_unique}
// topic: one stream
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto s = ones(d).share();
  auto other = s;
  auto u = std::move(other).into_unique();
  increment(u.partition({16})).sync();
  (void)s.to_host();
}
