// layer: flow: a name is given to ops of two streams
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto f = increment(std::move(z).partition({16})).start_on(d.new_stream());
  auto g = increment(std::move(z).partition({16})).start_on(d.new_stream());
  (void)std::move(f).wait();
  (void)std::move(g).wait();
}
