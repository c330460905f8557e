// SPDX-License-Identifier: Apache-2.0
#include "grout/kv_cache.hpp"

#include <string>

#include "tilewright/base/error.hpp"

namespace grout {
namespace {

// Images are compiled for extents that are whole tiles or are not, so that caches of any capacity share theirs.
constexpr index_t row_unit = 256;

}  // namespace

template <class T>
KvCache<T>::KvCache(const ModelConfig& config, index_t capacity, const tilewright::Device& device)
    : capacity_(capacity), rows_((capacity + row_unit - 1) / row_unit * row_unit) {
  if (capacity < 1 || capacity > config.context) {
    throw tilewright::usage_error({.what = "context_length_exceeded: a cache of this capacity does not fit the model",
                                   .where = "KvCache",
                                   .expected = "1 to " + std::to_string(config.context) + " positions",
                                   .got = std::to_string(capacity),
                                   .fix = "ask for fewer positions"});
  }
  const tilewright::Shape shape{rows_, config.key_columns()};
  for (index_t index = 0; index < config.layers; ++index) {
    layers_.push_back({device.zeros<T>(shape), device.zeros<T>(shape)});
  }
}

template <class T>
void KvCache<T>::require_room(index_t count) const {
  if (count >= 0 && count <= capacity_ - length_) return;
  throw tilewright::usage_error({.what = "context_length_exceeded: the cache is full",
                                 .where = "KvCache, " + std::to_string(length_) + " positions in use",
                                 .expected = "at most " + std::to_string(capacity_ - length_) + " more",
                                 .got = std::to_string(count),
                                 .fix = "shorten the prompt, generate fewer tokens or make a larger cache"});
}

template <class T>
void KvCache<T>::advance(index_t count) {
  require_room(count);
  length_ += count;
}

template class KvCache<float>;
template class KvCache<tilewright::bf16>;

}  // namespace grout
