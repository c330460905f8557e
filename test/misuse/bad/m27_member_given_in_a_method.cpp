// layer: container: one method gives a member, another reads it
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: members
#include "misuse.hpp"

class Model {
 public:
  REHEARSABLE explicit Model(Tensor<f32> w) : w_(std::move(w)) {}
  REHEARSABLE Tensor<f32> take() { return std::move(w_); }
  REHEARSABLE f32 first() const { return w_.to_host()[0]; }

 private:
  Tensor<f32> w_;
};

REHEARSABLE void misuse(Device d) {
  Model m(zeros(d));
  (void)m.take().shape();
  (void)m.first();
}
