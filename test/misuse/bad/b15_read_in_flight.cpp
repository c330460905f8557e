// layer: flow: a name is read while its work is in flight
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: asynchrony
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto f = increment(std::move(z).partition({16})).start();
  (void)z.to_host();
  (void)std::move(f).wait();
}
