// A builder whose methods give the object on
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

class Pipeline {
 public:
  REHEARSABLE explicit Pipeline(Tensor<f32> t) : t_(std::move(t)) {}
  REHEARSABLE Pipeline increased() && {
    auto [back] = increment(std::move(t_).partition({16})).sync();
    return Pipeline(std::move(back));
  }
  REHEARSABLE Tensor<f32> result() && { return std::move(t_); }

 private:
  Tensor<f32> t_;
};

REHEARSABLE bool correct(Device d) {
  auto pipeline = Pipeline(zeros(d)).increased().increased();
  return all_are(std::move(pipeline).result(), 2.0f);
}
