// SPDX-License-Identifier: Apache-2.0
// Parts of a tensor that share no element, so that a launch may write one and read another. They are slices: lent, with
// names at will, and while one lives the tensor can be neither given away nor destroyed.
#pragma once

#include "tilewright/runtime/lent.hpp"

namespace tilewright {

// What split_at(axis, index) gives, best taken apart at once:
//   auto [head, tail] = t.split_at(0, 16);
//   add_one(tail.partition({8}), head.borrow()).sync();
// usage_error unless 0 <= index <= the axis' extent.
template <class T>
struct TILEWRIGHT_HOLDS_LOANS SplitSlices {
  TensorSlice<T> first;   // [0, index) of the axis
  TensorSlice<T> second;  // [index, extent)
};

// What chunks(axis, size) gives: `for (auto part : t.chunks(0, 64))`, or two of them in one launch by their numbers.
// usage_error for a size under 1.
template <class T>
class TILEWRIGHT_HOLDS_LOANS TILEWRIGHT_MUST_USE("chunks of a Tensor do nothing by themselves") TensorChunks {
 public:
  class iterator {
   public:
    constexpr TensorSlice<T> operator*() const { return (*chunks_)[at_]; }
    constexpr iterator& operator++() {
      ++at_;
      return *this;
    }
    constexpr bool operator==(const iterator& other) const { return at_ == other.at_; }

   private:
    friend class TensorChunks;
    constexpr iterator(const TensorChunks* chunks, index_t at) : chunks_(chunks), at_(at) {}

    const TensorChunks* chunks_;
    index_t at_;
  };

  TensorChunks(const TensorChunks&) = delete;
  TensorChunks& operator=(const TensorChunks&) = delete;

  constexpr index_t size() const { return count_; }
  // usage_error unless 0 <= number < size().
  constexpr TensorSlice<T> operator[](index_t number) const {
    return {detail::loan(loan_.memory()), detail::chunk_layout(layout_, axis_, size_, number)};
  }
  constexpr iterator begin() const { return {this, 0}; }
  constexpr iterator end() const { return {this, count_}; }

 private:
  friend class TensorSlice<T>;

  constexpr TensorChunks(detail::loan&& lent, const detail::layout& whole, int axis, index_t size)
      : loan_(std::move(lent)),
        layout_(whole),
        axis_(axis),
        size_(size),
        count_(detail::chunk_count(whole, axis, size)) {}

  detail::loan loan_;
  detail::layout layout_;
  int axis_;
  index_t size_, count_;
};

}  // namespace tilewright
