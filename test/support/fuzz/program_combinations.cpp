// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/program_combinations.hpp"

#include <bit>
#include <cmath>

#include "support/element_bits.hpp"
#include "tilewright/ast/products.hpp"

namespace tilewright::test {

// ---- Along an axis
program_combinations::typed program_combinations::number(const typed& v) {
  return v.type.element == dtype::boolean ? cast(v, dtype::i32) : computed(v);
}

program_combinations::typed program_combinations::fit_for(op combined, const typed& v) {
  const bool is_float = is_floating(v.type.element);
  if (is_float && combined == op::multiply) return cast(cast(exact(v), dtype::boolean), v.type.element);
  return is_float && combined == op::add ? small(v) : v;
}

program_combinations::typed program_combinations::reduced() {
  typed v = number(some_tile());
  if (one_in(5)) return argmax(exact(v));
  const op which = pick<op>({op::reduce_sum, op::reduce_sum, op::reduce_max, op::reduce_min, op::reduce_product});
  for (int n = 1 + below(v.type.rank); n > 0; --n) {
    const int axis = below(v.type.rank);
    v = fit_for(ast::combining_op(which), v);
    v = made(which, with_extent(v.type, axis, 1), {v}, {axis});
  }
  return v;
}

program_combinations::typed program_combinations::argmax(const typed& v) {
  const int axis = below(v.type.rank);
  return made(op::argmax, with_element(with_extent(v.type, axis, 1), dtype::index), {v}, {axis});
}

program_combinations::typed program_combinations::scanned() {
  const op which = pick<op>({op::scan_sum, op::scan_sum, op::scan_max, op::scan_min, op::scan_product});
  const typed v = fit_for(ast::combining_op(which), number(some_tile()));
  const int axis = below(v.type.rank);
  return made(which, v.type, {v}, {axis, below(2)});
}

// ---- Combiners
program_combinations::typed program_combinations::combined() {
  const auto [counted, greatest] = pick<std::pair<dtype, std::int64_t>>({{dtype::i8, INT8_MAX},
                                                                         {dtype::u16, UINT16_MAX},
                                                                         {dtype::i32, INT32_MAX},
                                                                         {dtype::i64, INT64_MAX},
                                                                         {dtype::index, INT64_MAX}});
  const typed least = cast(exact(some_tile()), counted);
  const typed beside = adapted(exact(some_tile()), with_element(least.type, dtype::i32));
  const bool scans = one_in(2);
  const int axis = below(least.type.rank);
  std::vector<std::int64_t> attributes = {axis};
  if (scans) attributes.push_back(below(2));
  attributes.insert(attributes.end(), {greatest, 0});
  const ids results = builder_.combined(scans ? op::scan_begin : op::reduce_begin, {least.id, beside.id}, attributes,
                                        [&](const ids& left, const ids& right) { return joined_least(left, right); });
  const typed& chosen = one_in(2) ? least : beside;
  const value_type type = scans ? chosen.type : with_extent(chosen.type, axis, 1);
  return {results[&chosen == &least ? 0 : 1], type, any_number(type.element)};
}

program_combinations::ids program_combinations::joined_least(const ids& left, const ids& right) {
  const value_id least = builder_.like(op::minimum, {left[0], right[0]});
  const value_id nothing = builder_.constant(type_of(dtype::i32), 0);
  const auto beside = [&](const ids& side) {
    const value_id is_least = builder_.value(op::equal, type_of(dtype::boolean), {side[0], least});
    return builder_.value(op::select, type_of(dtype::i32), {is_least, side[1], nothing});
  };
  const value_id of_left = beside(left), of_right = beside(right);
  return {least, builder_.like(op::add, {of_left, of_right})};
}

program_combinations::combined_lane program_combinations::some_lane() {
  const dtype chosen = one_in(8) ? dtype::index : tile_element();
  if (chosen == dtype::boolean) return {chosen, pick<op>({op::bit_and, op::bit_or, op::bit_xor})};
  if (is_floating(chosen)) return {chosen, pick<op>({op::maximum, op::minimum})};
  if (is_half_byte(chosen)) return {chosen, pick<op>({op::add, op::multiply, op::maximum, op::minimum})};
  return {chosen, pick<op>({op::add, op::multiply, op::maximum, op::minimum, op::bit_and, op::bit_or, op::bit_xor})};
}

std::int64_t program_combinations::identity_of(const combined_lane& lane) {
  if (lane.by == op::multiply) return 1;
  if (lane.by == op::bit_and) return lane.element == dtype::boolean ? 1 : nearest_word(lane.element, -1);
  if (lane.by != op::maximum && lane.by != op::minimum) return 0;
  const bool is_least = lane.by == op::maximum;
  if (is_floating(lane.element)) {
    if (lane.element == dtype::f8e8m0) return std::bit_cast<std::int64_t>(std::ldexp(1.0, is_least ? -127 : 127));
    const bool has_none = lane.element == dtype::f8e5m2 || !has_infinity(lane.element);
    const double most = !has_none ? HUGE_VAL : static_cast<double>(largest(lane.element));
    return std::bit_cast<std::int64_t>(is_least ? -most : most);
  }
  const int bits = info(lane.element).bits - (is_signed(lane.element) ? 1 : 0);
  const auto most = static_cast<std::int64_t>(bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1);
  if (!is_least) return most;
  return is_signed(lane.element) ? -most - 1 : 0;
}

value_id program_combinations::joined_lane(const combined_lane& lane, value_id left, value_id right) {
  const value_type type = type_of(lane.element);
  const typed first = computed({left, type}), second = computed({right, type});
  return cast(made(lane.by, first.type, {first, second}), lane.element).id;
}

std::vector<std::int64_t> program_combinations::axis_attributes(bool scans, int axis) {
  return scans ? std::vector<std::int64_t>{axis, below(2)} : std::vector<std::int64_t>{axis};
}

program_combinations::typed program_combinations::one_of(const ids& results, const std::vector<typed>& tiles,
                                                         bool scans, int axis) {
  const auto chosen = static_cast<std::size_t>(below(static_cast<int>(results.size())));
  const value_type& type = tiles[chosen].type;
  return {results[chosen], scans ? type : with_extent(type, axis, 1), any_number(type.element)};
}

program_combinations::typed program_combinations::combined_apart() {
  const typed first = exact(some_tile());
  const bool scans = one_in(2);
  const int axis = below(first.type.rank);
  std::vector<combined_lane> lanes;
  std::vector<typed> tiles;
  std::vector<std::int64_t> attributes = axis_attributes(scans, axis);
  ids given;
  for (int n = 1 + below(4); n > 0; --n) {
    lanes.push_back(some_lane());
    const typed source = tiles.empty() ? first : exact(some());
    const typed tile = adapted(source, with_element(first.type, lanes.back().element));
    // An infinity becomes the greatest number where the combiner makes an f8e5m2 of it.
    tiles.push_back(tile.type.element == dtype::f8e5m2 ? small(tile) : tile);
    given.push_back(tiles.back().id);
    attributes.push_back(identity_of(lanes.back()));
  }
  const auto join = [&](const ids& left, const ids& right) {
    ids made_of_both;
    for (std::size_t n = 0; n < lanes.size(); ++n) made_of_both.push_back(joined_lane(lanes[n], left[n], right[n]));
    return made_of_both;
  };
  const ids results = builder_.combined(scans ? op::scan_begin : op::reduce_begin, given, attributes, join);
  return one_of(results, tiles, scans, axis);
}

program_combinations::typed program_combinations::composed() {
  const dtype element = pick<dtype>({dtype::i8, dtype::u16, dtype::i32, dtype::u32, dtype::u64});
  const typed factors = cast(exact(some_tile()), element);
  const typed addends = adapted(exact(some()), factors.type);
  const int axis = below(factors.type.rank);
  std::vector<std::int64_t> attributes = axis_attributes(true, axis);
  attributes.insert(attributes.end(), {1, 0});
  const auto join = [&](const ids& left, const ids& right) {
    const value_id factor = builder_.like(op::multiply, {left[0], right[0]});
    const value_id moved = builder_.like(op::multiply, {right[0], left[1]});
    return ids{factor, builder_.like(op::add, {moved, right[1]})};
  };
  const ids results = builder_.combined(op::scan_begin, {factors.id, addends.id}, attributes, join);
  return one_of(results, {factors, addends}, true, axis);
}

// ---- Products
program_combinations::typed program_combinations::product() {
  const typed sum = some_tile();
  const bool is_there = ast::is_product_rank(sum.type.rank);
  return product_onto(is_there ? sum : adapted(sum, type_of(dtype::i32, shape(one_in(3) ? 3 : 2))));
}

program_combinations::typed program_combinations::product_onto(const typed& sum) {
  const dtype left = pick<dtype>({dtype::i8, dtype::u8, dtype::f16, dtype::bf16, dtype::f32, dtype::f64, dtype::tf32,
                                  dtype::f8e4m3, dtype::f8e5m2});
  const dtype right = ast::is_byte(left) ? pick<dtype>({dtype::i8, dtype::u8}) : left;
  dtype total = ast::is_byte(left) ? dtype::i32 : left == dtype::f64 ? dtype::f64 : dtype::f32;
  const std::int32_t depth = extent_of({1, 3, 8, 16, 17, 40, 64}, {1, 8, 16, 32, 64});
  if (ast::sums_in(left, dtype::f16) && one_in(3)) total = dtype::f16;  // of -1, 0 and 1
  const value_type type = with_element(sum.type, total);
  const bool is_tiny = total == dtype::f16 || (is_fp8(left) && depth > 8);
  const int column = type.rank - 1;
  const typed a = factor(with_extent(with_element(type, left), column, depth), is_tiny);
  const typed b = factor(with_extent(with_element(type, right), column - 1, depth), is_tiny);
  const typed start = one_in(3) ? constant(type, 0) : addend(sum, total);
  return made(op::mma, type, {a, b, start}, {ast::has_fast_sum(left, total) ? below(2) : 0});
}

program_combinations::typed program_combinations::addend(const typed& sum, dtype total) {
  const typed start = without_nan(small(cast(sum, total)));
  return total == dtype::f16 ? cast(cast(start, dtype::boolean), total) : start;
}

program_combinations::typed program_combinations::factor(const value_type& type, bool is_tiny) {
  const bool is_turned = one_in(2);
  const auto column = static_cast<std::size_t>(type.rank) - 1;
  value_type turned = type;
  if (is_turned) std::swap(turned.extents[column], turned.extents[column - 1]);
  typed made_factor = small(adapted(some(), turned));
  if (is_tiny) made_factor = cast(cast(made_factor, dtype::boolean), type.element);
  return is_turned ? made(op::permute, type, {made_factor}, {type.rank == 2 ? 0x01 : 0x120}) : made_factor;
}

program_combinations::typed program_combinations::scaled_product() {
  const dtype element = pick<dtype>({dtype::f8e4m3, dtype::f8e5m2, dtype::f4e2m1});
  const dtype scale = element == dtype::f4e2m1 && one_in(2) ? dtype::f8e4m3 : dtype::f8e8m0;
  const bool is_fine = scale == dtype::f8e4m3 || (element == dtype::f4e2m1 && one_in(2));
  const std::int32_t block = is_fine ? 16 : 32, blocks = pick<std::int32_t>({1, 1, 2}), depth = block * blocks;
  const typed sum = some_tile();
  const typed matrix = sum.type.rank == 2 ? sum : adapted(sum, type_of(dtype::i32, shape(2)));
  const value_type type = with_element(matrix.type, dtype::f32);
  const typed a = factor(with_extent(with_element(type, element), 1, depth), is_fp8(element));
  const typed b = factor(with_extent(with_element(type, element), 0, depth), is_fp8(element));
  const typed start = one_in(3) ? constant(type, 0) : addend(matrix, dtype::f32);
  const typed of_a = scales(with_extent(with_element(type, scale), 1, blocks));
  const typed of_b = scales(with_extent(with_element(type, scale), 0, blocks));
  return made(op::mma_scaled, type, {a, b, start, of_a, of_b});
}

program_combinations::typed program_combinations::scales(const value_type& type) {
  if (type.element == dtype::f8e4m3 && one_in(2)) return small(adapted(some(), type));
  const value_type one = type_of(type.element);
  if (one_in(3)) return constant(type, 1 << below(3));
  const typed chooses = adapted(exact(some()), with_element(type, dtype::boolean));
  const typed greater = constant(one, 4), lesser = constant(one, 1 << below(2));
  return made(op::select, type, {chooses, greater, lesser});
}

}  // namespace tilewright::test
