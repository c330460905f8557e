// layer: flow: a member of a member is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

struct Layer {
  Tensor<f32> w;
};
struct Network {
  Layer layer;
};

REHEARSABLE void misuse(Device d) {
  Network n{{zeros(d)}};
  (void)increment(std::move(n.layer.w).partition({16})).sync();
  (void)increment(std::move(n.layer.w).partition({16})).sync();
}
