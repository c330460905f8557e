// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/program_values.hpp"

#include <algorithm>
#include <numeric>

#include "support/element_bits.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

bool is_small_integer(dtype element) { return is_half_byte(element) && !is_floating(element); }

// Between elements without a conversion.
dtype way_between(dtype from, dtype to) {
  if (is_of_single(from)) return dtype::f32;
  if (is_small_integer(from)) return dtype::i32;
  return is_of_single(to) ? dtype::f32 : dtype::i32;
}

}  // namespace

std::int64_t nearest_word(dtype element, double number) {
  const std::uint64_t bits = encode(element, number);
  if (is_floating(element)) return std::bit_cast<std::int64_t>(static_cast<double>(decode(element, bits)));
  return static_cast<std::int64_t>(decode_integer(element, bits));
}

dtype program_values::element() {
  if (one_in(8)) return pick<dtype>({dtype::f8e4m3, dtype::f8e5m2, dtype::tf32, dtype::f8e8m0});
  return pick<dtype>({dtype::i8, dtype::u8, dtype::i16, dtype::u16, dtype::i32, dtype::i32, dtype::u32, dtype::i64,
                      dtype::u64, dtype::f16, dtype::bf16, dtype::f32, dtype::f32, dtype::f64, dtype::boolean});
}

dtype program_values::tile_element() {
  return one_in(8) ? pick<dtype>({dtype::f4e2m1, dtype::i4, dtype::u4}) : element();
}

dtype program_values::element_of(op which) {
  for (;;) {
    const dtype found = one_in(10) ? dtype::index : element();
    if (takes(which, found)) return found;
  }
}

std::vector<std::int32_t> program_values::random_shape(int rank) {
  std::vector<std::int32_t> made;
  std::int64_t elements = 1;
  for (int axis = 0; axis < rank; ++axis) {
    std::int32_t extent = kind_ == extents::powers_of_two
                              ? pick<std::int32_t>({1, 2, 4, 8, 16, 32, 64})
                              : pick<std::int32_t>({1, 2, 3, 5, 7, 8, 15, 16, 17, 24, 31, 32, 33, 48, 64});
    if (elements * extent > most_elements) extent = pick<std::int32_t>({1, 2});
    if (elements * extent > most_elements) extent = 1;
    made.push_back(extent);
    elements *= extent;
  }
  std::shuffle(made.begin(), made.end(), random_);
  return made;
}

std::vector<std::int32_t> program_values::shape(int rank) {
  for (int tries = 0; tries < 8; ++tries) {
    const auto& known = shapes_[static_cast<std::size_t>(below(static_cast<int>(shapes_.size())))];
    if (static_cast<int>(known.size()) == rank) return known;
  }
  return random_shape(rank);
}

program_values::typed program_values::some_exact() {
  for (int tries = 0; tries < 8; ++tries) {
    const typed found = some();
    if (found.facts.ulp == 0) return found;
  }
  const dtype chosen = element();
  return some_constant(type_of(chosen, shape(2)));
}

program_values::typed program_values::some_tile() {
  for (int tries = 0; tries < 20; ++tries) {
    const typed found = some();
    if (found.type.rank != 0) return found;
  }
  const typed found = some();
  return adapted(found, type_of(dtype::i32, shape(2)));
}

program_values::typed program_values::made(op which, const value_type& type, const std::vector<typed>& operands,
                                           std::vector<std::int64_t> attributes) {
  std::vector<known_operand> known;
  ids given;
  for (const typed& each : operands) {
    known.push_back({each.type, each.facts});
    given.push_back(each.id);
  }
  const auto facts = result_facts(which, type, known, attributes);
  require_internal(facts.has_value(), ast::info(which).name);
  return {builder_.value(which, type, given, std::move(attributes)), type, *facts};
}

program_values::typed program_values::constant(const value_type& type, std::int64_t number) {
  return made(op::constant, type, {}, {nearest_word(type.element, static_cast<double>(number))});
}

std::int64_t program_values::some_word(dtype element) {
  if (element == dtype::boolean) return below(2);
  if (one_in(3)) return nearest_word(element, 0);
  return nearest_word(element, below(90) - (is_unsigned(element) ? 0 : 45));
}

program_values::typed program_values::some_constant(const value_type& type) {
  return made(op::constant, type, {}, {some_word(type.element)});
}

program_values::typed program_values::cast(const typed& v, dtype to) {
  if (v.type.element == to) return v;
  const typed from = exact(v);
  if (ast::is_converted(from.type.element, to)) return made(op::cast, with_element(from.type, to), {from});
  return cast(cast(from, way_between(from.type.element, to)), to);
}

program_values::typed program_values::computed(const typed& v) {
  if (is_only_factor(v.type.element)) return cast(v, dtype::f32);
  return is_half_byte(v.type.element) ? cast(v, dtype::i32) : v;
}

program_values::typed program_values::exact(const typed& v) {
  if (v.facts.ulp == 0) return v;
  return adapted(some_exact(), v.type);
}

program_values::typed program_values::flat(const typed& v, std::int64_t count) {
  const value_type line = type_of(v.type.element, {static_cast<std::int32_t>(count)});
  return v.type == line ? v : made(op::reshape, line, {v});
}

program_values::typed program_values::cut(const typed& v, std::int64_t count) {
  const auto pieces = static_cast<int>(v.type.elements() / count);
  return made(op::extract, type_of(v.type.element, {static_cast<std::int32_t>(count)}), {v},
              {below(pieces), 0, 0, 0, 0, 0});
}

program_values::typed program_values::adapted(typed v, const value_type& to) {
  if (v.type == to) return v;
  v = cast(v, to.element);
  if (v.type == to) return v;
  const std::int64_t count = to.elements(), have = v.type.elements();
  if (have == 1 && to.rank != 0) {
    const std::vector<std::int32_t> ones(static_cast<std::size_t>(to.rank), 1);
    if (v.type.rank != 0) v = made(op::reshape, type_of(to.element, ones), {v});
    return made(op::broadcast, to, {v});
  }
  if (have != count) {
    v = flat(v, have);
    const std::int64_t shared = std::gcd(have, count);
    if (have * count / shared > 2 * most_elements) v = cut(v, shared);
    const std::int64_t part = v.type.elements(), times = count / std::gcd(part, count);
    if (times == 2) {
      v = made(op::cat, type_of(to.element, {static_cast<std::int32_t>(2 * part)}), {v, v}, {0});
    } else if (times > 1) {
      v = made(op::reshape, type_of(to.element, {1, static_cast<std::int32_t>(part)}), {v});
      v = made(op::broadcast, with_extent(v.type, 0, static_cast<std::int32_t>(times)), {v});
      v = flat(v, part * times);
    }
    if (part * times > count) v = cut(v, count);
  }
  return v.type == to ? v : made(op::reshape, to, {v});
}

program_values::typed program_values::small(const typed& v) {
  constexpr int bits_of_i8 = 8;
  const bool is_narrow = info(v.type.element).mantissa_bits < bits_of_i8;
  if (!is_floating(v.type.element) || v.facts.greatest <= (is_narrow ? 8 : 128)) return v;
  return cast(cast(v, is_narrow ? dtype::i4 : dtype::i8), v.type.element);
}

program_values::typed program_values::without_nan(const typed& v) {
  if (!v.facts.may_be_nan) return v;
  const typed asked = computed(v);
  const typed is_number = made(op::equal, with_element(v.type, dtype::boolean), {asked, asked});
  typed chosen = made(op::select, v.type, {is_number, v, constant(type_of(v.type.element), 0)});
  chosen.facts.may_be_nan = false;
  return chosen;
}

program_values::typed program_values::mixed(const typed& a, const typed& b) {
  if (a.type.element == dtype::boolean) return made(op::bit_xor, a.type, {a, b});
  if (!takes(op::maximum, a.type.element)) {
    const typed left = computed(a);
    return cast(mixed(left, computed(b)), a.type.element);
  }
  return made(is_floating(a.type.element) ? op::maximum : op::add, a.type, {a, b});
}

bool program_values::fits(const value_type& a, const value_type& b) {
  if (a.rank == 0 || b.rank == 0) return true;
  if (a.rank != b.rank) return false;
  for (std::size_t axis = 0; axis < max_rank; ++axis) {
    if (a.extents[axis] != b.extents[axis] && a.extents[axis] != 1 && b.extents[axis] != 1) return false;
  }
  return joined(a, b).elements() <= most_elements;
}

value_type program_values::joined(const value_type& a, const value_type& b) {
  value_type type = a.rank == 0 ? b : a;
  for (std::size_t axis = 0; axis < max_rank; ++axis) type.extents[axis] = std::max(a.extents[axis], b.extents[axis]);
  return type;
}

}  // namespace tilewright::test
