// layer: container: a lambda gives a name that it refers to
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: lambdas
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto give = [&] { (void)increment(std::move(z).partition({16})).sync(); };
  give();
  (void)z.to_host();
}
