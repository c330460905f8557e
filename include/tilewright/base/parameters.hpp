// SPDX-License-Identifier: Apache-2.0
// The kinds of kernel parameters as plain types. lang captures over them and runtime checks host arguments against
// them; neither includes the other.
#pragma once

#include <cstdint>

#include "tilewright/base/dim.hpp"

namespace tilewright {

enum class parameter_kind : std::uint8_t { in, out, in_out, scalar };

constexpr const char* parameter_kind_name(parameter_kind kind) {
  constexpr const char* names[] = {"In", "Out", "InOut", "Scalar"};
  return names[static_cast<int>(kind)];
}

// In: extents of the whole tensor (dyn, a number, or a Dim). Out, InOut: extents of this block's piece.
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
