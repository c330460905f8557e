// layer: container: a struct refers to the name that it gives
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

struct Holder {
  Tensor<f32>& t;
};

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  Holder holder{z};
  (void)increment(std::move(holder.t).partition({16})).sync();
  (void)z.to_host();
}
