// layer: flow: a member of a local is given twice
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

struct Model {
  Tensor<f32> z;
};

REHEARSABLE void misuse(Device d) {
  Model m{zeros(d)};
  auto [a] = increment(std::move(m.z).partition({16})).sync();
  auto [b] = increment(std::move(m.z).partition({16})).sync();
}
