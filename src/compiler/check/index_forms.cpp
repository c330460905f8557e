// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/index_forms.hpp"

#include <algorithm>

#include "compiler/bind/dim_values.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

constexpr std::int64_t greatest_extent = std::int64_t{1} << 48;  // as bind_arguments guarantees

constexpr wide small_scalar = wide{1} << 28;  // as tensor_facts says of a small scalar

bool is_whole_number(dtype element) { return is_integer(element) || element == dtype::boolean; }

// Ops that read a u64 as a number. Its form is that of the same bits as an i64, so they do not go through forms.
bool reads_magnitude(op which) {
  switch (which) {
    case op::absolute:
    case op::minimum:
    case op::maximum:
    case op::divide:
    case op::remainder:
    case op::floor_div:
    case op::floor_mod:
    case op::shift_right:
      return true;
    default:
      return false;
  }
}

std::int64_t greatest_extent_of(const program_parameter& tensor) {
  if (!tensor.facts.fits_31_bits) return greatest_extent;
  return ((std::int64_t{1} << 31) - 1) / info(tensor.element).size_bytes;
}

}  // namespace

integer_range range_of_element(dtype element) {
  if (element == dtype::boolean) return {0, 1};
  const int bits = info(element).bits;
  if (element == dtype::u64) return range_of_64_bits;
  if (is_unsigned(element)) return {0, (wide{1} << bits) - 1};
  return {-(wide{1} << (bits - 1)), (wide{1} << (bits - 1)) - 1};
}

index_forms::index_forms(const program& source, scalar_trust trust)
    : source_(source),
      trust_(trust),
      places_(source.values.size()),
      forms_(source.values.size()),
      known_(source.values.size(), false) {
  index(source.entry);
}

void index_forms::index(const block& code) {
  for (const instruction& next : code.body) {
    for (std::size_t i = 0; i < next.results.size(); ++i) {
      places_[static_cast<std::size_t>(next.results[i])] = {&next, nullptr, i};
    }
    for (const block& inner : next.blocks) {
      for (std::size_t i = 0; i < inner.arguments.size(); ++i) {
        places_[static_cast<std::size_t>(inner.arguments[i])] = {nullptr, &next, i};
      }
      index(inner);
    }
  }
}

linear index_forms::form_of(value_id value) {
  const auto at = static_cast<std::size_t>(value);
  if (!known_[at]) {
    const linear made = make_form(value);
    forms_[at] = made;
    known_[at] = true;
  }
  return forms_[at];
}

linear index_forms::exact_form_of(value_id value) {
  const linear form = form_of(value);
  return atoms_.range(form).is_inside(range_of_64_bits) ? form : any_of_type(value);
}

linear index_forms::make_form(value_id value) {
  if (!is_whole_number(type(value).element)) return any_of_type(value);
  const place& from = places_[static_cast<std::size_t>(value)];
  return from.maker != nullptr ? form_of_result(value, *from.maker) : form_of_argument(value);
}

linear index_forms::form_of_argument(value_id value) {
  const instruction* loop = counted_by(value);
  if (loop == nullptr) return any_of_type(value);  // carried values are not followed
  const linear first = exact_form_of(loop->operands[0]);
  const auto last = add(exact_form_of(loop->operands[1]), number(-1));
  return last ? atoms_.free(value, first, *last, false) : any_of_type(value);
}

linear index_forms::form_of_result(value_id value, const instruction& made) {
  switch (made.op) {
    case op::constant:
      return number(made.attributes[0]);
    case op::scalar:
      return scalar_form(made);
    case op::block_count:
      return grid_size(made.attributes[0]);
    case op::block_id: {
      const linear blocks = grid_size(made.attributes[0]);
      return blocks == number(1) ? number(0) : atoms_.block(static_cast<std::int32_t>(made.attributes[0]), blocks);
    }
    case op::extent:
      return extent(made.attributes[0], made.attributes[1]);
    case op::tiles:
      return tile_count(made.attributes[0], made.attributes[1], made.attributes[2]);
    case op::cast:
      return cast_form(value, made);
    case op::broadcast:
      return form_of(made.operands[0]);
    case op::table: {
      const auto [least, greatest] = std::minmax_element(made.attributes.begin(), made.attributes.end());
      return type(value).element == dtype::u64 ? any_of_type(value)
                                               : atoms_.free(value, number(*least), number(*greatest), false);
    }
    case op::iota:
      return within_type(value, atoms_.free(value, number(0), number(type(value).elements() - 1), false));
    case op::argmax: {
      const value_type& operand = type(made.operands[0]);
      return atoms_.free(value, number(0), number(operand.extents[static_cast<std::size_t>(made.attributes[0])] - 1),
                         false);
    }
    case op::permute:
    case op::reshape:
    case op::extract:
    case op::reduce_max:
    case op::reduce_min:
    case op::scan_max:
    case op::scan_min:
      return rearranged(value, exact_form_of(made.operands[0]));
    case op::cat:
    case op::select: {
      const std::size_t first = made.op == op::select ? 1 : 0;
      return either(value, exact_form_of(made.operands[first]), exact_form_of(made.operands[first + 1]));
    }
    case op::if_begin: {
      const std::size_t position = places_[static_cast<std::size_t>(value)].position;
      return either(value, exact_form_of(made.blocks[0].yields[position]),
                    exact_form_of(made.blocks[1].yields[position]));
    }
    default:
      break;
  }
  const auto form = arithmetic(made);
  if (!form) return any_of_type(value);
  return made.residual_checks.empty() ? within_type(value, *form) : only_range(value, within_type(value, *form));
}

// Of a quotient or rest whose divisor may be 0 and then counts as 1: the range allows for that, the form does not.
linear index_forms::only_range(value_id value, const linear& form) {
  const integer_range values = atoms_.range(form);
  if (!values.is_inside(range_of_64_bits)) return any_of_type(value);
  return atoms_.free(value, number(static_cast<std::int64_t>(values.low)),
                     number(static_cast<std::int64_t>(values.high)), true);
}

std::optional<linear> index_forms::arithmetic(const instruction& made) {
  const auto a = [&] { return form_of(made.operands[0]); };
  const auto b = [&] { return form_of(made.operands[1]); };
  const auto exact_a = [&] { return exact_form_of(made.operands[0]); };
  const auto exact_b = [&] { return exact_form_of(made.operands[1]); };
  if (type(made.results[0]).element == dtype::u64 && reads_magnitude(made.op)) return {};
  switch (made.op) {
    case op::negate:
      return scale(a(), -1);
    case op::absolute: {
      const linear x = exact_a();
      const auto negative = scale(x, -1);
      return negative ? std::optional(atoms_.maximum(x, *negative)) : std::nullopt;
    }
    case op::add:
      return add(a(), b());
    case op::subtract:
      return subtract(a(), b());
    case op::multiply:
      return atoms_.multiply(a(), b());
    case op::minimum:
      return atoms_.minimum(exact_a(), exact_b());
    case op::maximum:
      return atoms_.maximum(exact_a(), exact_b());
    case op::divide:
      return quotient(made.operands[0], made.operands[1], false);
    case op::floor_div:
      return quotient(made.operands[0], made.operands[1], true);
    case op::remainder:
      return rest(made.operands[0], made.operands[1], false);
    case op::floor_mod:
      return rest(made.operands[0], made.operands[1], true);
    case op::shift_left:
    case op::shift_right: {
      const linear count = b();
      if (!count.is_number() || count.constant < 0 || count.constant > 61) return {};
      const linear power = number(std::int64_t{1} << count.constant);
      return made.op == op::shift_left ? scale(a(), power.constant) : atoms_.floor_div(exact_a(), power);
    }
    case op::bit_and: {
      const linear mask = b();
      if (!mask.is_number() || mask.constant < 0) return {};
      return atoms_.free(made.results[0], number(0), mask, false);
    }
    default:
      return {};
  }
}

// Truncation is floor on what is not negative; below, it is minus the floor of the opposite.
std::optional<linear> index_forms::quotient(value_id a, value_id b, bool rounds_down) {
  const linear x = exact_form_of(a), y = exact_form_of(b);
  if (rounds_down || atoms_.range(x).low >= 0) return atoms_.floor_div(x, y);
  if (!y.is_number() || y.constant <= 0) return {};
  const auto down = atoms_.floor_div(x, y);
  const auto opposite = scale(x, -1);
  const auto up = opposite ? atoms_.floor_div(*opposite, y) : std::nullopt;
  const auto negative = up ? scale(*up, -1) : std::nullopt;
  if (!down || !negative) return {};
  return atoms_.maximum(*down, atoms_.minimum(*negative, number(0)));
}

std::optional<linear> index_forms::rest(value_id a, value_id b, bool rounds_down) {
  const linear x = exact_form_of(a), y = exact_form_of(b);
  if (rounds_down || atoms_.range(x).low >= 0) return atoms_.floor_mod(x, y);
  const auto product = quotient(a, b, false);
  const auto whole = product ? atoms_.multiply(*product, y) : std::nullopt;
  return whole ? subtract(x, *whole) : std::nullopt;
}

linear index_forms::cast_form(value_id value, const instruction& made) {
  const dtype from = type(made.operands[0]).element;
  if (!is_whole_number(from) || type(value).element == dtype::boolean) return any_of_type(value);
  return within_type(value, exact_form_of(made.operands[0]));
}

linear index_forms::scalar_form(const instruction& made) {
  const dtype element = type(made.results[0]).element;
  integer_range values = range_of_element(element);
  const bool is_small = source_.parameters[static_cast<std::size_t>(made.attributes[0])].facts.fits_31_bits;
  if (is_small) {
    values = {std::max(values.low, -small_scalar), std::min(values.high, small_scalar)};
  } else if (info(element).bits == 64) {
    if (trust_ == scalar_trust::any_value) return any_of_type(made.results[0]);
    values = {is_unsigned(element) ? 0 : -greatest_scalar, greatest_scalar};
    const auto end = relied_scalars_.end();
    if (std::find(relied_scalars_.begin(), end, made.attributes[0]) == end) {
      relied_scalars_.push_back(made.attributes[0]);
    }
  }
  return atoms_.scalar(static_cast<std::int32_t>(made.attributes[0]), values);
}

linear index_forms::extent(std::int64_t parameter, std::int64_t axis) {
  const program_parameter& tensor = source_.parameters[static_cast<std::size_t>(parameter)];
  const index_t fixed = tensor.fixed_extents[static_cast<std::size_t>(axis)];
  if (fixed >= 0) return number(fixed);
  const bool is_single = tensor.facts.single_tile[static_cast<std::size_t>(axis)];
  return atoms_.extent(static_cast<std::int32_t>(parameter), static_cast<std::int32_t>(axis),
                       {is_single ? 1 : 0, greatest_extent_of(tensor)});
}

// All outputs have as many pieces on an axis; one that lacks the axis has one, but the blocks of such an axis share the
// pieces of an Accum.
linear index_forms::grid_size(std::int64_t axis) {
  std::int64_t greatest = greatest_extent;
  for (const program_parameter& output : source_.parameters) {
    if (!is_output(output.kind)) continue;
    const auto at = static_cast<std::size_t>(axis);
    if (axis >= output.rank && output.kind == parameter_kind::accum) continue;
    if (axis >= output.rank || output.has_whole(at) || output.facts.single_tile[at]) return number(1);
    greatest = std::min(greatest, (greatest_extent_of(output) + output.piece[at] - 1) / output.piece[at]);
  }
  return atoms_.grid(static_cast<std::int32_t>(axis), {0, greatest});
}

linear index_forms::tile_count(std::int64_t parameter, std::int64_t axis, std::int64_t tile_extent) {
  const program_parameter& tensor = source_.parameters[static_cast<std::size_t>(parameter)];
  if (tensor.facts.single_tile[static_cast<std::size_t>(axis)]) return number(1);
  const linear rounded = *add(extent(parameter, axis), number(tile_extent - 1));
  return *atoms_.floor_div(rounded, number(tile_extent));
}

// One of two forms, whichever: between their least and their greatest.
linear index_forms::either(value_id value, const linear& x, const linear& y) {
  if (x == y) return x;
  return atoms_.free(value, atoms_.minimum(x, y), atoms_.maximum(x, y), false);
}

// Other elements of the same tile: only bounds that hold for all of them remain.
linear index_forms::rearranged(value_id value, const linear& form) {
  const launch_bound low = atoms_.lowest(form), high = atoms_.highest(form);
  return atoms_.free(value, low.form, high.form, low.is_weak || high.is_weak);
}

// Nothing is known but the type. Small types bound an index well enough to be worth a launch check.
linear index_forms::any_of_type(value_id value) {
  const dtype element = type(value).element;
  const integer_range values = is_whole_number(element) ? range_of_element(element) : range_of_64_bits;
  return atoms_.free(value, number(static_cast<std::int64_t>(values.low)),
                     number(static_cast<std::int64_t>(values.high)), info(element).bits >= 32);
}

// Arithmetic in a narrower type than index wraps at its own width.
linear index_forms::within_type(value_id value, const linear& form) {
  const dtype element = type(value).element;
  if (info(element).bits == 64 || atoms_.range(form).is_inside(range_of_element(element))) return form;
  return any_of_type(value);
}

// ---- Conditions ----------------------------------------------------------------------------------------------------
void index_forms::conclude(value_id condition, bool outcome, std::vector<linear>& facts) {
  const instruction* made = maker(condition);
  if (made == nullptr) return;
  switch (made->op) {
    case op::bit_not:
      return conclude(made->operands[0], !outcome, facts);
    case op::bit_and:
    case op::bit_or:
      if (outcome != (made->op == op::bit_and)) return;  // only one of the two is known to hold
      conclude(made->operands[0], outcome, facts);
      return conclude(made->operands[1], outcome, facts);
    default:
      break;
  }
  for (const comparison_sides& each : sides_of(condition, outcome)) {
    if (const auto fact = subtract(each.greater, each.lesser)) facts.push_back(*fact);
  }
}

std::vector<comparison_sides> index_forms::sides_of(value_id condition, bool outcome) {
  const instruction* made = maker(condition);
  if (made == nullptr) return {};
  if (ast::info(made->op).category != ast::op_category::comparison) return {};
  const dtype element = type(made->operands[0]).element;
  if (!is_integer(element) || element == dtype::u64) return {};
  const linear a = exact_form_of(made->operands[0]), b = exact_form_of(made->operands[1]);
  const auto below = [](const linear& lesser, const linear& greater) -> std::vector<comparison_sides> {
    // A limit that is a number moves, so that a refused launch reads of the values that were given.
    if (const auto least = lesser.is_number() ? add(lesser, number(1)) : std::nullopt) return {{*least, greater}};
    const auto most = add(greater, number(-1));
    return most ? std::vector<comparison_sides>{{lesser, *most}} : std::vector<comparison_sides>{};
  };
  switch (made->op) {
    case op::less:
      return outcome ? below(a, b) : std::vector<comparison_sides>{{b, a}};
    case op::less_equal:
      return outcome ? std::vector<comparison_sides>{{a, b}} : below(b, a);
    case op::greater:
      return outcome ? below(b, a) : std::vector<comparison_sides>{{a, b}};
    case op::greater_equal:
      return outcome ? std::vector<comparison_sides>{{b, a}} : below(a, b);
    case op::equal:
    case op::not_equal:
      if (outcome != (made->op == op::equal)) return {};
      return {{a, b}, {b, a}};
    default:
      return {};
  }
}

}  // namespace tilewright::compiler
