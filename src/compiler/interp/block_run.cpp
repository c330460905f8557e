// SPDX-License-Identifier: Apache-2.0
#include "compiler/interp/block_run.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "compiler/combiners.hpp"
#include "compiler/constant_bits.hpp"
#include "compiler/element_access.hpp"
#include "compiler/interp/along_axis.hpp"
#include "compiler/interp/element_wise.hpp"
#include "compiler/interp/movement.hpp"
#include "compiler/loops.hpp"
#include "compiler/print_sink.hpp"
#include "compiler/printed_line.hpp"
#include "compiler/report_fault.hpp"
#include "compiler/rounded_semantics.hpp"
#include "compiler/scalar_semantics.hpp"
#include "compiler/tile_access.hpp"

namespace tilewright::compiler::interp {
namespace {

using ast::op;

std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

int axis_of(const instruction& i) { return static_cast<int>(i.attributes[0]); }

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

tile block_run::value(value_id id) const { return {source_.values[at(id)], scratch_ + plan_.value_at[at(id)]}; }

const std::uint64_t* block_run::words(std::int64_t parameter) const {
  return parameters_ + plan_.parameter_at[at(parameter)];
}

tensor block_run::tensor_of(std::int64_t parameter) const {
  const std::uint64_t* block = words(parameter);
  const int rank = source_.parameters[at(parameter)].rank;
  // SAFETY: a word may be read as signed; the words follow the address as image.hpp says.
  const auto* extents = reinterpret_cast<const std::int64_t*>(block + 1);
  return {std::bit_cast<std::byte*>(block[0]), rank, extents, extents + rank};
}

void block_run::run(std::int64_t block) {
  for (int axis = max_rank - 1; axis >= 0; --axis) {
    block_id_[at(axis)] = block % grid_[axis];
    block /= grid_[axis];
  }
  if (observer_ != nullptr) observer_->begin(*this);
  execute(source_.entry.body);
}

void block_run::execute(std::span<const instruction> body) {
  for (const instruction& i : body) {
    execute(i);
    if (observer_ != nullptr) observer_->done(i, *this);
  }
}

// clang-format off
void block_run::execute(const instruction& i) {
  const auto parameter = [&] { return tensor_of(i.attributes[0]); };
  switch (i.op) {
    case op::scalar: std::memcpy(result(i).memory, words(i.attributes[0]), result(i).bytes()); return;
    case op::for_begin: loop(i); return;
    case op::while_begin: while_loop(i); return;
    case op::if_begin: branch(i); return;
    case op::reduce_begin: case op::scan_begin: combine_lines(i); return;

    case op::block_id: set_index(i, block_id_[at(i.attributes[0])]); return;
    case op::block_count: set_index(i, grid_[i.attributes[0]]); return;
    case op::extent: set_index(i, parameter().extents[i.attributes[1]]); return;
    case op::tiles: set_index(i, ceil_div(parameter().extents[i.attributes[1]], i.attributes[2])); return;

    case op::load: case op::load_window: load_tile(i); return;
    case op::load_piece: load(result(i), parameter(), block_id_, nullptr); return;
    case op::gather_rows: gather_row_tiles(i); return;
    case op::gather: gather(i); return;
    case op::store: case op::store_tile: store(parameter(), place_of(i), operand(i, 0)); return;
    case op::store_rows: store_rows(parameter(), operand(i, 0), operand(i, 1), block_id_[1]); return;
    case op::combine:
      combine(source_.parameters[at(i.attributes[0])].by, parameter(), block_id_, operand(i, 0)); return;

    case op::combine_at: combine_at(i); return;
    case op::assertion: (void)passes(i); return;
    case op::print: print(i); return;

    case op::constant: splat(i.attributes[0], result(i)); return;
    case op::table: table(i); return;
    case op::iota: iota(i); return;

    case op::reduce_sum: case op::reduce_product: case op::reduce_max: case op::reduce_min:
      reduce(i.op, result(i), operand(i, 0), axis_of(i)); return;
    case op::argmax: argmax(result(i), operand(i, 0), axis_of(i)); return;
    case op::scan_sum: case op::scan_product: case op::scan_max: case op::scan_min:
      scan(i.op, result(i), operand(i, 0), axis_of(i), i.attributes[1] != 0); return;
    case op::mma: mma(result(i), operand(i, 0), operand(i, 1), operand(i, 2), operand_scratch()); return;

    case op::permute: case op::reshape: case op::broadcast: case op::cat: case op::extract: move(i); return;

    case op::negate: case op::absolute: case op::bit_not: case op::exp: case op::exp2: case op::log: case op::log2:
    case op::sqrt: case op::rsqrt: case op::tanh: case op::sin: case op::cos: case op::tan: case op::sinh:
    case op::cosh: case op::floor: case op::ceil: case op::add: case op::subtract: case op::multiply: case op::divide:
    case op::remainder: case op::floor_div: case op::floor_mod: case op::minimum: case op::maximum: case op::pow:
    case op::atan2: case op::multiply_high: case op::bit_and: case op::bit_or: case op::bit_xor: case op::shift_left:
    case op::shift_right: case op::less: case op::less_equal: case op::greater: case op::greater_equal:
    case op::equal: case op::not_equal: case op::select: case op::fma: case op::cast: case op::bitcast:
      element_wise(i); return;

    case op::copy: case op::assign: case op::undefined: case op::for_end:
    case op::while_condition: case op::while_end: case op::if_else: case op::if_end:
    case op::combiner_left: case op::combiner_right: case op::combiner_end: case op::combined:
    case op::mma_scaled:
    case op::dim_value: case op::same_shape: case op::require_equal: case op::require: return;  // a program has none of them, or its loop sees to it
  }
}
// clang-format on

// ---- Structure -----------------------------------------------------------------------------------------------------
void block_run::copy_values(std::span<const value_id> to, std::span<const value_id> from) {
  for (std::size_t n = 0; n < from.size(); ++n) {
    const tile source = value(from[n]), target = value(to[n]);
    std::memcpy(target.memory, source.memory, source.bytes());
  }
  if (observer_ != nullptr) observer_->copied(to, from);
}

// The carried values rest in the results between iterations: yields may name each other's arguments.
void block_run::loop(const instruction& i) {
  const std::int64_t from = index(i.operands[0]), to = index(i.operands[1]), step = index(i.operands[2]);
  const block& body = i.blocks[0];
  copy_values(i.results, std::span(i.operands).subspan(3));
  if (from >= to) return;
  const auto length = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  const std::uint64_t last = (length - 1) / static_cast<std::uint64_t>(step);
  for (std::uint64_t n = 0; n <= last; ++n) {
    value(body.arguments[0]).as<std::int64_t>()[0] = from + static_cast<std::int64_t>(n) * step;
    copy_values(std::span(body.arguments).subspan(1), i.results);
    execute(body.body);
    copy_values(i.results, body.yields);
  }
}

void block_run::while_loop(const instruction& i) {
  const block& body = i.blocks[0];
  const std::span all(body.body);
  const std::size_t asked = condition_of(i);
  copy_values(i.results, i.operands);
  for (;;) {
    copy_values(body.arguments, i.results);
    execute(all.first(asked));
    if (!operand(all[asked], 0).as<bool>()[0]) return;
    execute(all.subspan(asked + 1));
    copy_values(i.results, body.yields);
  }
}

void block_run::branch(const instruction& i) {
  const block& taken = i.blocks[operand(i, 0).as<bool>()[0] ? 0 : 1];
  execute(taken.body);
  copy_values(i.results, taken.yields);
}

// Left is what was combined so far on the line, at first the identities; right the next elements. What the combiner
// gives goes to the results first: it may trade its left elements.
void block_run::combine_lines(const instruction& i) {
  const block& combiner = i.blocks[0];
  const std::size_t count = i.operands.size();
  const auto copy_element = [&](value_id to, index_t to_place, value_id from, index_t from_place) {
    const index_t bytes = value(to).element_bytes();
    std::memcpy(value(to).memory + to_place * bytes, value(from).memory + from_place * bytes,
                static_cast<std::size_t>(bytes));
  };
  const index_t extent = operand(i, 0).extent(axis_of(i));
  index_t line = 0;
  for_each_line(operand(i, 0), axis_of(i), [&](index_t first, index_t step) {
    for (std::size_t n = 0; n < count; ++n) splat(identity_of(i, n), value(combiner.arguments[n]));
    for (index_t k = 0; k < extent; ++k) {
      const index_t place = first + (is_reverse_scan(i) ? extent - 1 - k : k) * step;
      const index_t result_place = i.op == op::scan_begin ? place : line;
      for (std::size_t n = 0; n < count; ++n) copy_element(combiner.arguments[count + n], 0, i.operands[n], place);
      for (const instruction& next : combiner.body) execute(next);  // an observer is told of the whole walk
      for (std::size_t n = 0; n < count; ++n) copy_element(i.results[n], result_place, combiner.yields[n], 0);
      for (std::size_t n = 0; n < count; ++n) copy_element(combiner.arguments[n], 0, i.results[n], result_place);
    }
    ++line;
  });
}

// ---- Elements ------------------------------------------------------------------------------------------------------
void block_run::element_wise(const instruction& i) {
  const tile target = result(i);
  box elements = box_of(target.type);
  elements.add(target.memory, dense_steps(target));
  for (const value_id id : i.operands) elements.add(value(id).memory, broadcast_steps(value(id), target.type));
  const dtype element = value(i.operands.back()).type.element;
  (void)passes(i);  // a divisor of 0 counts as 1 either way
  const ast::rounding how = rounding_of(i);
  elements.for_each_row(how == ast::rounding::nearest_even ? element_wise_function(i.op, target.type.element, element)
                                                           : rounded_function(i.op, how, element));
}

void block_run::splat(std::int64_t word, const tile& into) {
  semantics::visit_element(into.type.element, [&]<class T>(std::type_identity<T>) {
    T element = semantics::from_constant<T>(word);
    fill(into, std::as_writable_bytes(std::span(&element, 1)).data());
  });
}

void block_run::print(const instruction& i) const {
  const printed_line line = line_of_print(source_, i);
  const std::vector<std::size_t> places = places_of(line);
  std::vector<std::byte> values(places.back());
  const std::size_t ids = line.values.size() - i.operands.size();
  for (std::size_t n = 0; n < line.values.size(); ++n) {
    std::byte* const to = values.data() + places[n];
    if (n < ids) {
      std::memcpy(to, &block_id_[n], sizeof block_id_[n]);
    } else {
      std::memcpy(to, operand(i, n - ids).memory, operand(i, n - ids).bytes());
    }
  }
  print_line(to_text(line, values.data()));
}

void block_run::table(const instruction& i) {
  const std::string elements = element_bytes(i.attributes, result(i).type.element);
  std::memcpy(result(i).memory, elements.data(), elements.size());
}

void block_run::iota(const instruction& i) {
  const tile target = result(i);
  const int axis = axis_of(i);
  index_t inner = 1;
  for (int next = axis + 1; next < target.type.rank; ++next) inner *= target.extent(next);
  semantics::visit_element(target.type.element, [&]<class T>(std::type_identity<T>) {
    for (index_t n = 0; n < target.size(); ++n) {
      target.as<T>()[n] = semantics::cast<T>(n / inner % target.extent(axis));
    }
  });
}

// ---- Memory and shape ----------------------------------------------------------------------------------------------
void block_run::load_tile(const instruction& i) {
  if (!passes(i)) return void(std::fill_n(result(i).memory, result(i).bytes(), std::byte{0}));
  load(result(i), covered_by(i), i.attributes[1] != 0 ? value(i.operands.back()).memory : nullptr);
}

covered block_run::covered_by(const instruction& i) const {
  const tensor whole = tensor_of(i.attributes[0]);
  steps step{};
  for (int axis = 0; axis < whole.rank; ++axis) step[at(axis)] = tile_step(source_, i, at(axis));
  return covered_part(i.results.empty() ? operand(i, 0) : result(i), whole, place_of(i), step);
}

// On whole axes the grid has one block, and a tile that is stored its index.
steps block_run::place_of(const instruction& i) const {
  const program_parameter& parameter = source_.parameters[at(i.attributes[0])];
  steps place = block_id_;
  std::size_t next = ast::loads_tile(i.op) ? 0 : 1;
  for (int axis = 0; axis < parameter.rank; ++axis) {
    const bool is_named = ast::loads_tile(i.op) || (i.op == op::store_tile && parameter.has_whole(at(axis)));
    if (is_named) place[at(axis)] = index(i.operands[next++]);
  }
  if (i.op == op::gather_rows) place = {0, index(i.operands[1])};
  return place;
}

void block_run::gather_row_tiles(const instruction& i) {
  (void)passes(i);  // what is outside gives 0 either way
  gather_rows(result(i), tensor_of(i.attributes[0]), operand(i, 0), index(i.operands[1]));
}

chosen_lanes block_run::choose(const instruction& i) const {
  chosen_lanes chosen{.type = lanes_of(source_, i)};
  const auto first = i.operands.begin() + static_cast<std::ptrdiff_t>(first_index(i));
  for (int axis = 0; axis < tensor_of(i.attributes[0]).rank; ++axis) chosen.indices.push_back(value(first[axis]));
  if (mask_of(i) != no_value) chosen.mask.emplace(value(mask_of(i)));
  return chosen;
}

void block_run::gather(const instruction& i) {
  (void)passes(i);  // what is outside gives 0 either way
  gather_elements(result(i), tensor_of(i.attributes[0]), choose(i));
}

void block_run::combine_at(const instruction& i) {
  (void)passes(i);  // what is outside combines nothing either way
  const combiner by = source_.parameters[at(i.attributes[0])].by;
  combine_elements(by, tensor_of(i.attributes[0]), choose(i), operand(i, 0));
}

// ---- Residual checks -----------------------------------------------------------------------------------------------
bool block_run::passes(const instruction& i) const {
  bool all = true;
  for (const std::int32_t check : i.residual_checks) all = holds(i, check) && all;
  return all;
}

bool block_run::holds(const instruction& i, std::int32_t check) const {
  if (i.op == op::assertion) return holds_everywhere(i, check);
  const residual_check& rule = source_.residual_checks[at(check)];
  const tile operand = value(i.operands[at(rule.operand)]);
  const auto for_each_element = [&](auto body) {
    semantics::visit_element(operand.type.element, [&]<class T>(std::type_identity<T>) {
      for (index_t n = 0; n < operand.size(); ++n) body(semantics::cast<std::int64_t>(operand.as<T>()[n]));
    });
  };
  bool all = true;
  switch (rule.what) {
    case residual_check::kind::tile_index: {
      const std::int64_t extent = tensor_of(i.attributes[0]).extents[rule.axis];
      return is_within(check, index(i.operands[at(rule.operand)]),
                       ceil_div(extent, tile_step(source_, i, at(rule.axis))));
    }
    case residual_check::kind::row_index: {
      const std::int64_t rows = tensor_of(i.attributes[0]).extents[0];
      for_each_element([&](std::int64_t row) { all = is_within(check, row, rows) && all; });
      return all;
    }
    case residual_check::kind::element_index:
      return has_chosen(i, check);
    case residual_check::kind::divisor:
      for_each_element([&](std::int64_t divisor) { all = all && divisor != 0; });
      if (!all) report_fault(faults_, check, {0, 0, 0});
      return all;
    case residual_check::kind::assertion:
    case residual_check::kind::step:
    case residual_check::kind::requirement:
      break;  // of assertions
  }
  return false;
}

bool block_run::holds_everywhere(const instruction& i, std::int32_t check) const {
  const residual_check& rule = source_.residual_checks[at(check)];
  const tile condition = operand(i, 0);
  const bool* const first = condition.as<bool>();
  const index_t failing = std::find(first, first + condition.size(), false) - first;
  if (failing == condition.size()) return true;
  const bool is_told = i.operands.size() > 1, counts_tiles = is_told && !i.attributes.empty();
  const std::int64_t got = is_told ? operand(i, 1).as<std::int64_t>()[failing] : failing;
  const std::int64_t count =
      counts_tiles ? ceil_div(tensor_of(i.attributes[0]).extents[rule.axis], i.attributes[1]) : 1;
  report_fault(faults_, check, {got, 0, count - 1});
  return false;
}

// In lanes that the mask leaves out an index may be anything.
bool block_run::has_chosen(const instruction& i, std::int32_t check) const {
  const residual_check& rule = source_.residual_checks[at(check)];
  const std::int64_t extent = tensor_of(i.attributes[0]).extents[rule.axis];
  const chosen_lanes chosen = choose(i);
  bool all = true;
  for_each_lane(chosen,
                [&](index_t, const steps& index) { all = is_within(check, index[at(rule.axis)], extent) && all; });
  return all;
}

bool block_run::is_within(std::int32_t check, std::int64_t got, std::int64_t count) const {
  if (got >= 0 && got < count) return true;
  report_fault(faults_, check, {got, 0, count - 1});
  return false;
}

void block_run::move(const instruction& i) {
  const tile operands[] = {operand(i, 0), value(i.operands.back())};  // cat alone has two
  move_elements(i, result(i), std::span(operands).first(i.operands.size()));
}

}  // namespace tilewright::compiler::interp
