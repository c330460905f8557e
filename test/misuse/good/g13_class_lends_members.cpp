// A class that owns tensors and lends its members
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

class Model {
 public:
  REHEARSABLE explicit Model(Device d) : weights_(ones(d)), scratch_(zeros(d)) {}
  REHEARSABLE void forward(Tensor<f32>& x TILEWRIGHT_KEEPS) {
    add(scratch_.partition({16}), weights_.borrow(), x.borrow()).sync();
    swap(scratch_, x);
  }
  REHEARSABLE const Tensor<f32>& weights() const { return weights_; }

 private:
  Tensor<f32> weights_, scratch_;
};

REHEARSABLE bool correct(Device d) {
  Model m(d);
  auto x = ones(d);
  m.forward(x);
  m.forward(x);
  return all_are(x, 3.0f) && all_are(m.weights(), 1.0f);
}
