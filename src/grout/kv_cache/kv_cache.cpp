// SPDX-License-Identifier: Apache-2.0
#include "grout/kv_cache.hpp"

#include <string>

#include "tilewright/base/error.hpp"

namespace grout {

KvCache::KvCache(const ModelConfig& config, index_t capacity, const tilewright::Device& device) : capacity_(capacity) {
  if (capacity < 1 || capacity > config.context) {
    throw tilewright::usage_error({.what = "context_length_exceeded: a cache of this capacity does not fit the model",
                                   .where = "KvCache",
                                   .expected = "1 to " + std::to_string(config.context) + " positions",
                                   .got = std::to_string(capacity),
                                   .fix = "ask for fewer positions"});
  }
  const tilewright::Shape shape{capacity, config.key_columns()};
  for (index_t index = 0; index < config.layers; ++index) {
    layers_.push_back({device.empty<float>(shape), device.empty<float>(shape)});
  }
}

void KvCache::require_room(index_t count) const {
  if (count >= 0 && count <= capacity_ - length_) return;
  throw tilewright::usage_error({.what = "context_length_exceeded: the cache is full",
                                 .where = "KvCache, " + std::to_string(length_) + " positions in use",
                                 .expected = "at most " + std::to_string(capacity_ - length_) + " more",
                                 .got = std::to_string(count),
                                 .fix = "shorten the prompt, generate fewer tokens or make a larger cache"});
}

void KvCache::advance(index_t count) {
  require_room(count);
  length_ += count;
}

}  // namespace grout
