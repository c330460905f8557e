// layer: flow: a name is read before its stream is waited for
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  const Stream side = d.new_stream();
  auto f = increment(std::move(z).partition({16})).start_on(side);
  side.synchronize();
  if (z.to_host()[0] != 1.0f) return;
  (void)std::move(f).wait();
}
