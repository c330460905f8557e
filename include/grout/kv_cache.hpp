// SPDX-License-Identifier: Apache-2.0
// Keys and values of one sequence: for each layer a contiguous tensor of rows, one row a position.
#pragma once

#include <vector>

#include "grout/config.hpp"
#include "tilewright/base/config.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace grout {

// T is the element that the model's products take: float where weights are quantised, else bf16.
template <class T>
class KvCache {
 public:
  // (rows, key heads * head size): at least the capacity, in whole tiles. Rows not yet in use are finite numbers.
  struct Layer {
    tilewright::Tensor<T> keys;  // turned by their position
    tilewright::Tensor<T> values;
  };

  // usage_error unless 1 <= capacity <= the model's context.
  KvCache(const ModelConfig& config, index_t capacity, const tilewright::Device& device);

  index_t capacity() const noexcept { return capacity_; }
  index_t rows() const noexcept { return rows_; }
  index_t length() const noexcept { return length_; }  // positions that hold keys and values of every layer
  Layer& layer(index_t index) { return layers_.at(static_cast<std::size_t>(index)); }

  // usage_error if `count` more positions do not fit. Nothing is ever shifted out.
  void require_room(index_t count) const;
  // Rows length to length + count were written in every layer.
  void advance(index_t count);
  void clear() noexcept { length_ = 0; }

 private:
  index_t capacity_;
  index_t rows_;
  index_t length_ = 0;
  std::vector<Layer> layers_;
};

extern template class TILEWRIGHT_API KvCache<float>;
extern template class TILEWRIGHT_API KvCache<tilewright::bf16>;

}  // namespace grout
