// layer: flow: a struct is given, its member is read
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

struct Model {
  Tensor<f32> a, b;
};

REHEARSABLE void misuse(Device d) {
  Model m{zeros(d), ones(d)};
  auto n = std::move(m);
  (void)n.a.shape();
  (void)m.b.to_host();
}
