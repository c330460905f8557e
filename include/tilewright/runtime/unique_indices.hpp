// SPDX-License-Identifier: Apache-2.0
// UniqueIndices: indices that were checked once to differ from each other, for a kernel's Unique parameter.
#pragma once

#include "tilewright/base/parameters.hpp"
#include "tilewright/runtime/shared.hpp"

namespace tilewright {

// Any thread; a copy is one more reader of the same indices. It holds the values that were checked in memory of its
// own, which nobody else can write: no graph and no other library that knows the memory of the indices that were given.
template <Element T>
class TILEWRIGHT_OWNER TILEWRIGHT_MUST_USE("UniqueIndices keep memory alive") UniqueIndices {
  static_assert(may_be_unique(dtype_of<T>), "unique indices are a tensor of i32 or i64");

 public:
  using element = T;

  constexpr Shape shape() const { return indices_.shape(); }
  constexpr Device device() const { return indices_.device(); }
  // Each index is at least 0 and under it.
  constexpr index_t bound() const { return bound_; }
  // As one more reader, for an In parameter.
  constexpr Shared<T> indices() const { return indices_; }

 private:
  friend struct detail::access;
  template <Element U>
  friend constexpr UniqueIndices<U> unique_indices(Shared<U> indices, index_t rows);

  constexpr UniqueIndices(Shared<T>&& indices, index_t bound) : indices_(std::move(indices)), bound_(bound) {}
  constexpr detail::ownership* checked() const { return detail::access::owned(indices_); }
  constexpr detail::layout seen() const { return detail::access::seen(indices_); }

  Shared<T> indices_;
  index_t bound_;
};

namespace detail {

// Throws usage_error, which names what is wrong first: the rank, an index outside of 0 to rows - 1, or one that stands
// twice, with both positions. False where the device keeps no values: there is nothing to check, and no kernel runs.
TILEWRIGHT_API bool require_unique(const Device& device, const Shape& shape, const std::vector<index_t>& indices,
                                   index_t rows);

}  // namespace detail

// The check: reads the indices, [n], on the host once, when they are computed, and copies them back. Each names one of
// `rows` rows, and no two the same.
template <Element T>
constexpr UniqueIndices<T> unique_indices(Shared<T> indices, index_t rows) {
  const std::vector<T> values = indices.to_host();
  if (!detail::in_rehearsal()) {
    const Device device = indices.device();
    const bool has_values = detail::require_unique(device, indices.shape(), {values.begin(), values.end()}, rows);
    if (has_values) indices = device.from_host(values, indices.shape()).share();
  }
  return UniqueIndices<T>(std::move(indices), rows);
}

}  // namespace tilewright
