// Layers in a vector, each lends its weights
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

struct Layer {
  Tensor<f32> weights;
};

REHEARSABLE bool correct(Device d) {
  std::vector<Layer> layers;
  for (int i = 0; i < 3; ++i) layers.push_back(Layer{ones(d)});
  auto x = zeros(d);
  auto y = zeros(d);
  for (const auto& layer : layers) {
    add(y.partition({16}), x.borrow(), layer.weights.borrow()).sync();
    swap(x, y);
  }
  return all_are(x, 3.0f);
}
