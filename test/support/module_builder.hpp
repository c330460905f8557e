// SPDX-License-Identifier: Apache-2.0
// Builds a module by hand, record by record, for tests of the compiler that use no lang header. Result types follow
// the op table where it gives a rule. Nothing is verified: a test may build a wrong module on purpose.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/ast/module_view.hpp"

namespace tilewright::test {

using ast::op;
using extents = std::vector<std::int32_t>;

// A value of the module: the ordinal of its record.
struct tile_value {
  int ordinal = -1;
};
// A parameter of the module.
struct parameter_index {
  int position = -1;
};

class module_builder {
 public:
  explicit module_builder(std::string name = "kernel") : name_(std::move(name)) {}
  module_builder(const module_builder&) = delete;
  module_builder& operator=(const module_builder&) = delete;

  // ---- Symbols, types, parameters
  std::int32_t symbol(std::string_view name) {
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (name == symbols_[i].name) return ast::symbol_extent(static_cast<int>(i));
    }
    ast::symbol made;
    std::memcpy(made.name, name.data(), name.size());
    symbols_.push_back(made);
    return ast::symbol_extent(static_cast<int>(symbols_.size()) - 1);
  }
  int type(dtype element, const extents& shape) {
    ast::tile_type wanted{.element = element, .rank = static_cast<std::int8_t>(shape.size()), .extents = {}};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) wanted.extents[axis] = shape[axis];
    return intern(wanted);
  }
  parameter_index parameter(parameter_kind kind, dtype element, const extents& shape) {
    parameters_.push_back({.kind = kind, .type = type(element, shape)});
    return {static_cast<int>(parameters_.size()) - 1};
  }
  parameter_index in(dtype element, const extents& shape) { return parameter(parameter_kind::in, element, shape); }
  parameter_index out(dtype element, const extents& shape) { return parameter(parameter_kind::out, element, shape); }
  parameter_index in_out(dtype element, const extents& shape) {
    return parameter(parameter_kind::in_out, element, shape);
  }
  parameter_index accum(dtype element, const extents& shape, combiner by = combiner::sum) {
    parameters_.push_back({.kind = parameter_kind::accum, .type = type(element, shape), .by = by});
    return {static_cast<int>(parameters_.size()) - 1};
  }
  parameter_index scatter(dtype element, const extents& shape) {
    return parameter(parameter_kind::scatter, element, shape);
  }
  parameter_index unique(dtype element) { return parameter(parameter_kind::unique, element, {ast::dynamic_extent}); }
  parameter_index scalar(dtype element) { return parameter(parameter_kind::scalar, element, {}); }

  // ---- Records
  // The next records get this source line; without it a record's line is its ordinal + 1.
  module_builder& at(int line) {
    line_ = line;
    return *this;
  }
  tile_value record(op which, const std::vector<tile_value>& operands, int result_type,
                    const std::vector<std::int32_t>& attributes = {}) {
    const int ordinal = static_cast<int>(locations_.size());
    code_.push_back(ast::header_word(which, static_cast<int>(operands.size()), result_type));
    for (const tile_value operand : operands) code_.push_back(operand.ordinal);
    code_.insert(code_.end(), attributes.begin(), attributes.end());
    locations_.push_back(ast::location_word(line_ == 0 ? ordinal + 1 : line_, 0));
    value_types_.push_back(result_type);
    return {ordinal};
  }

  // Structure
  tile_value scalar_value(parameter_index p) {
    return record(op::scalar, {}, parameters_[index_of(p.position)].type, {p.position});
  }
  tile_value copy(tile_value a) { return record(op::copy, {a}, type_of(a)); }
  void assign(tile_value variable, tile_value value) { record(op::assign, {variable, value}, ast::no_type); }
  tile_value undefined(dtype element, const extents& shape) { return record(op::undefined, {}, type(element, shape)); }
  tile_value for_begin(tile_value from, tile_value to, tile_value step, bool reduction = false) {
    return record(op::for_begin, {from, to, step}, type(dtype::index, {}), {reduction ? 1 : 0});
  }
  tile_value for_begin(tile_value to, bool reduction = false) {
    const tile_value from = index(0), step = index(1);
    return for_begin(from, to, step, reduction);
  }
  void for_end() { record(op::for_end, {}, ast::no_type); }
  void while_begin() { record(op::while_begin, {}, ast::no_type); }
  void while_condition(tile_value condition) { record(op::while_condition, {condition}, ast::no_type); }
  void while_end() { record(op::while_end, {}, ast::no_type); }
  void if_begin(tile_value condition) { record(op::if_begin, {condition}, ast::no_type); }
  void if_else() { record(op::if_else, {}, ast::no_type); }
  void if_end() { record(op::if_end, {}, ast::no_type); }

  // combiner(left elements, right elements) gives the next ones; the identity of each tile is 0.
  template <class Combiner>
  std::vector<tile_value> combined(op begin, const std::vector<tile_value>& tiles,
                                   const std::vector<std::int32_t>& attributes, Combiner combiner) {
    record(begin, tiles, ast::no_type, attributes);
    std::vector<tile_value> left, right, results;
    for (const tile_value tile : tiles)
      left.push_back(record(op::combiner_left, {}, type(element_of(tile), {}), {0, 0}));
    for (const tile_value tile : tiles) right.push_back(record(op::combiner_right, {}, type(element_of(tile), {})));
    record(op::combiner_end, combiner(left, right), ast::no_type);
    for (const tile_value tile : tiles) {
      ast::tile_type result = types_[index_of(type_of(tile))];
      if (begin == op::reduce_begin) result.extents[attributes[0]] = 1;
      results.push_back(record(op::combined, {}, intern(result)));
    }
    return results;
  }

  // Positions
  tile_value block_id(int axis) { return position(op::block_id, {axis}); }
  tile_value block_count(int axis) { return position(op::block_count, {axis}); }
  tile_value extent(parameter_index p, int axis) { return position(op::extent, {p.position, axis}); }
  tile_value tiles(parameter_index p, int axis, std::int32_t tile_extent) {
    return position(op::tiles, {p.position, axis, tile_extent});
  }
  tile_value dim_value(std::int32_t extent) { return position(op::dim_value, {extent}); }

  // Memory
  tile_value load(parameter_index p, const extents& tile, std::vector<tile_value> indices) {
    return record(op::load, indices, type(element_of(p), tile), {p.position, 0});
  }
  tile_value load_padded(parameter_index p, const extents& tile, std::vector<tile_value> indices, double pad) {
    indices.push_back(constant(element_of(p), {}, pad));
    return record(op::load, indices, type(element_of(p), tile), {p.position, 1});
  }
  // A stride for each axis.
  tile_value load_window(parameter_index p, const extents& tile, const extents& strides,
                         const std::vector<tile_value>& indices, bool is_padded = false) {
    std::vector<std::int32_t> attributes = {p.position, is_padded ? 1 : 0};
    attributes.insert(attributes.end(), strides.begin(), strides.end());
    attributes.resize(2 + max_rank);
    return record(op::load_window, indices, type(element_of(p), tile), attributes);
  }
  tile_value load_window_padded(parameter_index p, const extents& tile, const extents& strides,
                                std::vector<tile_value> indices, double pad) {
    indices.push_back(constant(element_of(p), {}, pad));
    return load_window(p, tile, strides, indices, true);
  }
  tile_value load_piece(parameter_index p) {
    return record(op::load_piece, {}, parameters_[index_of(p.position)].type, {p.position});
  }
  tile_value gather_rows(parameter_index p, const extents& tile, tile_value rows, tile_value column) {
    return record(op::gather_rows, {rows, column}, type(element_of(p), tile), {p.position});
  }
  // `operands`: an index per axis, and behind them the mask if `is_masked`.
  tile_value gather(parameter_index p, const extents& lanes, const std::vector<tile_value>& operands,
                    bool is_masked = false) {
    return record(op::gather, operands, type(element_of(p), lanes), {p.position, is_masked ? 1 : 0});
  }
  void combine_at(parameter_index p, tile_value a, std::vector<tile_value> operands, bool is_masked = false) {
    operands.insert(operands.begin(), a);
    record(op::combine_at, operands, ast::no_type, {p.position, is_masked ? 1 : 0});
  }
  void store(parameter_index p, tile_value a) { record(op::store, {a}, ast::no_type, {p.position}); }
  void store_tile(parameter_index p, tile_value a, std::vector<tile_value> indices) {
    indices.insert(indices.begin(), a);
    record(op::store_tile, indices, ast::no_type, {p.position});
  }
  // The block's own tile of unique indices, as rows.
  tile_value own_rows(parameter_index p, std::int32_t rows) {
    return reshape(load_padded(p, {rows}, {block_id(0)}, -1), {rows, 1});
  }
  void store_rows(parameter_index p, tile_value a, tile_value rows, parameter_index indices) {
    record(op::store_rows, {a, rows}, ast::no_type, {p.position, indices.position});
  }
  void combine(parameter_index p, tile_value a) { record(op::combine, {a}, ast::no_type, {p.position}); }

  // Creation
  template <class Number>
  tile_value constant(dtype element, const extents& shape, Number value) {
    std::vector<std::int32_t> words;
    append_literal(words, element, value);
    return record(op::constant, {}, type(element, shape), words);
  }
  template <class Number>
  tile_value table(dtype element, const extents& shape, const std::vector<Number>& values) {
    std::vector<std::int32_t> words = {static_cast<std::int32_t>(2 * values.size())};
    for (const Number value : values) append_literal(words, element, value);
    return record(op::table, {}, type(element, shape), words);
  }
  tile_value index(std::int64_t value) { return constant(dtype::index, {}, value); }
  tile_value iota(dtype element, const extents& shape, int axis) {
    return record(op::iota, {}, type(element, shape), {axis});
  }

  // Element-wise
  tile_value unary(op which, tile_value a, ast::rounding how = {}) {
    return record(which, {a}, type_of(a), attributes_of(which, how));
  }
  tile_value binary(op which, tile_value a, tile_value b, ast::rounding how = {}) {
    return record(which, {a, b}, joined({a, b}, a), attributes_of(which, how));
  }
  tile_value compare(op which, tile_value a, tile_value b) {
    ast::tile_type result = types_[index_of(joined({a, b}, a))];
    result.element = dtype::boolean;
    return record(which, {a, b}, intern(result));
  }
  void require(tile_value condition) { record(op::require, {condition}, ast::no_type); }
  void assertion(tile_value condition) { record(op::assertion, {condition}, ast::no_type, {ast::no_text}); }
  void assertion(tile_value condition, std::string_view text) {
    record(op::assertion, {condition}, ast::no_type, {text_count_++});
    texts_.append(text).push_back('\0');
  }
  void print(std::string_view text, const std::vector<tile_value>& shown) {
    record(op::print, shown, ast::no_type, {text_count_++});
    texts_.append(text).push_back('\0');
  }
  tile_value select(tile_value condition, tile_value a, tile_value b) {
    return record(op::select, {condition, a, b}, joined({condition, a, b}, a));
  }
  tile_value fma(tile_value a, tile_value b, tile_value c, ast::rounding how = {}) {
    return record(op::fma, {a, b, c}, joined({a, b, c}, a), attributes_of(op::fma, how));
  }
  tile_value cast(dtype element, tile_value a) { return convert(op::cast, element, a); }
  tile_value bitcast(dtype element, tile_value a) { return convert(op::bitcast, element, a); }

  // Along an axis, and shapes
  tile_value reduce(op which, tile_value a, int axis) {
    ast::tile_type result = types_[index_of(type_of(a))];
    result.extents[axis] = 1;
    if (which == op::argmax) result.element = dtype::index;
    return record(which, {a}, intern(result), {axis});
  }
  tile_value scan(op which, tile_value a, int axis, int reverse = 0) {
    return record(which, {a}, type_of(a), {axis, reverse});
  }
  tile_value mma(tile_value a, tile_value b, tile_value c, int is_fast = 0) {
    return record(op::mma, {a, b, c}, type_of(c), {is_fast});
  }
  tile_value mma_scaled(tile_value a, tile_value a_scales, tile_value b, tile_value b_scales, tile_value c) {
    return record(op::mma_scaled, {a, b, c, a_scales, b_scales}, type_of(c));
  }
  tile_value permute(tile_value a, const std::vector<int>& axes) {
    const ast::tile_type& source = types_[index_of(type_of(a))];
    ast::tile_type result = source;
    std::int32_t packed = 0;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      result.extents[axis] = source.extents[axes[axis]];
      packed |= axes[axis] << (4 * static_cast<int>(axis));
    }
    return record(op::permute, {a}, intern(result), {packed});
  }
  tile_value transpose(tile_value a) { return permute(a, {1, 0}); }
  tile_value reshape(tile_value a, const extents& shape) { return reshaped(op::reshape, a, shape); }
  tile_value broadcast(tile_value a, const extents& shape) { return reshaped(op::broadcast, a, shape); }
  tile_value same_shape(tile_value a, const extents& shape) { return reshaped(op::same_shape, a, shape); }
  tile_value cat(tile_value a, tile_value b, int axis, const extents& shape) {
    return record(op::cat, {a, b}, type(element_of(a), shape), {axis});
  }
  tile_value extract(tile_value a, const extents& shape, std::vector<std::int32_t> positions) {
    positions.resize(max_rank, 0);
    return record(op::extract, {a}, type(element_of(a), shape), positions);
  }

  // ---- The result. Valid while the builder lives and no record is added.
  const ast::module_view& view() {
    view_ = {.name = name_.c_str(),
             .code = code_.data(),
             .code_size = static_cast<std::int32_t>(code_.size()),
             .locations = locations_.data(),
             .record_count = static_cast<std::int32_t>(locations_.size()),
             .types = types_.data(),
             .type_count = static_cast<std::int32_t>(types_.size()),
             .symbols = symbols_.data(),
             .symbol_count = static_cast<std::int32_t>(symbols_.size()),
             .parameters = parameters_.data(),
             .parameter_count = static_cast<std::int32_t>(parameters_.size()),
             .files = files_.c_str(),
             .files_size = static_cast<std::int32_t>(files_.size()) + 1,
             .texts = texts_.data(),
             .texts_size = static_cast<std::int32_t>(texts_.size())};
    return view_;
  }
  int type_of(tile_value a) const { return value_types_[index_of(a.ordinal)]; }
  dtype element_of(tile_value a) const { return types_[index_of(type_of(a))].element; }
  std::vector<std::int32_t>& code() { return code_; }  // for tests that damage a module

 private:
  static std::size_t index_of(int position) { return static_cast<std::size_t>(position); }
  dtype element_of(parameter_index p) const { return types_[index_of(parameters_[index_of(p.position)].type)].element; }
  template <class Number>
  static void append_literal(std::vector<std::int32_t>& words, dtype element, Number value) {
    const auto bits = is_floating(element) ? __builtin_bit_cast(std::uint64_t, static_cast<double>(value))
                                           : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    words.push_back(static_cast<std::int32_t>(bits & 0xffffffffU));
    words.push_back(static_cast<std::int32_t>(bits >> 32));
  }
  static std::vector<std::int32_t> attributes_of(op which, ast::rounding how) {
    if (!ast::states_rounding(which)) return {};
    return {static_cast<std::int32_t>(how)};
  }
  int intern(const ast::tile_type& wanted) {
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (types_[i] == wanted) return static_cast<int>(i);
    }
    types_.push_back(wanted);
    return static_cast<int>(types_.size()) - 1;
  }
  tile_value position(op which, const std::vector<std::int32_t>& attributes) {
    return record(which, {}, type(dtype::index, {}), attributes);
  }
  tile_value convert(op which, dtype element, tile_value a) {
    ast::tile_type result = types_[index_of(type_of(a))];
    result.element = element;
    return record(which, {a}, intern(result));
  }
  tile_value reshaped(op which, tile_value a, const extents& shape) {
    return record(which, {a}, type(element_of(a), shape));
  }
  // The operands' shapes joined 1 -> n, with the element of `element_source`.
  int joined(const std::vector<tile_value>& operands, tile_value element_source) {
    ast::tile_type result;
    for (const tile_value operand : operands) {
      const ast::tile_type& next = types_[index_of(type_of(operand))];
      if (next.rank > result.rank) result = next;
    }
    for (const tile_value operand : operands) {
      const ast::tile_type& next = types_[index_of(type_of(operand))];
      for (int axis = 0; axis < next.rank; ++axis) {
        if (result.extents[axis] == 1) result.extents[axis] = next.extents[axis];
      }
    }
    result.element = element_of(element_source);
    return intern(result);
  }

  std::string name_, files_ = "test.hpp", texts_;
  std::int32_t text_count_ = 0;
  std::vector<std::int32_t> code_, locations_;
  std::vector<int> value_types_;  // by ordinal
  std::vector<ast::tile_type> types_;
  std::vector<ast::symbol> symbols_;
  std::vector<ast::parameter_record> parameters_;
  ast::module_view view_{};
  int line_ = 0;
};

}  // namespace tilewright::test
