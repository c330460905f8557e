// layer: flow: a lambda that gives its capture is called twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: lambdas
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto run = [t = std::move(z)]() mutable { (void)increment(std::move(t).partition({16})).sync(); };
  run();
  run();
}
