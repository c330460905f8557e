// SPDX-License-Identifier: Apache-2.0
// Attention of new rows over a layer's cache.
#pragma once

#include "grout/kv_cache.hpp"
#include "grout/model/activations.hpp"

namespace grout {

template <class T>
AttentionParts make_parts(const ModelConfig& config, const KvCache<T>& cache, const tilewright::Device& device);

// z, q (rows, heads * head size): the last rows of `count` positions, each seeing those up to its own. `parts` is
// scratch. z holds the result after finish_attention(), which is the same for every count.
void attend(tilewright::Tensor<float>& z, const tilewright::Tensor<float>& q, const KvCache<float>::Layer& cache,
            index_t count, const ModelConfig& config, AttentionParts& parts);
void attend(tilewright::Tensor<tilewright::bf16>& z, const tilewright::Tensor<tilewright::bf16>& q,
            const KvCache<tilewright::bf16>::Layer& cache, index_t count, const ModelConfig& config,
            AttentionParts& parts);

void finish_attention(tilewright::Tensor<float>& z, const ModelConfig& config, AttentionParts& parts);
void finish_attention(tilewright::Tensor<tilewright::bf16>& z, const ModelConfig& config, AttentionParts& parts);

// Whether one row takes launches of the same kernels for either count of positions.
bool attends_alike(const tilewright::Tensor<float>& q, index_t count, index_t other);
bool attends_alike(const tilewright::Tensor<tilewright::bf16>& q, index_t count, index_t other);

}  // namespace grout
