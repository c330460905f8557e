// SPDX-License-Identifier: Apache-2.0
// The steps of a pass that meet the model's matrices, for both kinds of weights: products.cpp has the quantised ones,
// dense_products.cpp those in 16 bits. What each does is the same; rows of T go between them.
#pragma once

#include <cstdint>

#include "grout/model/activations.hpp"

namespace grout {

// A norm's weights, and what is added to the mean square.
struct Norm {
  const tilewright::Shared<float>& weights;
  float epsilon;
};

// Row t of z = row ids[t] of the embedding. `next` is the norm that comes next: here and below, whoever writes a stream
// may prepare it.
void look_up(Stream<float>& z, const Matrix& embedding, const tilewright::Tensor<std::int64_t>& ids, const Norm& next);
void look_up(Stream<tilewright::bf16>& z, const Matrix& embedding, const tilewright::Tensor<std::int64_t>& ids,
             const Norm& next);

// z = rms_norm(x) * weights, of row `first` of x and those behind it
void multiply_normalized(tilewright::Tensor<float>& z, Stream<float>& x, index_t first, const Norm& norm,
                         const Matrix& weights);
void multiply_normalized(tilewright::Tensor<float>& z, Stream<tilewright::bf16>& x, index_t first, const Norm& norm,
                         const Matrix& weights);

// z = silu(y * gate) * (y * up), y = rms_norm(x)
void multiply_gated(tilewright::Tensor<float>& z, Stream<float>& x, const Norm& norm, const LayerWeights& weights);
void multiply_gated(tilewright::Tensor<tilewright::bf16>& z, Stream<tilewright::bf16>& x, const Norm& norm,
                    const LayerWeights& weights);

// z = residual + x * weights
void multiply_add(Stream<float>& z, const Stream<float>& residual, const tilewright::Tensor<float>& x,
                  const Matrix& weights, const Norm& next);
void multiply_add(Stream<tilewright::bf16>& z, const Stream<tilewright::bf16>& residual,
                  const tilewright::Tensor<tilewright::bf16>& x, const Matrix& weights, const Norm& next);

}  // namespace grout
