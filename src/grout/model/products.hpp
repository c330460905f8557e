// SPDX-License-Identifier: Apache-2.0
// Products with the model's weights. A few rows of activations go through row kernels, which normalise on the way; many
// go through tile kernels, which feed a matrix product.
#pragma once

#include <cstdint>

#include "grout/model.hpp"

namespace grout {

// z = rms_norm(x) * weights. `normalized` is scratch of x's shape.
void multiply_normalized(tilewright::Tensor<float>& z, const tilewright::Tensor<float>& x,
                         const tilewright::Shared<float>& norm, float epsilon, const Matrix& weights,
                         tilewright::Tensor<float>& normalized);

// z = silu(y * gate) * (y * up), y = rms_norm(x)
void multiply_gated(tilewright::Tensor<float>& z, const tilewright::Tensor<float>& x,
                    const tilewright::Shared<float>& norm, float epsilon, const LayerWeights& weights,
                    tilewright::Tensor<float>& normalized);

// z = residual + x * weights
void multiply_add(tilewright::Tensor<float>& z, const tilewright::Tensor<float>& residual,
                  const tilewright::Tensor<float>& x, const Matrix& weights);

// z (1, vocabulary) = rms_norm(row `row` of x) * head
void multiply_head(tilewright::Tensor<float>& z, const tilewright::Tensor<float>& x, index_t row,
                   const tilewright::Shared<float>& norm, float epsilon, const Matrix& head);

// Row t of z (tokens, width) = row ids[t] of the embedding.
void look_up(tilewright::Tensor<float>& z, const Matrix& embedding, const tilewright::Tensor<std::int64_t>& ids);

}  // namespace grout
