// SPDX-License-Identifier: Apache-2.0
// The integers that index arithmetic is made of, with what is known of each: a numeric range for any launch, and
// bounds in terms of other atoms. Answers "is this form never negative" and gives bounds that a launch can evaluate.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/check/linear.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// A bound that a launch can evaluate. `is_weak`: it comes from nothing but the width of a data type.
struct launch_bound {
  linear form;
  bool is_weak = false;
};

class atom_table {
 public:
  enum class kind : std::uint8_t {
    extent,     // of parameter a, axis b
    grid,       // axis a
    scalar,     // parameter a
    block,      // block id on axis a: 0 to grid - 1
    free,       // value a of the program, any integer from x to y
    minimum,    // of x and y
    maximum,    // of x and y
    floor_div,  // x / y rounded down; y is at least 1 wherever it is evaluated
    floor_mod,  // x - y * floor_div(x, y)
    product     // x * y
  };

  // ---- Making forms. Operands must be exact: their value, as a mathematical integer, is the machine's.
  linear extent(std::int32_t parameter, std::int32_t axis, integer_range range);
  linear grid(std::int32_t axis, integer_range range);
  linear scalar(std::int32_t parameter, integer_range range);
  linear block(std::int32_t axis, const linear& grid_size);
  linear free(std::int32_t value, const linear& lower, const linear& upper, bool is_weak);
  linear minimum(const linear& x, const linear& y);
  linear maximum(const linear& x, const linear& y);
  // Nothing when the divisor may be negative.
  std::optional<linear> floor_div(const linear& x, const linear& y);
  std::optional<linear> floor_mod(const linear& x, const linear& y);
  std::optional<linear> multiply(const linear& x, const linear& y);

  // ---- Questions
  integer_range range(const linear& form) const;
  bool is_never_negative(const linear& form) { return proves(form, 0); }
  launch_bound lowest(const linear& form);
  launch_bound highest(const linear& form);
  // Postfix terms for a form whose atoms are all known at launch.
  launch_expression expression(const linear& form) const;

 private:
  struct atom {
    kind what;
    std::int32_t a = 0, b = 0;
    linear x, y;
    integer_range range;
    bool is_known_at_launch = false, is_weak = false;
  };

  std::int32_t intern(const atom& wanted);
  bool proves(const linear& form, int depth);
  bool proves_with(const linear& rest, std::int64_t factor, const linear& replacement, int depth);
  launch_bound step_to_launch(std::int32_t atom, bool is_upper);
  launch_bound bound_of(std::int32_t atom, bool is_upper);
  launch_bound quotient_bound(const linear& x, const linear& y, bool is_upper);
  launch_bound product_bound(const linear& x, const linear& y, bool is_upper);
  launch_bound numeric_bound(const linear& form, bool is_upper) const;
  bool is_known_at_launch(const linear& form) const;
  void emit(const linear& form, std::vector<launch_expression::term>& terms) const;
  void emit(const atom& source, std::vector<launch_expression::term>& terms) const;
  const atom& at(std::int32_t position) const { return atoms_[static_cast<std::size_t>(position)]; }

  std::vector<atom> atoms_;  // operands and bounds of an atom name earlier atoms only
};

inline constexpr integer_range range_of_64_bits{INT64_MIN, INT64_MAX};

}  // namespace tilewright::compiler
