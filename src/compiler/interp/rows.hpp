// SPDX-License-Identifier: Apache-2.0
// Walks a box of elements in row-major order over several arrays at once, each with its own step (in bytes) per axis.
// A step of 0 repeats an element: that is all there is to broadcasting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler::interp {

using steps = std::array<index_t, max_rank>;

inline constexpr int max_arrays = 4;  // a result and three operands

// One row: `count` elements, array i from `at[i]` on with step `step[i]`. Array 0 is written.
struct row {
  std::array<std::byte*, max_arrays> at;
  std::array<index_t, max_arrays> step;
  index_t count;

  template <class T>
  T& element(int array, index_t i) const {
    const auto n = static_cast<std::size_t>(array);
    // SAFETY: an array holds elements of one type, and the loop for it is chosen by that type.
    return *reinterpret_cast<T*>(at[n] + i * step[n]);
  }
};
using row_function = void (*)(const row&);

class box {
 public:
  box(int rank, const index_t* extents);
  // Adds an array of the box; null memory is fine for an empty box.
  box& add(std::byte* memory, const steps& step);
  void for_each_row(row_function run) const;

 private:
  bool continues(int outer) const;
  void join_axes();

  int rank_, arrays_ = 0;
  steps extents_{};
  std::array<std::byte*, max_arrays> memory_{};
  std::array<steps, max_arrays> steps_{};  // by array
};

// A tile's value in memory: dense and row-major.
struct tile {
  const value_type& type;
  std::byte* memory;

  index_t size() const { return type.elements(); }
  index_t extent(int axis) const { return type.extents[static_cast<std::size_t>(axis)]; }
  index_t element_bytes() const { return info(type.element).size_bytes; }
  std::size_t bytes() const { return static_cast<std::size_t>(size() * element_bytes()); }
  template <class T>
  T* as() const {
    // SAFETY: callers ask for the C++ type of `type.element`.
    return reinterpret_cast<T*>(memory);
  }
};

steps extents_of(const value_type& shape);
steps dense_steps(const tile& t);
// Steps that read `t` as the wider `shape`: 0 along its extents of 1, and everywhere when its rank is 0.
steps broadcast_steps(const tile& t, const value_type& shape);
box box_of(const value_type& shape);

// Copies elements as they are.
row_function copy_function(index_t element_bytes);

}  // namespace tilewright::compiler::interp
