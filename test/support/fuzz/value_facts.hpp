// SPDX-License-Identifier: Apache-2.0
// What two correct back ends may disagree about: followed from value to value, so that a random program is compared as
// strictly as its ops allow, and no more strictly. The generator asks while it makes a program, the shrinker when it
// has changed one.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::test {

struct value_facts {
  // Two back ends differ by so many units of the last place at most; 0: they give the same bits.
  double ulp = 0;
  // Whole numbers, none greater in size, of floats no -0; infinity: any numbers. Sums of such floats are exact in any
  // order.
  double greatest = std::numeric_limits<double>::infinity();
  bool may_be_nan = false;  // whose bits are nobody's business, so they must not be looked at
  bool operator==(const value_facts&) const = default;
};

value_facts either(const value_facts& a, const value_facts& b);
value_facts any_number(dtype element);

// Of the result of an op without blocks. Nothing where correct back ends may give results that cannot be compared: a
// sum of floats that rounds, an inexact number that is more than moved, the bits of a NaN.
struct known_operand {
  compiler::value_type type;
  value_facts facts;
};
std::optional<value_facts> result_facts(ast::op which, const compiler::value_type& result,
                                        std::span<const known_operand> operands,
                                        std::span<const std::int64_t> attributes);

// By parameter: units of the last place that its elements may differ by after a launch. Nothing for a program that
// cannot be compared.
std::optional<std::vector<double>> comparison_of(const compiler::program& source);

}  // namespace tilewright::test
