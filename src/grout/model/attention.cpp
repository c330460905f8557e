// SPDX-License-Identifier: Apache-2.0
// Many rows go through matrix products. One row walks over its keys; a long walk is cut into parts, which all threads
// share and in which the heads of a group meet their keys while these are still in the cache of the processor.
#include "grout/model/attention.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "tilewright/kernels/attention.hpp"

namespace grout {
namespace {

using tilewright::dim;
using tilewright::Tensor;
namespace kernels = tilewright::kernels;

constexpr index_t keys_of_a_step = 64;
constexpr index_t steps_of_a_part = 4;
constexpr index_t keys_of_a_part = keys_of_a_step * steps_of_a_part;
constexpr index_t most_keys_at_once = 512;
constexpr std::int32_t first_key = 0;

float scale_of(const ModelConfig& config) { return 1.0F / std::sqrt(static_cast<float>(config.head_size)); }

index_t parts_of(index_t keys) { return (keys + keys_of_a_part - 1) / keys_of_a_part; }

template <class Kernel>
Kernel with_keys(const Kernel& kernel, const ModelConfig& config) {
  return kernel.with(dim<kernels::HEADS>(config.query_heads_per_key_head()), dim<kernels::BN>(keys_of_a_step));
}

void attend_in_parts(Tensor<float>& z, const Tensor<float>& q, const KvCache::Layer& cache, index_t count,
                     const ModelConfig& config, AttentionParts& parts) {
  const index_t used = parts_of(count);
  with_keys(kernels::attention_split<float>(), config)
      .with(dim<kernels::STEPS>(steps_of_a_part))(parts.values.slice(0, 0, used).partition({1, config.head_size}),
                                                  parts.log_sums.slice(0, 0, used).partition({1, 1}), q.borrow(),
                                                  cache.keys.slice(0, 0, count).borrow(),
                                                  cache.values.slice(0, 0, count).borrow(), scale_of(config), first_key)
      .sync();
  kernels::attention_merge<float>()
      .with(dim<kernels::PARTS>(parts.most))(z.partition({1, config.head_size}),
                                             parts.values.slice(0, 0, used).borrow(),
                                             parts.log_sums.slice(0, 0, used).borrow())
      .sync();
}

}  // namespace

AttentionParts::AttentionParts(const ModelConfig& config, index_t capacity, const tilewright::Device& device)
    : most(static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(parts_of(capacity))))),
      values(device.empty<float>({most, config.query_columns()})),
      log_sums(device.empty<float>({most, config.heads})) {}

void attend(Tensor<float>& z, const Tensor<float>& q, const KvCache::Layer& cache, index_t count,
            const ModelConfig& config, AttentionParts& parts) {
  const index_t rows = q.shape()[0];
  if (rows > 1) {
    const index_t queries = rows % 32 == 0 ? 32 : 16;
    with_keys(kernels::attention<float>(), config)(
        z.partition({queries, config.head_size}), q.borrow(), cache.keys.slice(0, 0, count).borrow(),
        cache.values.slice(0, 0, count).borrow(), scale_of(config), first_key)
        .sync();
  } else if (count > most_keys_at_once) {
    attend_in_parts(z, q, cache, count, config, parts);
  } else {
    with_keys(kernels::attention_decode<float>(), config)(
        z.partition({1, config.head_size}), q.borrow(), cache.keys.slice(0, 0, count).borrow(),
        cache.values.slice(0, 0, count).borrow(), scale_of(config), first_key)
        .sync();
  }
}

}  // namespace grout
