// layer: flow: a name is given to a thread, then read
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: threads
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  std::thread worker([](Tensor<f32> t) { (void)increment(std::move(t).partition({16})).sync(); }, std::move(z));
  worker.join();
  (void)z.to_host();
}
