// SPDX-License-Identifier: Apache-2.0
// Attention of new rows over a layer's cache.
#pragma once

#include "grout/model.hpp"

namespace grout {

// z, q (rows, heads * head size): the last rows of `count` positions, each seeing those up to its own. `parts` is
// scratch.
void attend(tilewright::Tensor<float>& z, const tilewright::Tensor<float>& q, const KvCache::Layer& cache,
            index_t count, const ModelConfig& config, AttentionParts& parts);

}  // namespace grout
