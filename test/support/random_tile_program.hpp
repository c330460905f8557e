// SPDX-License-Identifier: Apache-2.0
// Random programs over tiles of many shapes and elements, of ops with one right result: every op that moves elements
// or makes them meet, in loops that carry tiles and in branches. The same seed gives the same program everywhere.
#pragma once

#include <algorithm>
#include <random>

#include "support/program_builder.hpp"

namespace tilewright::test {

// Values are in range of every op by construction: divisors are odd numbers or'ed in, tile indices are clamped, sums
// of floats are of small integers, so that no order of adding changes them.
class random_tile_program {
 public:
  // A GPU moves elements along axes that are powers of two only.
  explicit random_tile_program(std::uint32_t seed, bool has_powers_of_two = false)
      : has_powers_of_two_(has_powers_of_two), random_(seed), builder_(2) {
    for (int n = 0; n < 5; ++n) shapes_.push_back(random_shape(n == 0 ? 2 : one_in(6) ? 6 : 1 + below(4)));
    declare_parameters();
    for (const int p : inputs_) values_.push_back(load(p));
    values_.push_back({builder_.block_id(0), type_of(dtype::index)});
    grow(6 + below(10), 0);
    for (const int p : outputs_) store(p);
    if (one_in(2)) combine();
  }

  const compiler::program& program() { return builder_.result(); }

 private:
  using op = ast::op;
  using ids = std::vector<value_id>;
  struct typed {
    value_id id;
    value_type type;
  };
  static constexpr std::int64_t most_elements = 2048;

  // ---- Choices
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  bool one_in(int count) { return below(count) == 0; }
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }
  dtype element() {
    return pick<dtype>({dtype::i8, dtype::u8, dtype::i16, dtype::u16, dtype::i32, dtype::i32, dtype::u32, dtype::i64,
                        dtype::u64, dtype::f16, dtype::bf16, dtype::f32, dtype::f32, dtype::f64, dtype::boolean});
  }
  dtype integer() {
    return pick<dtype>({dtype::i8, dtype::u8, dtype::i16, dtype::i32, dtype::i64, dtype::u64, dtype::index});
  }
  std::vector<std::int32_t> random_shape(int rank) {
    std::vector<std::int32_t> extents;
    std::int64_t elements = 1;
    for (int axis = 0; axis < rank; ++axis) {
      std::int32_t extent = has_powers_of_two_
                                ? pick<std::int32_t>({1, 2, 4, 8, 16, 32, 64})
                                : pick<std::int32_t>({1, 2, 3, 5, 7, 8, 15, 16, 17, 24, 31, 32, 33, 48, 64});
      if (elements * extent > most_elements) extent = pick<std::int32_t>({1, 2});
      if (elements * extent > most_elements) extent = 1;
      extents.push_back(extent);
      elements *= extent;
    }
    std::shuffle(extents.begin(), extents.end(), random_);
    return extents;
  }
  std::vector<std::int32_t> shape(int rank) {
    for (int tries = 0; tries < 8; ++tries) {
      const auto& known = shapes_[static_cast<std::size_t>(below(static_cast<int>(shapes_.size())))];
      if (static_cast<int>(known.size()) == rank) return known;
    }
    return random_shape(rank);
  }
  // Newer values are likelier, so that chains get long.
  typed some() { return values_[values_.size() - 1 - std::min(newness(), values_.size() - 1)]; }
  std::size_t newness() {
    return static_cast<std::size_t>(one_in(3) ? below(static_cast<int>(values_.size())) : below(4));
  }
  typed some_tile() {
    for (int tries = 0; tries < 20; ++tries) {
      const typed found = some();
      if (found.type.rank != 0) return found;
    }
    return adapted(some(), type_of(dtype::i32, shape(2)));
  }

  // ---- Parameters
  void declare_parameters() {
    for (int n = 1 + below(3); n >= 0; --n) inputs_.push_back(builder_.in(element(), 1 + below(4)));
    inputs_.push_back(table_ = builder_.in(element(), 2));
    for (int n = 1 + below(2); n > 0; --n) {
      outputs_.push_back(one_in(3) ? builder_.in_out(element(), shape(2)) : builder_.out(element(), shape(2)));
    }
    const dtype counted = pick<dtype>({dtype::i32, dtype::i64, dtype::u8});
    values_.push_back(made(op::scalar, type_of(counted), {}, {builder_.scalar(counted)}));
  }
  const compiler::program_parameter& parameter(int p) {
    return builder_.result().parameters[static_cast<std::size_t>(p)];
  }
  static value_type piece_type(const compiler::program_parameter& output) {
    return {.element = output.element, .rank = output.rank, .extents = output.piece};
  }

  // ---- Making values
  typed made(op which, const value_type& type, const ids& operands, std::vector<std::int64_t> attributes = {}) {
    return {builder_.value(which, type, operands, std::move(attributes)), type};
  }
  typed constant(const value_type& type) {
    if (type.element == dtype::boolean) return {builder_.constant(type, below(2)), type};
    return {builder_.constant(type, one_in(3) ? 0 : below(90) - (is_unsigned(type.element) ? 0 : 45)), type};
  }
  static value_type with_element(value_type type, dtype element) {
    type.element = element;
    return type;
  }
  static value_type with_extent(value_type type, int axis, std::int32_t extent) {
    type.extents[static_cast<std::size_t>(axis)] = extent;
    return type;
  }
  typed cast(const typed& v, dtype to) {
    return v.type.element == to ? v : made(op::cast, with_element(v.type, to), {v.id});
  }
  // Any value as one of another type: elements are cast, cut off or repeated.
  typed adapted(typed v, const value_type& to) {
    v = cast(v, to.element);
    const auto count = static_cast<std::int32_t>(to.elements());
    if (v.type.elements() == 1 && to.rank != 0) {
      const std::vector<std::int32_t> ones(static_cast<std::size_t>(to.rank), 1);
      if (v.type.rank != 0) v = made(op::reshape, type_of(to.element, ones), {v.id});
      return made(op::broadcast, to, {v.id});
    }
    auto have = static_cast<std::int32_t>(v.type.elements());
    if (have != count) {
      v = made(op::reshape, type_of(to.element, {have}), {v.id});
      while (have < count) {
        const std::int32_t next = std::min(have, count - have);
        const typed part = next == have ? v : cut(v, next);
        v = made(op::cat, type_of(to.element, {have += next}), one_in(2) ? ids{v.id, part.id} : ids{part.id, v.id},
                 {0});
      }
      if (have > count) v = cut(v, count);
    }
    return v.type == to ? v : made(op::reshape, to, {v.id});
  }
  typed cut(const typed& v, std::int32_t count) {
    const int last = v.type.extents[0] / count - 1;
    return made(op::extract, type_of(v.type.element, {count}), {v.id}, {below(last + 1), 0, 0, 0, 0, 0});
  }
  // A float as a small integer of the same element: sums and products of such are exact.
  typed small(const typed& v) {
    if (!is_floating(v.type.element)) return v;
    return cast(cast(v, dtype::i8), v.type.element);
  }

  // ---- Memory
  value_id clamped(value_id index, int p, int axis, std::int32_t extent) {
    const value_type type = type_of(dtype::index);
    const value_id tiles = builder_.value(op::tiles, type, {}, {p, axis, extent});
    const value_id last = builder_.value(op::subtract, type, {tiles, builder_.index(1)});
    const value_id above = builder_.value(op::maximum, type, {index, builder_.index(0)});
    return builder_.value(op::minimum, type, {above, last});
  }
  value_id some_index() {
    for (int tries = 0; tries < 6; ++tries) {
      const typed found = some();
      if (found.type.rank == 0) return cast(found, dtype::index).id;
    }
    return builder_.block_id(below(2));
  }
  typed load(int p) {
    const compiler::program_parameter from = parameter(p);
    const value_type type = type_of(from.element, shape(from.rank));
    ids place;
    for (int axis = 0; axis < type.rank; ++axis) {
      place.push_back(clamped(some_index(), p, axis, type.extents[static_cast<std::size_t>(axis)]));
    }
    if (one_in(3)) return {builder_.load_padded(p, type, place, constant(type_of(type.element)).id), type};
    return {builder_.load(p, type, place), type};
  }
  typed gather() {
    const typed from = some_tile();
    const auto rows = static_cast<std::int32_t>(std::min<std::int64_t>(from.type.elements(), 40));
    const auto columns = pick<std::int32_t>({1, 2, 7, 16, 33});
    const typed chosen = adapted(cast(from, integer()), type_of(integer(), {rows, 1}));
    const typed bounded =
        made(op::bit_and, chosen.type, {chosen.id, builder_.constant(type_of(chosen.type.element), 7)});
    const value_type type = type_of(parameter(table_).element, {rows, columns});
    return made(op::gather_rows, type, {bounded.id, clamped(some_index(), table_, 1, columns)}, {table_});
  }
  void store(int p) {
    const value_type type = piece_type(parameter(p));
    typed total = adapted(values_.back(), type);
    for (int n = 0; n < 5; ++n) total = mixed(total, adapted(some(), type));
    const bool is_read = parameter(p).kind == parameter_kind::in_out;
    if (is_read) total = mixed(total, piece(p, type));
    builder_.store(p, total.id);
    if (is_read && one_in(3)) builder_.store(p, mixed(piece(p, type), total).id);  // reads what was stored
  }
  // Blocks of a row share a piece. Of integers alone, as the order of blocks changes what a sum of floats gives.
  void combine() {
    const dtype element = pick<dtype>({dtype::i32, dtype::u32, dtype::i64, dtype::u64});
    const int p = builder_.accum(element, shape(1), static_cast<combiner>(below(combiner_count)));
    for (int n = 1 + below(2); n > 0; --n) builder_.combine(p, adapted(some(), piece_type(parameter(p))).id);
  }
  typed piece(int p, const value_type& type) {
    const typed whole = made(op::load_piece, type, {}, {p});
    return one_in(2) ? whole : adapted(permuted(whole), type);
  }
  typed mixed(const typed& a, const typed& b) {
    if (a.type.element == dtype::boolean) return made(op::bit_xor, a.type, {a.id, b.id});
    return made(is_floating(a.type.element) ? op::maximum : op::add, a.type, {a.id, b.id});
  }

  // ---- Element-wise
  // A value that broadcasts to a's shape or beyond, of a's element.
  typed partner(const typed& a) {
    for (int tries = 0; tries < 12; ++tries) {
      const typed found = some();
      if (found.type.element == a.type.element && fits(found.type, a.type)) return found;
    }
    if (one_in(3)) return constant(type_of(a.type.element));
    value_type type = a.type;
    for (int axis = 0; axis < type.rank; ++axis) {
      if (one_in(3)) type.extents[static_cast<std::size_t>(axis)] = 1;
    }
    return adapted(some(), type);
  }
  static bool fits(const value_type& a, const value_type& b) {
    if (a.rank == 0 || b.rank == 0) return true;
    if (a.rank != b.rank) return false;
    for (std::size_t axis = 0; axis < max_rank; ++axis) {
      if (a.extents[axis] != b.extents[axis] && a.extents[axis] != 1 && b.extents[axis] != 1) return false;
    }
    return joined(a, b).elements() <= most_elements;
  }
  static value_type joined(const value_type& a, const value_type& b) {
    value_type type = a.rank == 0 ? b : a;
    for (std::size_t axis = 0; axis < max_rank; ++axis) type.extents[axis] = std::max(a.extents[axis], b.extents[axis]);
    return type;
  }
  typed unary() {
    const typed a = some();
    if (a.type.element == dtype::boolean) return made(op::bit_not, a.type, {a.id});
    if (!is_floating(a.type.element)) {
      return made(pick<op>({op::negate, op::absolute, op::bit_not}), a.type, {a.id});
    }
    return made(pick<op>({op::negate, op::absolute, op::sqrt, op::floor, op::ceil}), a.type, {a.id});
  }
  typed binary() {
    const typed a = some(), b = partner(a);
    const value_type type = with_element(joined(a.type, b.type), a.type.element);
    if (type.element == dtype::boolean) {
      return made(pick<op>({op::bit_and, op::bit_or, op::bit_xor}), type, {a.id, b.id});
    }
    if (is_floating(type.element)) {
      if (one_in(4)) return made(op::fma, type, {a.id, b.id, one_in(2) ? a.id : b.id});
      return made(pick<op>({op::add, op::subtract, op::multiply, op::divide, op::minimum, op::maximum}), type,
                  {a.id, b.id});
    }
    if (one_in(4)) {
      const typed odd = made(op::bit_or, b.type, {b.id, builder_.constant(type_of(type.element), 1)});
      return made(pick<op>({op::divide, op::remainder, op::floor_div, op::floor_mod}), type, {a.id, odd.id});
    }
    if (one_in(12) && type.element != dtype::index) return made(op::multiply_high, type, {a.id, b.id});
    return made(pick<op>({op::add, op::subtract, op::multiply, op::minimum, op::maximum, op::bit_and, op::bit_or,
                          op::bit_xor, op::shift_left, op::shift_right}),
                type, {a.id, b.id});
  }
  typed compared() {
    const typed a = some(), b = partner(a);
    const value_type type = with_element(joined(a.type, b.type), dtype::boolean);
    if (a.type.element == dtype::boolean) return made(pick<op>({op::equal, op::not_equal}), type, {a.id, b.id});
    return made(pick<op>({op::less, op::less_equal, op::greater, op::greater_equal, op::equal, op::not_equal}), type,
                {a.id, b.id});
  }
  typed selected() {
    const typed condition = compared(), a = some();
    if (!fits(condition.type, a.type)) return condition;
    const value_type first = with_element(joined(condition.type, a.type), a.type.element);
    const typed b = partner({a.id, first});
    if (!fits(b.type, first)) return condition;
    return made(op::select, with_element(joined(first, b.type), a.type.element), {condition.id, a.id, b.id});
  }
  typed converted() {
    const typed v = some();
    const dtype to = one_in(8) ? dtype::index : element();
    // From floats to bits a NaN would show which one it is.
    const bool may_reinterpret = !is_floating(v.type.element) && v.type.element != dtype::boolean &&
                                 to != dtype::boolean && info(to).size_bytes == info(v.type.element).size_bytes;
    if (may_reinterpret && one_in(2)) return made(op::bitcast, with_element(v.type, to), {v.id});
    return cast(v, to);
  }

  // ---- Shapes
  typed permuted(const typed& v) {
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
    return made(op::permute, type, {v.id}, {packed});
  }
  // Splits, merges, and axes of one, also to rank 0 and back.
  typed reshaped(const typed& v) {
    if (v.type.elements() == 1) {
      const auto rank = static_cast<std::size_t>(below(4));
      return made(op::reshape, type_of(v.type.element, std::vector<std::int32_t>(rank, 1)), {v.id});
    }
    std::vector<std::int32_t> extents;
    std::int64_t rest = v.type.elements();
    while (rest > 1 && extents.size() < 4) {
      std::vector<std::int32_t> divisors = {static_cast<std::int32_t>(rest)};
      for (std::int32_t d = 2; d <= 64; ++d) {
        if (rest % d == 0) divisors.push_back(d);
      }
      extents.push_back(extents.size() == 3 ? static_cast<std::int32_t>(rest) : pick(divisors));
      rest /= extents.back();
      if (one_in(5) && extents.size() < 4) extents.push_back(1);
      if (extents.size() == 4 && rest > 1) extents[3] *= static_cast<std::int32_t>(rest);
    }
    std::shuffle(extents.begin(), extents.end(), random_);
    return made(op::reshape, type_of(v.type.element, extents), {v.id});
  }
  typed broadcast() {
    typed v = some_tile();
    value_type type = v.type;
    for (int axis = 0; axis < type.rank; ++axis) {
      if (type.extents[static_cast<std::size_t>(axis)] != 1) continue;
      const value_type wider = with_extent(type, axis, pick<std::int32_t>({2, 5, 16, 17, 33}));
      if (wider.elements() <= most_elements) type = wider;
    }
    return made(op::broadcast, type, {v.id});
  }
  typed extracted() {
    const typed v = some_tile();
    value_type type = v.type;
    std::vector<std::int64_t> positions(max_rank, 0);
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(type.rank); ++axis) {
      type.extents[axis] = 1 + below(type.extents[axis]);
      positions[axis] = below(v.type.extents[axis] / type.extents[axis]);
    }
    return made(op::extract, type, {v.id}, positions);
  }
  typed joined_parts() {
    const typed a = some_tile();
    const int axis = below(a.type.rank);
    const value_type part = with_extent(a.type, axis, pick<std::int32_t>({1, 3, 8, 16}));
    value_type type = with_extent(
        a.type, axis, a.type.extents[static_cast<std::size_t>(axis)] + part.extents[static_cast<std::size_t>(axis)]);
    if (type.elements() > most_elements) return permuted(a);
    return made(op::cat, type, {a.id, adapted(some(), part).id}, {axis});
  }

  // ---- Elements that meet
  typed reduced() {
    typed v = cast_number(some_tile());
    if (one_in(5)) return argmax(v);
    op which = pick<op>({op::reduce_sum, op::reduce_sum, op::reduce_max, op::reduce_min, op::reduce_product});
    if (is_floating(v.type.element) && which == op::reduce_product) which = op::reduce_sum;
    if (which == op::reduce_sum) v = small(v);
    for (int n = 1 + below(v.type.rank); n > 0; --n) {
      const int axis = below(v.type.rank);
      v = made(which, with_extent(v.type, axis, 1), {v.id}, {axis});
    }
    return v;
  }
  typed argmax(const typed& v) {
    const int axis = below(v.type.rank);
    return made(op::argmax, with_element(with_extent(v.type, axis, 1), dtype::index), {v.id}, {axis});
  }
  typed scanned() {
    typed v = cast_number(some_tile());
    op which = pick<op>({op::scan_sum, op::scan_sum, op::scan_max, op::scan_min, op::scan_product});
    if (is_floating(v.type.element) && which == op::scan_product) which = op::scan_sum;
    if (which == op::scan_sum) v = small(v);
    return made(which, v.type, {v.id}, {below(v.type.rank), below(2)});
  }
  typed cast_number(const typed& v) { return v.type.element == dtype::boolean ? cast(v, dtype::i32) : v; }

  typed product() {
    const typed sum = some_tile();
    const bool is_integer = one_in(2);
    if (sum.type.rank == 2) return product_onto(sum, is_integer);
    return product_onto(adapted(sum, type_of(dtype::i32, shape(2))), is_integer);
  }
  typed product_onto(const typed& sum, bool is_integer) {
    const auto depth = pick<std::int32_t>({1, 3, 8, 16, 17, 40, 64});
    const dtype factor = is_integer ? dtype::i8 : pick<dtype>({dtype::f16, dtype::bf16, dtype::f32});
    const value_type type = with_element(sum.type, is_integer ? dtype::i32 : dtype::f32);
    const typed a = operand_of_product(type_of(factor, {type.extents[0], depth}));
    const typed b = operand_of_product(type_of(factor, {depth, type.extents[1]}));
    const typed start = one_in(3) ? typed{builder_.constant(type, 0), type} : small(cast(sum, type.element));
    return made(op::mma, type, {a.id, b.id, start.id});
  }
  typed operand_of_product(const value_type& type) {
    if (one_in(2)) return small(adapted(some(), type));
    value_type turned = type;
    std::swap(turned.extents[0], turned.extents[1]);
    return made(op::permute, type, {small(adapted(some(), turned)).id}, {0x01});
  }

  typed created() {
    if (one_in(3)) return constant(type_of(element(), shape(1 + below(3))));
    const value_type type = type_of(integer(), shape(1 + below(3)));
    return made(op::iota, type, {}, {below(type.rank)});
  }

  // ---- Structure
  void grow(int steps, int depth) {
    for (int i = 0; i < steps; ++i) {
      switch (below(depth < 2 ? 22 : 19)) {
        case 0:
          values_.push_back(load(pick(inputs_)));
          break;
        case 1:
          values_.push_back(gather());
          break;
        case 2:
          values_.push_back(created());
          break;
        case 3:
          values_.push_back(unary());
          break;
        case 4:
          values_.push_back(compared());
          break;
        case 5:
        case 6:
          values_.push_back(selected());
          break;
        case 7:
          values_.push_back(converted());
          break;
        case 8:
        case 9:
          values_.push_back(permuted(some_tile()));
          break;
        case 10:
          values_.push_back(reshaped(some()));
          break;
        case 11:
          values_.push_back(broadcast());
          break;
        case 12:
          values_.push_back(extracted());
          break;
        case 13:
          values_.push_back(joined_parts());
          break;
        case 14:
          values_.push_back(reduced());
          break;
        case 15:
          values_.push_back(scanned());
          break;
        case 16:
          values_.push_back(product());
          break;
        case 17:
        case 18:
          values_.push_back(binary());
          break;
        case 19:
        case 20:
          loop(depth);
          break;
        default:
          branch(depth);
          break;
      }
    }
  }

  void loop(int depth) {
    std::vector<typed> start;
    for (int n = 1 + below(3); n > 0; --n)
      start.push_back(one_in(4) || start.empty() ? some() : adapted(some(), start.back().type));
    ids initial;
    for (const typed& v : start) initial.push_back(v.id);
    const value_id from = builder_.index(below(2)), to = builder_.index(below(5)), step = builder_.index(1 + below(2));
    const std::size_t outside = values_.size();
    const ids results = builder_.loop(from, to, step, initial, [&](value_id i, const ids& carried) {
      values_.push_back({i, type_of(dtype::index)});
      for (std::size_t n = 0; n < carried.size(); ++n) values_.push_back({carried[n], start[n].type});
      grow(2 + below(4), depth + 1);
      ids next;
      for (std::size_t n = 0; n < carried.size(); ++n) next.push_back(next_value(n, carried, start));
      values_.resize(outside);
      return next;
    });
    for (std::size_t n = 0; n < results.size(); ++n) values_.push_back({results[n], start[n].type});
  }
  value_id next_value(std::size_t slot, const ids& carried, const std::vector<typed>& start) {
    const value_type type = start[slot].type;
    const typed present{carried[slot], type};
    switch (below(7)) {
      case 0: {  // trades places
        const auto other = static_cast<std::size_t>(below(static_cast<int>(carried.size())));
        return adapted({carried[other], start[other].type}, type).id;
      }
      case 1:
        return adapted(permuted(present), type).id;
      case 2:
        return type.rank == 2 ? adapted(product_onto(present, one_in(2)), type).id : present.id;
      case 3:
      case 4:
        return mixed(present, adapted(some(), type)).id;
      default:
        return adapted(some(), type).id;
    }
  }

  void branch(int depth) {
    const typed flag = some();
    const typed one = made(op::cast, type_of(dtype::boolean), {first_element(flag).id});
    std::vector<value_type> types;
    for (int n = 1 + below(2); n > 0; --n) types.push_back(some().type);
    const std::size_t outside = values_.size();
    const auto side = [&] {
      grow(1 + below(3), depth + 1);
      ids given;
      for (const value_type& type : types) given.push_back(adapted(some(), type).id);
      values_.resize(outside);
      return given;
    };
    const ids results = builder_.branch(one.id, side, side);
    for (std::size_t n = 0; n < results.size(); ++n) values_.push_back({results[n], types[n]});
  }
  typed first_element(const typed& v) {
    if (v.type.rank == 0) return v;
    return made(op::reshape, type_of(v.type.element), {adapted(v, type_of(v.type.element, {1})).id});
  }

  const bool has_powers_of_two_;
  std::mt19937 random_;
  program_builder builder_;
  std::vector<std::vector<std::int32_t>> shapes_;
  std::vector<int> inputs_, outputs_;
  int table_ = -1;
  std::vector<typed> values_;  // those that may be named here, newest last
};

}  // namespace tilewright::test
