// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/random_program.hpp"

#include <algorithm>

#include "support/fuzz/program_values.hpp"
#include "tilewright/ast/products.hpp"

namespace tilewright::test {
namespace {

using ast::op_category;

bool is_division(ast::op which, dtype element) {
  using enum ast::op;
  return !is_floating(element) && (which == divide || which == remainder || which == floor_div || which == floor_mod);
}

class program_maker : private program_values {
 public:
  program_maker(std::uint32_t seed, extents kind, int grid_rank) : program_values(seed, kind, grid_rank) {
    for (int n = 0; n < 4; ++n) shapes_.push_back(random_shape(n == 0 ? 2 : n == 1 ? grid_rank : below(5)));
    declare_parameters();
    for (const int p : inputs_) values_.push_back(load(p));
    grow(2 + below(6), 0);
    for (const int p : outputs_) store(p);
    store_inexact();
    if (grid_rank > 0 && one_in(3)) combine();
  }

  compiler::program result() { return builder_.result(); }

 private:
  // ---- Parameters
  void declare_parameters() {
    for (int n = 1 + below(2); n > 0; --n) {
      const int rank = one_in(10) ? 0 : 1 + below(4);
      inputs_.push_back(builder_.in(element(), rank));
    }
    inputs_.push_back(table_ = builder_.in(element(), 2));
    for (int n = 1 + below(2); n > 0; --n) {
      const dtype stored = element();
      const auto piece = shape(grid_rank_);
      outputs_.push_back(one_in(3) ? builder_.in_out(stored, piece) : builder_.out(stored, piece));
    }
    const dtype given = element();
    values_.push_back(made(op::scalar, type_of(given), {}, {builder_.scalar(given)}));
    values_.push_back(position());
  }
  const compiler::program_parameter& parameter(int p) {
    return builder_.result().parameters[static_cast<std::size_t>(p)];
  }
  value_type piece_type(int p) {
    const compiler::program_parameter& output = parameter(p);
    return {.element = output.element, .rank = output.rank, .extents = output.piece};
  }

  // One of the first list, or of the second where extents are powers of two.
  std::int32_t extent_of(const std::vector<std::int32_t>& any, const std::vector<std::int32_t>& powers_of_two) {
    return pick(kind_ == extents::any ? any : powers_of_two);
  }

  // ---- Positions and memory
  typed block_id() {
    if (grid_rank_ == 0) return index(0);
    return made(op::block_id, type_of(dtype::index), {}, {below(grid_rank_)});
  }
  typed position() {
    const int p = pick(inputs_), rank = parameter(p).rank, which = below(4);
    const value_type type = type_of(dtype::index);
    if (which == 0 && grid_rank_ > 0) return made(op::block_count, type, {}, {below(grid_rank_)});
    if (which == 1 && rank > 0) return made(op::extent, type, {}, {p, below(rank)});
    return block_id();
  }
  typed some_index() {
    for (int tries = 0; tries < 6; ++tries) {
      const typed found = some();
      if (found.type.rank == 0 && found.facts.ulp == 0) return cast(found, dtype::index);
    }
    return block_id();
  }
  // Within the tiles of an axis; now and then the kernel has to see whether it is.
  typed tile_index(int p, int axis, std::int32_t extent) {
    if (one_in(16)) return adapted(exact(some_tile()), type_of(dtype::index));
    const typed wild = some_index();
    const typed tiles = made(op::tiles, type_of(dtype::index), {}, {p, axis, extent});
    const typed last = made(op::subtract, tiles.type, {tiles, index(1)});
    return made(op::minimum, tiles.type, {made(op::maximum, tiles.type, {wild, index(0)}), last});
  }
  typed load(int p) {
    const compiler::program_parameter from = parameter(p);
    const value_type type = type_of(from.element, shape(from.rank));
    std::vector<typed> place;
    for (int axis = 0; axis < type.rank; ++axis) {
      place.push_back(tile_index(p, axis, type.extents[static_cast<std::size_t>(axis)]));
    }
    const bool is_padded = one_in(3);
    if (is_padded) place.push_back(some_constant(type_of(type.element)));
    return made(op::load, type, place, {p, is_padded ? 1 : 0});
  }
  // Of each axis now and then a tile that begins where a partition has one, too.
  typed load_window(int p) {
    const compiler::program_parameter from = parameter(p);
    const value_type type = type_of(from.element, shape(from.rank));
    std::vector<typed> place;
    std::vector<std::int64_t> attributes = {p, one_in(3) ? 1 : 0, 0, 0, 0, 0, 0, 0};
    for (int axis = 0; axis < type.rank; ++axis) {
      const std::int32_t extent = type.extents[static_cast<std::size_t>(axis)];
      const std::int32_t stride = one_in(3) ? extent : one_in(2) ? 1 : 1 + below(2 * extent);
      place.push_back(tile_index(p, axis, stride));
      attributes[2 + static_cast<std::size_t>(axis)] = stride;
    }
    if (attributes[1] != 0) place.push_back(some_constant(type_of(type.element)));
    return made(op::load_window, type, place, attributes);
  }
  typed gather() {
    const typed from = exact(some_tile());
    const auto rows = static_cast<std::int32_t>(std::min<std::int64_t>(from.type.elements(), 32));
    const std::int32_t columns = extent_of({1, 2, 7, 16, 33}, {1, 8, 32});
    const dtype counter = element_of(op::floor_mod);
    typed chosen = adapted(from, type_of(counter, {rows, 1}));
    if (one_in(6)) {
      chosen = constant(chosen.type, 0);
    } else if (!one_in(12)) {  // else the kernel checks the rows
      chosen = clamped(cast(chosen, dtype::index), extent_of_table());
    }
    const value_type type = type_of(parameter(table_).element, {rows, columns});
    return made(op::gather_rows, type, {chosen, tile_index(table_, 1, columns)}, {table_});
  }
  // Elements of an input, for indices of one shape; now and then the kernel has to see whether they are inside.
  typed gathered_elements() {
    const int p = pick(inputs_);
    const value_type lanes = some_tile().type;
    std::vector<typed> operands;
    for (int axis = 0; axis < parameter(p).rank; ++axis) {
      typed chosen = cast(adapted(exact(some()), with_element(lanes, element_of(op::floor_mod))), dtype::index);
      if (axis > 0 || !one_in(12)) chosen = clamped(chosen, made(op::extent, type_of(dtype::index), {}, {p, axis}));
      operands.push_back(chosen);
    }
    if (operands.empty()) return gather();
    const bool is_masked = one_in(2);
    if (is_masked) operands.push_back(adapted(exact(some()), with_element(lanes, dtype::boolean)));
    return made(op::gather, with_element(lanes, parameter(p).element), operands, {p, is_masked ? 1 : 0});
  }
  typed clamped(const typed& chosen, const typed& extent) {
    const typed last = made(op::subtract, extent.type, {extent, index(1)});
    return made(op::minimum, chosen.type, {made(op::maximum, chosen.type, {chosen, index(0)}), last});
  }
  typed extent_of_table() { return made(op::extent, type_of(dtype::index), {}, {table_, 0}); }

  void store(int p) {
    const value_type type = piece_type(p);
    typed total = exact(adapted(values_.back(), type));
    for (int n = 0; n < 2; ++n) total = mixed(total, exact(adapted(some(), type)));
    const bool is_read = parameter(p).kind == parameter_kind::in_out;
    if (is_read) total = mixed(total, piece(p, type));
    builder_.store(p, total.id);
    if (is_read && one_in(3)) builder_.store(p, mixed(piece(p, type), total).id);  // reads what was stored
  }
  typed piece(int p, const value_type& type) { return made(op::load_piece, type, {}, {p}); }

  // Numbers that back ends may round in their own way get an output that nothing else is mixed into.
  void store_inexact() {
    int left = 2;
    for (std::size_t n = values_.size(); n-- > 0 && left > 0;) {
      const typed found = values_[n];
      if (found.facts.ulp == 0) continue;
      const int p = builder_.out(found.type.element, shape(grid_rank_));
      builder_.store(p, adapted(found, piece_type(p)).id);
      --left;
    }
  }
  // Blocks of a row share a piece. No sums of floats, as the order of blocks changes what they give.
  void combine() {
    const dtype element = pick<dtype>({dtype::i32, dtype::u32, dtype::i64, dtype::u64, dtype::f32, dtype::f64});
    const combiner by = is_floating(element) ? pick<combiner>({combiner::min, combiner::max})
                                             : static_cast<combiner>(below(combiner_count));
    const int p = builder_.accum(element, shape(grid_rank_ - 1), by);
    for (int n = 1 + below(2); n > 0; --n) builder_.combine(p, exact(adapted(some(), piece_type(p))).id);
  }

  // ---- Element-wise: any row of the table
  op element_wise_op() {
    for (;;) {
      const op which = static_cast<op>(below(ast::op_count));
      const op_category category = ast::info(which).category;
      if (category == op_category::unary || category == op_category::binary || category == op_category::comparison ||
          category == op_category::ternary) {
        return which;
      }
    }
  }
  typed element_wise() {
    const op which = element_wise_op();
    const ast::op_info& row = ast::info(which);
    if (which == op::select) return selected();
    const bool only_moves =
        which == op::negate || which == op::absolute || which == op::minimum || which == op::maximum;
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
  // Now and then another than to nearest even, of those that leave nothing open.
  std::vector<std::int64_t> some_rounding(op which, dtype element) {
    if (!ast::states_rounding(which) || !one_in(3)) return {};
    const auto how = static_cast<ast::rounding>(1 + below(ast::rounding_count - 1));
    const bool is_exact = ast::is_directed(how) || (how == ast::rounding::flushed && ast::info(which).ulp <= 0.5);
    if (!is_exact || !ast::may_round(which, how) || !ast::is_rounded(element, how)) return {};
    return {static_cast<std::int64_t>(how)};
  }
  // A value that broadcasts to a's shape or beyond, of a's element.
  typed partner(const typed& a) {
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
  // Not zero; now and then the kernel has to see.
  typed divisor(const typed& b) {
    if (one_in(8)) return b;
    const bool is_negative = !is_unsigned(b.type.element) && one_in(3);
    const typed limit = constant(type_of(b.type.element), is_negative ? -1 : 1);
    return made(is_negative ? op::minimum : op::maximum, b.type, {b, limit});
  }
  typed condition() {
    const typed a = exact(some());
    const op which = a.type.element == dtype::boolean
                         ? pick<op>({op::equal, op::not_equal})
                         : pick<op>({op::less, op::less_equal, op::greater, op::greater_equal, op::equal});
    const typed b = exact(partner(a));
    return made(which, with_element(joined(a.type, b.type), dtype::boolean), {a, b});
  }
  typed selected() {
    const typed chooses = condition(), a = some();
    if (!fits(chooses.type, a.type)) return chooses;
    const value_type first = with_element(joined(chooses.type, a.type), a.type.element);
    const typed b = partner({a.id, first, a.facts});
    if (!fits(b.type, first)) return chooses;
    return made(op::select, with_element(joined(first, b.type), a.type.element), {chooses, a, b});
  }
  typed converted() {
    const typed v = exact(some());
    const dtype to = one_in(8) ? dtype::index : element();
    const bool may_reinterpret =
        to != dtype::boolean && info(to).size_bytes == info(v.type.element).size_bytes && v.type.element != to;
    if (!may_reinterpret || one_in(2)) return cast(v, to);
    // A NaN would show which one it is.
    return made(op::bitcast, with_element(v.type, to), {is_floating(v.type.element) ? without_nan(v) : v});
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
    return made(op::permute, type, {v}, {packed});
  }
  // Splits, merges, and axes of one, also to rank 0 and back.
  typed reshaped(const typed& v) {
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
  typed repeated() {
    const typed v = some_tile();
    value_type type = v.type;
    for (int axis = 0; axis < type.rank; ++axis) {
      if (type.extents[static_cast<std::size_t>(axis)] != 1) continue;
      const std::int32_t wider = extent_of({2, 5, 16, 17, 33}, {2, 16, 32});
      if (type.elements() * wider <= most_elements) type = with_extent(type, axis, wider);
    }
    return made(op::broadcast, type, {v});
  }
  typed extracted() {
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
  typed joined_parts() {
    const typed a = some_tile();
    const int axis = below(a.type.rank);
    const std::int32_t here = a.type.extents[static_cast<std::size_t>(axis)];
    const std::int32_t more = kind_ == extents::any ? pick<std::int32_t>({1, 3, 8, 16, here}) : here;
    const value_type type = with_extent(a.type, axis, here + more);
    if (type.elements() > most_elements) return permuted(a);
    return made(op::cat, type, {a, adapted(some(), with_extent(a.type, axis, more))}, {axis});
  }

  // ---- Elements that meet
  typed number(const typed& v) { return v.type.element == dtype::boolean ? cast(v, dtype::i32) : v; }
  // One of the three, or -1, 0 and 1 where that is what it takes.
  typed fit_for(op combined, const typed& v) {
    const bool is_float = is_floating(v.type.element);
    if (is_float && combined == op::multiply) return cast(cast(exact(v), dtype::boolean), v.type.element);
    return is_float && combined == op::add ? small(v) : v;
  }
  typed reduced() {
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
  typed argmax(const typed& v) {
    const int axis = below(v.type.rank);
    return made(op::argmax, with_element(with_extent(v.type, axis, 1), dtype::index), {v}, {axis});
  }
  typed scanned() {
    const op which = pick<op>({op::scan_sum, op::scan_sum, op::scan_max, op::scan_min, op::scan_product});
    const typed v = fit_for(ast::combining_op(which), number(some_tile()));
    const int axis = below(v.type.rank);
    return made(which, v.type, {v}, {axis, below(2)});
  }

  // The least of whole numbers, and what stands beside it in all, along an axis: exact in any order.
  typed combined() {
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
  ids joined_least(const ids& left, const ids& right) {
    const value_id least = builder_.like(op::minimum, {left[0], right[0]});
    const value_id nothing = builder_.constant(type_of(dtype::i32), 0);
    const auto beside = [&](const ids& side) {
      const value_id is_least = builder_.value(op::equal, type_of(dtype::boolean), {side[0], least});
      return builder_.value(op::select, type_of(dtype::i32), {is_least, side[1], nothing});
    };
    const value_id of_left = beside(left), of_right = beside(right);
    return {least, builder_.like(op::add, {of_left, of_right})};
  }

  typed product() {
    const typed sum = some_tile();
    const bool is_there = ast::is_product_rank(sum.type.rank);
    return product_onto(is_there ? sum : adapted(sum, type_of(dtype::i32, shape(one_in(3) ? 3 : 2))));
  }
  typed product_onto(const typed& sum) {
    const dtype left = pick<dtype>({dtype::i8, dtype::u8, dtype::f16, dtype::bf16, dtype::f32, dtype::f64});
    const dtype right = ast::is_byte(left) ? pick<dtype>({dtype::i8, dtype::u8}) : left;
    dtype total = ast::is_byte(left) ? dtype::i32 : left == dtype::f64 ? dtype::f64 : dtype::f32;
    const std::int32_t depth = extent_of({1, 3, 8, 16, 17, 40, 64}, {1, 8, 16, 32, 64});
    if (left == dtype::f16 && one_in(3)) total = dtype::f16;  // of -1, 0 and 1
    const value_type type = with_element(sum.type, total);
    const bool is_tiny = total == dtype::f16;
    const int column = type.rank - 1;
    const typed a = factor(with_extent(with_element(type, left), column, depth), is_tiny);
    const typed b = factor(with_extent(with_element(type, right), column - 1, depth), is_tiny);
    const typed start = one_in(3) ? constant(type, 0) : addend(sum, total);
    return made(op::mma, type, {a, b, start}, {0});
  }
  typed addend(const typed& sum, dtype total) {
    const typed start = without_nan(small(cast(sum, total)));
    return total == dtype::f16 ? cast(cast(start, dtype::boolean), total) : start;
  }
  typed factor(const value_type& type, bool is_tiny) {
    const bool is_turned = one_in(2);
    const auto column = static_cast<std::size_t>(type.rank) - 1;
    value_type turned = type;
    if (is_turned) std::swap(turned.extents[column], turned.extents[column - 1]);
    typed made_factor = small(adapted(some(), turned));
    if (is_tiny) made_factor = cast(cast(made_factor, dtype::boolean), type.element);
    return is_turned ? made(op::permute, type, {made_factor}, {type.rank == 2 ? 0x01 : 0x120}) : made_factor;
  }

  typed created() {
    if (one_in(3)) {
      const dtype filled = element();
      return some_constant(type_of(filled, shape(below(4))));
    }
    const int rank = 1 + below(3), axis = below(rank);
    value_type type = type_of(element_of(op::iota), std::vector<std::int32_t>(static_cast<std::size_t>(rank), 1));
    return made(op::iota, with_extent(type, axis, shape(1)[0]), {}, {axis});
  }

  // ---- Structure
  typed anything() {
    switch (below(22)) {
      case 0:
        return one_in(3) ? load_window(pick(inputs_)) : load(pick(inputs_));
      case 1:
        return one_in(3) ? gathered_elements() : gather();
      case 2:
        return created();
      case 3:
        return position();
      case 4:
      case 5:
        return converted();
      case 6:
        return permuted(some_tile());
      case 7:
        return reshaped(some());
      case 8:
        return repeated();
      case 9:
        return extracted();
      case 10:
        return joined_parts();
      case 11:
      case 12:
        return reduced();
      case 13:
        return scanned();
      case 14:
        return product();
      case 15:
        return selected();
      case 16:
        return combined();
      default:
        return element_wise();
    }
  }
  void grow(int steps, int depth) {
    for (int i = 0; i < steps; ++i) {
      const int choice = below(depth < 2 ? 13 : 10);
      if (choice < 10) values_.push_back(anything());
      if (choice == 10) loop(depth);
      if (choice == 11) branch(depth);
      if (choice == 12) while_loop(depth);
    }
  }

  // What a loop or a branch gives: any numbers, as inexact as those that it was given.
  static typed given_as(value_id id, const typed& model) {
    value_facts facts = any_number(model.type.element);
    facts.ulp = model.facts.ulp;
    return {id, model.type, facts};
  }
  typed no_worse(const typed& v, const typed& model) { return v.facts.ulp <= model.facts.ulp ? v : exact(v); }

  void loop(int depth) {
    std::vector<typed> start;
    for (int n = 1 + below(3); n > 0; --n) {
      start.push_back(one_in(4) || start.empty() ? some() : adapted(some(), start.back().type));
    }
    ids initial;
    for (const typed& v : start) initial.push_back(v.id);
    const typed from = index(below(2)), to = index(below(5)), step = index(1 + below(2));
    const std::size_t outside = values_.size();
    const ids results = builder_.loop(from.id, to.id, step.id, initial, [&](value_id i, const ids& carried) {
      values_.push_back({i, type_of(dtype::index)});
      std::vector<typed> present;
      for (std::size_t n = 0; n < carried.size(); ++n) present.push_back(given_as(carried[n], start[n]));
      values_.insert(values_.end(), present.begin(), present.end());
      grow(1 + below(3), depth + 1);
      ids next;
      for (const typed& slot : present) next.push_back(no_worse(next_value(slot, present), slot).id);
      values_.resize(outside);
      return next;
    });
    for (std::size_t n = 0; n < results.size(); ++n) values_.push_back(given_as(results[n], start[n]));
  }
  // Counts up to a small number, so that it ends whatever else its condition asks; first_type_fault looks for that.
  void while_loop(int depth) {
    std::vector<typed> start = {index(below(2))};
    for (int n = below(3); n > 0; --n) start.push_back(some());
    ids initial;
    for (const typed& v : start) initial.push_back(v.id);
    const typed limit = index(below(5));
    const std::size_t outside = values_.size();
    std::vector<typed> present;
    const auto condition = [&](const ids& carried) {
      for (std::size_t n = 0; n < carried.size(); ++n) present.push_back(given_as(carried[n], start[n]));
      values_.insert(values_.end(), present.begin(), present.end());
      const typed goes_on = made(op::less, type_of(dtype::boolean), {present[0], limit});
      if (one_in(2)) return goes_on.id;
      grow(1 + below(2), 2);
      const typed asked = adapted(exact(some()), type_of(dtype::boolean));
      return made(op::bit_and, goes_on.type, {goes_on, asked}).id;
    };
    const ids results = builder_.while_loop(initial, condition, [&](const ids&) {
      grow(1 + below(3), depth + 1);
      ids next = {made(op::add, present[0].type, {present[0], index(1)}).id};
      for (std::size_t n = 1; n < present.size(); ++n) {
        next.push_back(no_worse(next_value(present[n], present), present[n]).id);
      }
      return next;
    });
    values_.resize(outside);
    for (std::size_t n = 0; n < results.size(); ++n) values_.push_back(given_as(results[n], start[n]));
  }
  typed next_value(const typed& slot, const std::vector<typed>& present) {
    switch (below(7)) {
      case 0:  // trades places
        return adapted(pick(present), slot.type);
      case 1:
        return adapted(permuted(slot), slot.type);
      case 2:
        return slot.type.rank == 2 ? adapted(product_onto(slot), slot.type) : slot;
      case 3:
      case 4: {
        const typed kept = exact(slot);
        return mixed(kept, exact(adapted(some(), slot.type)));
      }
      default:
        return adapted(some(), slot.type);
    }
  }

  void branch(int depth) {
    const typed flag = exact(some());
    const typed chooses = adapted(flag, type_of(dtype::boolean));
    std::vector<typed> models;
    for (int n = 1 + below(2); n > 0; --n) models.push_back(some());
    const std::size_t outside = values_.size();
    const auto side = [&] {
      grow(1 + below(2), depth + 1);
      ids given;
      for (const typed& model : models) given.push_back(no_worse(adapted(some(), model.type), model).id);
      values_.resize(outside);
      return given;
    };
    const ids results = builder_.branch(chooses.id, side, side);
    for (std::size_t n = 0; n < results.size(); ++n) values_.push_back(given_as(results[n], models[n]));
  }

  std::vector<int> inputs_, outputs_;
  int table_ = -1;
};

int grid_rank_of(std::uint32_t seed) {
  constexpr int ranks[] = {2, 2, 1, 2, 3, 2, 1, 2, 0, 2, 4, 1, 2};
  return ranks[seed % std::size(ranks)];
}

}  // namespace

compiler::program random_program(std::uint32_t seed, extents kind) {
  return program_maker(seed, kind, grid_rank_of(seed)).result();
}

}  // namespace tilewright::test
