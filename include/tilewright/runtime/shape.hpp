// SPDX-License-Identifier: Apache-2.0
// The extents of a tensor or of a piece of it: a small value, up to six axes.
#pragma once

#include <concepts>
#include <span>
#include <string>

#include "tilewright/base/config.hpp"
#include "tilewright/base/parameters.hpp"

namespace tilewright {

class Shape {
 public:
  constexpr Shape() = default;
  // Shape{4096, 4096}; implicit, so that z.partition({128}) reads well. Not an initializer_list: g++ 12 refuses one
  // inside co_await.
  template <std::integral... Extents>
  requires(sizeof...(Extents) > 0 && sizeof...(Extents) <= max_rank) constexpr Shape(Extents... extents)
      : extents_{static_cast<index_t>(extents)...}, rank_(sizeof...(Extents)) {}
  // Throws usage_error for more than six extents.
  TILEWRIGHT_API explicit Shape(std::span<const index_t> extents);

  constexpr int rank() const { return rank_; }
  // Throws usage_error for an axis that the shape lacks.
  constexpr index_t operator[](int axis) const { return extents_[checked(axis)]; }
  constexpr index_t& operator[](int axis) { return extents_[checked(axis)]; }
  constexpr const index_t* data() const { return extents_; }  // rank() extents

  // Their product; INT64_MAX when it is greater than that.
  constexpr index_t elements() const {
    index_t count = 1;
    bool overflows = false;
    for (int axis = 0; axis < rank_; ++axis) {
      if (extents_[axis] == 0) return 0;
      overflows |= __builtin_mul_overflow(count, extents_[axis], &count);
    }
    return overflows ? INT64_MAX : count;
  }

  constexpr bool operator==(const Shape& other) const {
    if (rank_ != other.rank_) return false;
    for (int axis = 0; axis < rank_; ++axis) {
      if (extents_[axis] != other.extents_[axis]) return false;
    }
    return true;
  }

 private:
  constexpr int checked(int axis) const {
    if (axis < 0 || axis >= rank_) refuse_axis(axis, rank_);
    return axis;
  }
  [[noreturn]] TILEWRIGHT_API static void refuse_axis(int axis, int rank);

  index_t extents_[max_rank] = {};
  int rank_ = 0;
};

TILEWRIGHT_API std::string to_text(const Shape& shape);  // "[4096, 128]"

// How many blocks share each piece of a partition, for an Accum parameter: bins.partition({64}, shared_by(8)). They
// differ in their ids on the axes behind the tensor's. Left out, the other outputs decide; without any, it is one.
struct Sharing {
  index_t blocks = not_stated;
};
constexpr Sharing shared_by(index_t blocks) { return {blocks}; }

}  // namespace tilewright
