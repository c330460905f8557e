// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/value_facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "support/element_bits.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ast::op_category;
using compiler::value_type;
using operands = std::span<const known_operand>;
using fact = std::optional<value_facts>;

constexpr double unbounded = std::numeric_limits<double>::infinity();

// Whole numbers up to here are numbers of the element.
double whole_range(dtype element) {
  constexpr double powers_of_two = 128;  // are all that an f8e8m0 has
  return element == dtype::f8e8m0 ? powers_of_two : std::ldexp(1.0, info(element).mantissa_bits);
}
// Sums of f16 and bf16 are taken in f32.
double sum_range(dtype element) { return whole_range(element == dtype::f64 ? dtype::f64 : dtype::f32); }

value_facts whole_numbers(double greatest, dtype element) {
  return {.greatest = greatest <= whole_range(element) ? greatest : unbounded};
}

bool is_exact(operands given) {
  return std::all_of(given.begin(), given.end(), [](const known_operand& each) { return each.facts.ulp == 0; });
}

// Of integers.
double greatest_of(dtype element) {
  const int bits = info(element).bits - (is_signed(element) ? 1 : 0);
  return bits == 1 ? 1 : std::ldexp(1.0, bits);
}

value_facts rounded_facts(double greatest, dtype to) {
  constexpr double most = 6;
  if (to == dtype::f8e8m0) return {};  // 0 becomes a fraction
  if (to == dtype::f4e2m1) return {.greatest = std::isfinite(greatest) ? std::min(greatest, most) : unbounded};
  return whole_numbers(greatest, to);
}

fact cast_facts(const value_type& from, const value_facts& known, dtype to) {
  if (known.ulp != 0) return {};
  if (is_floating(from.element)) {
    if (!is_floating(to)) return value_facts{};
    value_facts made = rounded_facts(known.greatest, to);
    made.may_be_nan = to == dtype::f8e8m0 || (known.may_be_nan && to != dtype::f4e2m1);
    return made;
  }
  const double greatest = std::min(known.greatest, greatest_of(from.element));
  if (is_floating(to)) return rounded_facts(greatest, to);
  const bool keeps_sign = is_signed(to) || !is_signed(from.element);
  return keeps_sign && greatest < greatest_of(to) ? value_facts{.greatest = greatest} : value_facts{};
}

// Sums and products of floats in any order give the same bits when no partial result rounds.
fact combined_facts(op which, const value_type& result, const known_operand& given, std::int64_t axis) {
  if (!is_floating(given.type.element)) return value_facts{};
  const value_facts& known = given.facts;
  const auto count = static_cast<double>(given.type.extents[static_cast<std::size_t>(axis)]);
  switch (which) {
    case op::reduce_max:
    case op::reduce_min:
    case op::scan_max:
    case op::scan_min:
      return known;
    case op::reduce_product:
    case op::scan_product:
      if (known.greatest > 1 || known.ulp != 0 || known.may_be_nan) return {};
      return value_facts{};  // -1 * 0 is -0
    default:
      break;
  }
  const double greatest = known.greatest * count;
  if (known.ulp != 0 || known.may_be_nan || greatest > sum_range(given.type.element)) return {};
  return whole_numbers(greatest, result.element);
}

fact product_facts(const value_type& result, operands given) {
  if (!is_floating(result.element)) return value_facts{};
  for (const known_operand& each : given) {
    if (each.facts.ulp != 0 || each.facts.may_be_nan) return {};
  }
  constexpr double most = 256;  // numbers of every element that a GPU multiplies in, tf32 included
  const double a = given[0].facts.greatest, b = given[1].facts.greatest, start = given[2].facts.greatest;
  if (a > most || b > most) return {};
  const double depth = given[0].type.extents[static_cast<std::size_t>(given[0].type.rank) - 1];
  const double greatest = a * b * depth + start;
  // What tensor cores keep of fp8 behind the greatest product.
  constexpr double kept = 1024;
  if (is_fp8(given[0].type.element) && greatest > kept) return {};
  return greatest <= whole_range(result.element) ? fact(whole_numbers(greatest, result.element)) : fact();
}

fact scaled_product_facts(const value_type& result, operands given) {
  for (const known_operand& each : given) {
    if (each.facts.ulp != 0 || each.facts.may_be_nan) return {};
  }
  constexpr double most = 256;  // a factor times its scale is a bf16
  const double a = given[0].facts.greatest * given[3].facts.greatest;
  const double b = given[1].facts.greatest * given[4].facts.greatest;
  if (!(a <= most && b <= most)) return {};
  const double greatest = a * b * given[0].type.extents[1] + given[2].facts.greatest;
  return greatest <= whole_range(result.element) ? fact(whole_numbers(greatest, result.element)) : fact();
}

fact element_wise_facts(op which, const value_type& result, operands given) {
  switch (which) {
    case op::negate: {
      value_facts made = given[0].facts;
      made.greatest = unbounded;  // a zero becomes -0
      return made;
    }
    case op::absolute:
      return given[0].facts;
    case op::minimum:
    case op::maximum:
      return either(given[0].facts, given[1].facts);
    default:
      break;
  }
  if (!is_exact(given)) return {};
  if (!is_floating(result.element)) return value_facts{};
  if (which == op::floor || which == op::ceil) return given[0].facts;
  value_facts made = any_number(result.element);
  // Each of the two may be off by the op's bound.
  if (ast::info(which).ulp > 0.5) made.ulp = 2 * bound_in(result.element, ast::info(which).ulp);
  return made;
}

fact constant_facts(const value_type& result, std::int64_t word) {
  if (!is_floating(result.element)) return value_facts{};
  const double number = std::bit_cast<double>(word);
  const bool is_whole = std::isfinite(number) && std::trunc(number) == number && (number != 0 || !std::signbit(number));
  value_facts made = whole_numbers(is_whole ? std::fabs(number) : unbounded, result.element);
  made.may_be_nan = std::isnan(number);
  return made;
}

}  // namespace

value_facts either(const value_facts& a, const value_facts& b) {
  return {std::max(a.ulp, b.ulp), std::max(a.greatest, b.greatest), a.may_be_nan || b.may_be_nan};
}

value_facts any_number(dtype element) { return {.may_be_nan = is_floating(element)}; }

fact result_facts(op which, const value_type& result, operands given, std::span<const std::int64_t> attributes) {
  switch (which) {
    case op::constant:
      return constant_facts(result, attributes[0]);
    case op::table: {
      value_facts all = *constant_facts(result, attributes[0]);
      for (const std::int64_t word : attributes) all = either(all, *constant_facts(result, word));
      return all;
    }
    case op::cast:
      return cast_facts(given[0].type, given[0].facts, result.element);
    case op::bitcast:
      if (!is_exact(given) || given[0].facts.may_be_nan) return {};
      return any_number(result.element);
    case op::permute:
    case op::reshape:
    case op::broadcast:
    case op::extract:
      return given[0].facts;
    case op::cat:
      return either(given[0].facts, given[1].facts);
    case op::select:
      return either(given[1].facts, given[2].facts);
    case op::mma:
      return product_facts(result, given);
    case op::mma_scaled:
      return scaled_product_facts(result, given);
    case op::argmax:
      return is_exact(given) ? fact(value_facts{}) : fact();
    default:
      break;
  }
  const op_category category = ast::info(which).category;
  if (category == op_category::reduce || category == op_category::scan) {
    return combined_facts(which, result, given[0], attributes[0]);
  }
  if (category == op_category::position || which == op::iota) return value_facts{};
  const bool is_element_wise = category == op_category::unary || category == op_category::binary ||
                               category == op_category::comparison || category == op_category::ternary;
  if (is_element_wise) return element_wise_facts(which, result, given);
  return is_exact(given) ? fact(any_number(result.element)) : fact();  // scalar, load, gather_rows
}

}  // namespace tilewright::test
