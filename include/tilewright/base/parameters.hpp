// SPDX-License-Identifier: Apache-2.0
// The kinds of kernel parameters as plain types. lang captures over them and runtime checks host arguments against
// them; neither includes the other.
#pragma once

#include <cstdint>

#include "tilewright/base/dim.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright {

enum class parameter_kind : std::uint8_t { in, out, in_out, accum, scatter, unique, scalar };

constexpr const char* parameter_kind_name(parameter_kind kind) {
  constexpr const char* names[] = {"In", "Out", "InOut", "Accum", "Scatter", "Unique", "Scalar"};
  return names[static_cast<int>(kind)];
}

// Its pieces are part of the grid, and the launch is the only user of its tensor.
constexpr bool is_output(parameter_kind kind) {
  return kind == parameter_kind::out || kind == parameter_kind::in_out || kind == parameter_kind::accum ||
         kind == parameter_kind::scatter;
}

// A whole tensor that is only read.
constexpr bool is_input(parameter_kind kind) { return kind == parameter_kind::in || kind == parameter_kind::unique; }

// How the blocks that share a piece of an Accum put their tiles together. All are associative and commutative, but the
// sum of floats only up to rounding: it depends on the order of the blocks.
enum class combiner : std::uint8_t { sum, min, max, bit_and, bit_or, bit_xor };
inline constexpr int combiner_count = 6;

constexpr const char* combiner_name(combiner by) {
  constexpr const char* names[] = {"sum", "min", "max", "bit_and", "bit_or", "bit_xor"};
  return names[static_cast<int>(by)];
}

// What memory combines in one step on every device: 32 and 64 bits.
constexpr bool can_combine(combiner by, dtype element) {
  if (element == dtype::f32 || element == dtype::f64) return by <= combiner::max;
  return element == dtype::i32 || element == dtype::i64 || element == dtype::u32 || element == dtype::u64;
}

// What unique indices are made of.
constexpr bool may_be_unique(dtype element) { return element == dtype::i32 || element == dtype::i64; }

// Of a number that a caller may leave out.
inline constexpr index_t not_stated = INT64_MIN;

// In the extents of a piece: all of that axis, which the kernel stores tile by tile: t.partition({64, whole_axis}).
inline constexpr index_t whole_axis = INT64_MAX;

// An axis of the grid counts the blocks that share a piece, so that an Accum has one axis fewer than a grid.
inline constexpr int most_accum_axes = max_rank - 1;

// In, Unique: extents of the whole tensor (dyn, a number, or a Dim). Out, InOut, Accum, Scatter: extents of this
// block's piece (dyn: the whole axis).
template <parameter_kind Kind, class T, Dim... Extents>
struct parameter {
  static constexpr parameter_kind kind = Kind;
  using element = T;
  static constexpr int rank = sizeof...(Extents);
};

template <class... Parameters>
struct parameter_list {
  static constexpr int size = sizeof...(Parameters);
};

// A host argument that lends something for one full expression; a launch with one must not outlive that expression.
template <class T>
concept Loan = requires {
  typename T::loan_for_one_expression;
};

}  // namespace tilewright
