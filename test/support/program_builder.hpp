// SPDX-License-Identifier: Apache-2.0
// Builds a compiler::program by hand, for tests of back ends that need neither capture nor bind. Result types are
// stated by the caller or follow the operands; nothing is verified.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::test {

using compiler::value_id;
using compiler::value_type;

inline value_type type_of(dtype element, const std::vector<std::int32_t>& shape = {}) {
  value_type type{.element = element, .rank = static_cast<std::int8_t>(shape.size()), .extents = {}};
  for (std::size_t axis = 0; axis < shape.size(); ++axis) type.extents[axis] = shape[axis];
  return type;
}

class program_builder {
 public:
  explicit program_builder(int grid_rank = 1) {
    static constexpr char texts[] = "here\0{}\0{} beside {}";
    static ast::module_view no_records{};
    no_records.name = "hand-built";
    no_records.texts = texts;
    no_records.texts_size = sizeof texts;
    program_.module = &no_records;
    program_.grid_rank = grid_rank;
  }
  program_builder(const program_builder&) = delete;
  program_builder& operator=(const program_builder&) = delete;

  // ---- Parameters: their position
  int in(dtype element, int rank) { return parameter(parameter_kind::in, element, rank, {}); }
  int out(dtype element, const std::vector<std::int32_t>& piece) {
    return parameter(parameter_kind::out, element, static_cast<int>(piece.size()), piece);
  }
  int in_out(dtype element, const std::vector<std::int32_t>& piece) {
    return parameter(parameter_kind::in_out, element, static_cast<int>(piece.size()), piece);
  }
  int accum(dtype element, const std::vector<std::int32_t>& piece, combiner by = combiner::sum) {
    const int made = parameter(parameter_kind::accum, element, static_cast<int>(piece.size()), piece);
    program_.parameters.back().by = by;
    return made;
  }
  // The indices come first.
  int unique(dtype element) { return parameter(parameter_kind::unique, element, 1, {}); }
  int scatter(dtype element, const std::vector<std::int32_t>& piece, int indices) {
    const int made = parameter(parameter_kind::scatter, element, static_cast<int>(piece.size()), piece);
    program_.parameters.back().placed_by = indices;
    return made;
  }
  int scalar(dtype element) { return parameter(parameter_kind::scalar, element, 0, {}); }

  // ---- Instructions
  value_id value(ast::op which, const value_type& type, std::vector<value_id> operands = {},
                 std::vector<std::int64_t> attributes = {}) {
    const value_id id = new_value(type);
    append({.op = which,
            .operands = std::move(operands),
            .results = {id},
            .attributes = std::move(attributes),
            .blocks = {},
            .location = {}});
    return id;
  }
  // An element-wise op whose result has the type of its operand of greatest rank (of the last such one).
  value_id like(ast::op which, const std::vector<value_id>& operands) {
    value_type widest;
    for (const value_id id : operands) {
      const value_type& next = program_.values[static_cast<std::size_t>(id)];
      if (next.rank >= widest.rank) widest = next;
    }
    return value(which, widest, operands);
  }
  template <class Number>
  value_id constant(const value_type& type, Number number) {
    const std::int64_t word = is_floating(type.element) ? std::bit_cast<std::int64_t>(static_cast<double>(number))
                                                        : static_cast<std::int64_t>(number);
    return value(ast::op::constant, type, {}, {word});
  }
  value_id index(std::int64_t number) { return constant(type_of(dtype::index), number); }
  value_id block_id(int axis) { return value(ast::op::block_id, type_of(dtype::index), {}, {axis}); }
  // The tile of an In parameter at a tile index, which defaults to this block's ids.
  value_id load(int from, const value_type& type, std::vector<value_id> place = {}) {
    for (int axis = static_cast<int>(place.size()); axis < type.rank; ++axis) place.push_back(block_id(axis));
    return value(ast::op::load, type, place, {from, 0});
  }
  value_id load_padded(int from, const value_type& type, std::vector<value_id> place, value_id pad) {
    place.push_back(pad);
    return value(ast::op::load, type, place, {from, 1});
  }
  // Tiles that begin at indices times strides, one of each for every axis; `pad` may be no_value.
  value_id load_window(int from, const value_type& type, const std::vector<std::int64_t>& strides,
                       std::vector<value_id> place, value_id pad = compiler::no_value) {
    std::vector<std::int64_t> attributes = {from, pad != compiler::no_value ? 1 : 0};
    attributes.insert(attributes.end(), strides.begin(), strides.end());
    attributes.resize(2 + max_rank);
    if (pad != compiler::no_value) place.push_back(pad);
    return value(ast::op::load_window, type, place, attributes);
  }
  void store(int to, value_id stored) { write(ast::op::store, to, stored); }
  // At an index on each axis that the piece has whole.
  void store_tile(int to, value_id stored, std::vector<value_id> indices) {
    indices.insert(indices.begin(), stored);
    append({.op = ast::op::store_tile,
            .operands = std::move(indices),
            .results = {},
            .attributes = {to},
            .blocks = {},
            .location = {}});
  }
  // To the rows of the block's tile of the indices.
  void store_rows(int to, value_id stored, int indices) {
    const dtype element = program_.parameters[static_cast<std::size_t>(indices)].element;
    const std::int32_t rows = program_.values[static_cast<std::size_t>(stored)].extents[0];
    const value_id block = block_id(0), pad = constant(type_of(element), -1);
    const value_id line = load_padded(indices, type_of(element, {rows}), {block}, pad);
    append({.op = ast::op::store_rows,
            .operands = {stored, value(ast::op::reshape, type_of(element, {rows, 1}), {line})},
            .results = {},
            .attributes = {to, indices},
            .blocks = {},
            .location = {}});
  }
  // An index per axis, and behind them the mask if `is_masked`.
  void combine_at(int to, value_id combined, std::vector<value_id> operands, bool is_masked = false) {
    operands.insert(operands.begin(), combined);
    append({.op = ast::op::combine_at,
            .operands = std::move(operands),
            .results = {},
            .attributes = {to, is_masked ? 1 : 0},
            .blocks = {},
            .location = {}});
  }
  void combine(int to, value_id combined) { write(ast::op::combine, to, combined); }
  // Of none, one or two values.
  void print(const std::vector<value_id>& shown) {
    effect(ast::op::print, shown, {static_cast<std::int64_t>(shown.size())});
  }
  void require(value_id condition) { effect(ast::op::assertion, {condition}, {ast::no_text}); }

  // body(loop variable, carried values) returns the next carried values.
  template <class Body>
  std::vector<value_id> loop(value_id from, value_id to, value_id step, const std::vector<value_id>& initial,
                             Body body) {
    compiler::instruction made{.op = ast::op::for_begin,
                               .operands = {from, to, step},
                               .results = {},
                               .attributes = {0},
                               .blocks = {},
                               .location = {}};
    made.operands.insert(made.operands.end(), initial.begin(), initial.end());
    const value_id variable = new_value(type_of(dtype::index));
    const std::vector<value_id> carried = copies_of(initial);
    made.results = copies_of(initial);
    compiler::block inner = nested([&] { return body(variable, carried); });
    inner.arguments = carried;
    inner.arguments.insert(inner.arguments.begin(), variable);
    made.blocks = {std::move(inner)};
    const std::vector<value_id> results = made.results;
    append(std::move(made));
    return results;
  }
  // condition(carried values) returns a scalar bool, body(carried values) the next carried values.
  template <class Condition, class Body>
  std::vector<value_id> while_loop(const std::vector<value_id>& initial, Condition condition, Body body) {
    compiler::instruction made{
        .op = ast::op::while_begin, .operands = initial, .results = {}, .attributes = {}, .blocks = {}, .location = {}};
    const std::vector<value_id> carried = copies_of(initial);
    made.results = copies_of(initial);
    compiler::block inner = nested([&] {
      append({.op = ast::op::while_condition,
              .operands = {condition(carried)},
              .results = {},
              .attributes = {},
              .blocks = {},
              .location = {}});
      return body(carried);
    });
    inner.arguments = carried;
    made.blocks = {std::move(inner)};
    const std::vector<value_id> results = made.results;
    append(std::move(made));
    return results;
  }
  // combiner(left elements, right elements) returns the next ones. Attributes: the axis, and of a scan whether it is
  // reverse, then the identities.
  template <class Combiner>
  std::vector<value_id> combined(ast::op which, const std::vector<value_id>& tiles,
                                 const std::vector<std::int64_t>& attributes, Combiner combiner) {
    compiler::instruction made{
        .op = which, .operands = tiles, .results = {}, .attributes = attributes, .blocks = {}, .location = {}};
    std::vector<value_id> left, right;
    for (const value_id tile : tiles) {
      value_type type = program_.values[static_cast<std::size_t>(tile)];
      const dtype element = type.element;
      if (which == ast::op::reduce_begin) type.extents[static_cast<std::size_t>(attributes[0])] = 1;
      made.results.push_back(new_value(type));
      left.push_back(new_value(type_of(element)));
      right.push_back(new_value(type_of(element)));
    }
    compiler::block inner = nested([&] { return combiner(left, right); });
    inner.arguments = left;
    inner.arguments.insert(inner.arguments.end(), right.begin(), right.end());
    made.blocks = {std::move(inner)};
    const std::vector<value_id> results = made.results;
    append(std::move(made));
    return results;
  }
  // Each branch returns its values, equally many and of equal types.
  template <class Then, class Else>
  std::vector<value_id> branch(value_id condition, Then then_branch, Else else_branch) {
    compiler::instruction made{.op = ast::op::if_begin,
                               .operands = {condition},
                               .results = {},
                               .attributes = {},
                               .blocks = {},
                               .location = {}};
    made.blocks.push_back(nested(then_branch));
    made.blocks.push_back(nested(else_branch));
    made.results = copies_of(made.blocks[0].yields);
    const std::vector<value_id> results = made.results;
    append(std::move(made));
    return results;
  }

  const compiler::program& result() {
    program_.narrow.assign(program_.values.size(), false);
    return program_;
  }

 private:
  int parameter(parameter_kind kind, dtype element, int rank, const std::vector<std::int32_t>& piece) {
    compiler::program_parameter made{
        .kind = kind, .element = element, .rank = static_cast<std::int8_t>(rank), .piece = {}, .facts = {}};
    for (std::size_t axis = 0; axis < piece.size(); ++axis) made.piece[axis] = piece[axis];
    for (int axis = 0; axis < rank; ++axis) made.facts.stride_divisor[static_cast<std::size_t>(axis)] = 1;
    program_.parameters.push_back(made);
    return static_cast<int>(program_.parameters.size()) - 1;
  }
  void write(ast::op which, int to, value_id x) { effect(which, {x}, {to}); }
  void effect(ast::op which, const std::vector<value_id>& operands, const std::vector<std::int64_t>& attributes) {
    append({.op = which, .operands = operands, .results = {}, .attributes = attributes, .blocks = {}, .location = {}});
  }
  value_id new_value(const value_type& type) {
    program_.values.push_back(type);
    return static_cast<value_id>(program_.values.size()) - 1;
  }
  std::vector<value_id> copies_of(const std::vector<value_id>& values) {
    std::vector<value_id> made;
    for (const value_id id : values) made.push_back(new_value(program_.values[static_cast<std::size_t>(id)]));
    return made;
  }
  void append(compiler::instruction made) {
    (open_.empty() ? program_.entry.body : open_.back()).push_back(std::move(made));
  }
  template <class Body>
  compiler::block nested(Body body) {
    open_.emplace_back();
    compiler::block made;
    made.yields = body();
    made.body = std::move(open_.back());
    open_.pop_back();
    return made;
  }

  compiler::program program_;
  std::vector<std::vector<compiler::instruction>> open_;  // bodies of the blocks being built, innermost last
};

}  // namespace tilewright::test
