// SPDX-License-Identifier: Apache-2.0
// Many rows go through matrix products. One row walks over its keys; a long walk is cut into parts, which all threads
// share and in which the heads of a group meet their keys while these are still in the cache of the processor.
#include "grout/model/attention.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tilewright/kernels/attention_group.hpp"

namespace grout {
namespace {

using tilewright::bf16;
using tilewright::dim;
using tilewright::Tensor;
namespace kernels = tilewright::kernels;

constexpr index_t keys_of_a_step = 64;
constexpr index_t steps_of_a_part = 4;
constexpr index_t most_keys_at_once = 512;
constexpr std::int32_t first_key = 0;

// Of dense models, whose one row always goes in parts: the whole cache is cut into this many at most.
constexpr index_t keys_of_a_dense_step = 128;
constexpr index_t most_dense_parts = 64;

float scale_of(const ModelConfig& config) { return 1.0F / std::sqrt(static_cast<float>(config.head_size)); }

index_t quotient_up(index_t value, index_t unit) { return (value + unit - 1) / unit; }
index_t power_of_two(index_t value) { return static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(value))); }

template <class Kernel>
Kernel with_keys(const Kernel& kernel, const ModelConfig& config) {
  return kernel.with(dim<kernels::HEADS>(config.query_heads_per_key_head()), dim<kernels::BN>(keys_of_a_step),
                     tilewright::programmatic);
}

template <class T>
void attend_rows(Tensor<T>& z, const Tensor<T>& q, const typename KvCache<T>::Layer& cache, index_t count,
                 const ModelConfig& config) {
  const index_t queries = q.shape()[0] % 32 == 0 ? 32 : 16;
  with_keys(kernels::attention<T>(), config)(z.partition({queries, config.head_size}), q.borrow(),
                                             cache.keys.slice(0, 0, count).borrow(),
                                             cache.values.slice(0, 0, count).borrow(), scale_of(config), first_key)
      .sync();
}

template <class T>
void merge(Tensor<T>& z, const AttentionParts& parts, index_t used, const ModelConfig& config) {
  kernels::attention_merge<T>()
      .with(dim<kernels::PARTS>(power_of_two(parts.most)), tilewright::programmatic)(
          z.partition({1, config.head_size}), parts.values.slice(0, 0, used).borrow(),
          parts.log_sums.slice(0, 0, used).borrow())
      .sync();
}

void attend_in_parts(Tensor<float>& z, const Tensor<float>& q, const KvCache<float>::Layer& cache, index_t count,
                     const ModelConfig& config, AttentionParts& parts) {
  const index_t used = quotient_up(count, keys_of_a_step * steps_of_a_part);
  with_keys(kernels::attention_split<float>(), config)
      .with(dim<kernels::STEPS>(parts.steps))(parts.values.slice(0, 0, used).partition({1, config.head_size}),
                                              parts.log_sums.slice(0, 0, used).partition({1, 1}), q.borrow(),
                                              cache.keys.slice(0, 0, count).borrow(),
                                              cache.values.slice(0, 0, count).borrow(), scale_of(config), first_key)
      .sync();
  merge(z, parts, used, config);
}

}  // namespace

AttentionParts::AttentionParts(const ModelConfig& config, index_t most_parts, index_t steps_of_one,
                               const tilewright::Device& device)
    : most(most_parts),
      steps(steps_of_one),
      values(device.empty<float>({most, config.query_columns()})),
      log_sums(device.empty<float>({most, config.heads})) {}

template <>
AttentionParts make_parts(const ModelConfig& config, const KvCache<float>& cache, const tilewright::Device& device) {
  const index_t parts = quotient_up(cache.capacity(), keys_of_a_step * steps_of_a_part);
  return {config, parts, steps_of_a_part, device};
}

template <>
AttentionParts make_parts(const ModelConfig& config, const KvCache<bf16>& cache, const tilewright::Device& device) {
  const index_t tiles = quotient_up(cache.capacity(), keys_of_a_dense_step);
  const index_t steps = quotient_up(tiles, most_dense_parts);
  return {config, quotient_up(tiles, steps), steps, device};
}

void attend(Tensor<float>& z, const Tensor<float>& q, const KvCache<float>::Layer& cache, index_t count,
            const ModelConfig& config, AttentionParts& parts) {
  if (q.shape()[0] > 1) return attend_rows(z, q, cache, count, config);
  if (count > most_keys_at_once) return attend_in_parts(z, q, cache, count, config, parts);
  with_keys(kernels::attention_decode<float>(), config)(
      z.partition({1, config.head_size}), q.borrow(), cache.keys.slice(0, 0, count).borrow(),
      cache.values.slice(0, 0, count).borrow(), scale_of(config), first_key)
      .sync();
}

// One row sees the whole cache with a count beside it, so that nothing but that changes from token to token.
void attend(Tensor<bf16>& z, const Tensor<bf16>& q, const KvCache<bf16>::Layer& cache, index_t count,
            const ModelConfig& config, AttentionParts& parts) {
  if (q.shape()[0] > 1) return attend_rows(z, q, cache, count, config);
  constexpr index_t least_group_of_a_gpu = 8;
  const index_t heads = config.query_heads_per_key_head();
  const bool is_gpu = tilewright::compiler::is_gpu(q.device().target());
  const index_t group = is_gpu ? std::max(least_group_of_a_gpu, power_of_two(heads)) : heads;
  kernels::attention_group<bf16>()
      .with(dim<kernels::GROUP>(group), dim<kernels::BN>(keys_of_a_dense_step), dim<kernels::STEPS>(parts.steps),
            tilewright::programmatic)(
          parts.values.reshape({parts.most, config.key_heads, heads, config.head_size})
              .partition({1, 1, group, config.head_size}),
          parts.log_sums.reshape({parts.most, config.key_heads, heads, 1}).partition({1, 1, group, 1}),
          q.reshape({config.key_heads, heads, config.head_size}).borrow(), cache.keys.borrow(), cache.values.borrow(),
          scale_of(config), static_cast<std::int32_t>(count))
      .sync();
}

void finish_attention(Tensor<float>&, const ModelConfig&, AttentionParts&) {}
void finish_attention(Tensor<bf16>& z, const ModelConfig& config, AttentionParts& parts) {
  if (z.shape()[0] == 1) merge(z, parts, parts.most, config);
}

bool attends_alike(const Tensor<float>&, index_t count, index_t other) {
  return (count > most_keys_at_once) == (other > most_keys_at_once);
}
bool attends_alike(const Tensor<bf16>&, index_t, index_t) { return true; }

}  // namespace grout
