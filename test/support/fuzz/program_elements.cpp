// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/program_elements.hpp"

#include <algorithm>

namespace tilewright::test {
namespace {

using ast::op_category;

bool is_division(ast::op which, dtype element) { return !is_floating(element) && ast::divides(which); }

}  // namespace

// ---- Element-wise: any row of the table
program_elements::op program_elements::element_wise_op() {
  for (;;) {
    const op which = static_cast<op>(below(ast::op_count));
    const op_category category = ast::info(which).category;
    if (category == op_category::unary || category == op_category::binary || category == op_category::comparison ||
        category == op_category::ternary) {
      return which;
    }
  }
}

program_elements::typed program_elements::element_wise() {
  const op which = element_wise_op();
  const ast::op_info& row = ast::info(which);
  if (which == op::select) return selected();
  const bool only_moves = which == op::negate || which == op::absolute || which == op::minimum || which == op::maximum;
  typed a = some();
  if (!takes(which, a.type.element)) a = cast(a, element_of(which));
  if (!only_moves) a = exact(a);
  std::vector<typed> given = {a};
  value_type type = a.type;
  for (int n = 1; n < row.operands; ++n) {
    typed b = partner({given[0].id, type, given[0].facts});
    if (!only_moves) b = exact(b);
    type = with_element(joined(type, b.type), a.type.element);
    if (is_division(which, type.element)) b = divisor(b);
    given.push_back(b);
  }
  const value_type result = row.result == ast::result_rule::boolean ? with_element(type, dtype::boolean) : type;
  return made(which, result, given, some_rounding(which, type.element));
}

std::vector<std::int64_t> program_elements::some_rounding(op which, dtype element) {
  if (!ast::states_rounding(which) || !one_in(3)) return {};
  const auto how = static_cast<ast::rounding>(1 + below(ast::rounding_count - 1));
  const bool is_exact = ast::is_directed(how) || (how == ast::rounding::flushed && ast::info(which).ulp <= 0.5);
  if (!is_exact || !ast::may_round(which, how) || !ast::is_rounded(element, how)) return {};
  return {static_cast<std::int64_t>(how)};
}

program_elements::typed program_elements::partner(const typed& a) {
  for (int tries = 0; tries < 12; ++tries) {
    const typed found = some();
    if (found.type.element == a.type.element && fits(found.type, a.type)) return found;
  }
  if (one_in(3)) return some_constant(type_of(a.type.element));
  value_type type = a.type;
  for (int axis = 0; axis < type.rank; ++axis) {
    if (one_in(3)) type.extents[static_cast<std::size_t>(axis)] = 1;
  }
  return adapted(some(), type);
}

program_elements::typed program_elements::divisor(const typed& b) {
  if (one_in(8)) return b;
  const bool is_negative = !is_unsigned(b.type.element) && one_in(3);
  const typed limit = constant(type_of(b.type.element), is_negative ? -1 : 1);
  return made(is_negative ? op::minimum : op::maximum, b.type, {b, limit});
}

program_elements::typed program_elements::condition() {
  const typed a = computed(exact(some()));
  const op which = a.type.element == dtype::boolean
                       ? pick<op>({op::equal, op::not_equal})
                       : pick<op>({op::less, op::less_equal, op::greater, op::greater_equal, op::equal});
  const typed b = exact(partner(a));
  return made(which, with_element(joined(a.type, b.type), dtype::boolean), {a, b});
}

program_elements::typed program_elements::selected() {
  const typed chooses = condition(), a = some();
  if (!fits(chooses.type, a.type)) return chooses;
  const value_type first = with_element(joined(chooses.type, a.type), a.type.element);
  const typed b = partner({a.id, first, a.facts});
  if (!fits(b.type, first)) return chooses;
  return made(op::select, with_element(joined(first, b.type), a.type.element), {chooses, a, b});
}

program_elements::typed program_elements::converted() {
  const typed v = exact(some());
  dtype to = one_in(8) ? dtype::index : tile_element();
  if (is_half_byte(v.type.element) && one_in(2)) to = dtype::u8;  // whose bits they are
  const bool may_reinterpret = to != dtype::boolean && v.type.element != to && takes(op::bitcast, to) &&
                               takes(op::bitcast, v.type.element) && ast::shares_bits(v.type.element, to);
  if (!may_reinterpret || one_in(2)) return cast(v, to);
  // A NaN would show which one it is.
  return made(op::bitcast, with_element(v.type, to), {is_floating(v.type.element) ? without_nan(v) : v});
}

program_elements::typed program_elements::created() {
  if (one_in(3)) {
    const dtype filled = tile_element();
    return some_constant(type_of(filled, shape(below(4))));
  }
  if (one_in(2)) return table();
  const int rank = 1 + below(3), axis = below(rank);
  value_type type = type_of(element_of(op::iota), std::vector<std::int32_t>(static_cast<std::size_t>(rank), 1));
  return made(op::iota, with_extent(type, axis, shape(1)[0]), {}, {axis});
}

program_elements::typed program_elements::table() {
  constexpr std::int64_t most = 64;
  value_type type = type_of(element(), {});
  const std::vector<std::int32_t> wanted = shape(1 + below(3));
  for (const std::int32_t extent : wanted) {
    type.extents[static_cast<std::size_t>(type.rank++)] = 1;
    if (type.elements() * extent <= most) type.extents[static_cast<std::size_t>(type.rank - 1)] = extent;
  }
  std::vector<std::int64_t> words;
  for (std::int64_t n = type.elements(); n > 0; --n) {
    const std::int64_t whole = some_word(type.element);
    const bool is_fraction = is_floating(type.element) && one_in(4);
    words.push_back(is_fraction ? nearest_word(type.element, (below(90) - 45) / 16.0) : whole);
  }
  return made(op::table, type, {}, words);
}

// ---- Shapes
program_elements::typed program_elements::permuted(const typed& v) {
  std::vector<int> order;
  for (int axis = 0; axis < v.type.rank; ++axis) order.push_back(axis);
  std::shuffle(order.begin(), order.end(), random_);
  if (v.type.rank == 2) order = {1, 0};
  value_type type = v.type;
  std::int64_t packed = 0;
  for (std::size_t axis = 0; axis < order.size(); ++axis) {
    type.extents[axis] = v.type.extents[static_cast<std::size_t>(order[axis])];
    packed |= std::int64_t{order[axis]} << (4 * axis);
  }
  return made(op::permute, type, {v}, {packed});
}

program_elements::typed program_elements::reshaped(const typed& v) {
  std::vector<std::int32_t> parts;
  std::int64_t rest = v.type.elements();
  if (rest == 1) parts.resize(static_cast<std::size_t>(below(4)), 1);
  while (rest > 1 && parts.size() < 4) {
    std::vector<std::int32_t> divisors = {static_cast<std::int32_t>(rest)};
    for (std::int32_t d = 2; d <= 64; ++d) {
      if (rest % d == 0) divisors.push_back(d);
    }
    parts.push_back(parts.size() == 3 ? static_cast<std::int32_t>(rest) : pick(divisors));
    rest /= parts.back();
    if (one_in(5) && parts.size() < 4) parts.push_back(1);
    if (parts.size() == 4 && rest > 1) parts[3] *= static_cast<std::int32_t>(rest);
  }
  std::shuffle(parts.begin(), parts.end(), random_);
  return made(op::reshape, type_of(v.type.element, parts), {v});
}

program_elements::typed program_elements::repeated() {
  const typed v = some_tile();
  value_type type = v.type;
  for (int axis = 0; axis < type.rank; ++axis) {
    if (type.extents[static_cast<std::size_t>(axis)] != 1) continue;
    const std::int32_t wider = extent_of({2, 5, 16, 17, 33}, {2, 16, 32});
    if (type.elements() * wider <= most_elements) type = with_extent(type, axis, wider);
  }
  return made(op::broadcast, type, {v});
}

program_elements::typed program_elements::extracted() {
  const typed v = some_tile();
  value_type type = v.type;
  std::vector<std::int64_t> positions(max_rank, 0);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(type.rank); ++axis) {
    const std::int32_t whole = type.extents[axis];
    std::vector<std::int32_t> divisors;
    for (std::int32_t d = 1; d <= whole; ++d) {
      if (whole % d == 0) divisors.push_back(d);
    }
    type.extents[axis] = pick(divisors);
    positions[axis] = below(whole / type.extents[axis]);
  }
  return made(op::extract, type, {v}, positions);
}

program_elements::typed program_elements::joined_parts() {
  const typed a = some_tile();
  const int axis = below(a.type.rank);
  const std::int32_t here = a.type.extents[static_cast<std::size_t>(axis)];
  const std::int32_t more = kind_ == extents::any ? pick<std::int32_t>({1, 3, 8, 16, here}) : here;
  const value_type type = with_extent(a.type, axis, here + more);
  if (type.elements() > most_elements) return permuted(a);
  return made(op::cat, type, {a, adapted(some(), with_extent(a.type, axis, more))}, {axis});
}

}  // namespace tilewright::test
