// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/code_builder.hpp"

#include "tilewright/base/error.hpp"

namespace tilewright::compiler::tileir {

bool is_float(type_tag element) { return element >= type_tag::f16 && element <= type_tag::f64; }

std::string splat_bytes(type_tag element, std::uint64_t bits) {
  if (element == type_tag::i1) return std::string(1, bits != 0 ? '\xff' : '\0');
  std::string bytes;
  for (int i = 0; i < (bits_of(element) + 7) / 8; ++i) bytes.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
  return bytes;
}

value_number code_builder::append(operation made) {
  made.location = location_;
  const value_number first = next_;
  next_ += static_cast<value_number>(made.results.size());
  open_.back().made.body.push_back(std::move(made));
  return first;
}

code_value code_builder::tile_op(opcode code, type_tag element, tile_shape shape,
                                 std::initializer_list<value_number> operands,
                                 std::initializer_list<std::uint64_t> fields, std::uint32_t flags) {
  operation made;
  made.code = code;
  made.flags = flags;
  made.results = {ids_.tile(element, shape)};
  made.fields = fields;
  made.operands = operands;
  return {append(std::move(made)), element, std::move(shape)};
}

void code_builder::terminate(opcode code, const std::vector<value_number>& operands) {
  operation made;
  made.code = code;
  made.operands = operands;
  append(std::move(made));
}

code_value code_builder::splat(type_tag element, const tile_shape& shape, std::uint64_t bits) {
  return tile_op(opcode::constant, element, shape, {}, {ids_.constant(splat_bytes(element, bits))});
}

code_value code_builder::reshape(const code_value& x, const tile_shape& shape) {
  if (x.shape == shape) return x;
  return tile_op(opcode::reshape, x.element, shape, {x.number});
}

code_value code_builder::broadcast(const code_value& x, const tile_shape& shape) {
  if (x.shape == shape) return x;
  code_value from = x;
  if (x.shape.size() != shape.size()) from = reshape(x, tile_shape(shape.size(), 1));
  if (from.shape == shape) return from;
  return tile_op(opcode::broadcast, x.element, shape, {from.number});
}

code_value code_builder::resized(const code_value& x, type_tag element, signedness sign) {
  const int from = bits_of(x.element), to = bits_of(element);
  if (from == to) return x;
  if (from < to) return tile_op(opcode::exti, element, x.shape, {x.number}, {sign});
  return tile_op(opcode::trunci, element, x.shape, {x.number}, {0});
}

code_value code_builder::converted(const code_value& x, type_tag to) {
  return x.element == to ? x : tile_op(opcode::ftof, to, x.shape, {x.number}, {nearest_even});
}

code_value code_builder::extract(const code_value& x, const tile_shape& shape, std::span<const std::int64_t> place) {
  operation made;
  made.code = opcode::extract;
  made.operands = {x.number};
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    made.operands.push_back(integer(type_tag::i32, place[axis]).number);
  }
  made.results = {ids_.tile(x.element, shape)};
  return {append(std::move(made)), x.element, shape};
}

code_value code_builder::compare(comparison_predicate predicate, signedness sign, const code_value& a,
                                 const code_value& b) {
  return tile_op(opcode::cmpi, type_tag::i1, a.shape, {a.number, b.number}, {predicate, sign});
}

code_value code_builder::compare_floats(comparison_predicate predicate, comparison_order order, const code_value& a,
                                        const code_value& b) {
  return tile_op(opcode::cmpf, type_tag::i1, a.shape, {a.number, b.number}, {predicate, order});
}

code_value code_builder::select(const code_value& condition, const code_value& a, const code_value& b) {
  return like_op(opcode::select, a, {condition.number, a.number, b.number});
}

code_value code_builder::iota(type_tag element, const tile_shape& shape, std::size_t axis) {
  tile_shape line(shape.size(), 1);
  line[axis] = shape[axis];
  const code_value lanes = tile_op(opcode::iota, element, {shape[axis]}, {});
  return broadcast(reshape(lanes, line), shape);
}

code_value code_builder::lanes_below(const code_value& count, const tile_shape& shape, std::size_t axis) {
  tile_shape line(shape.size(), 1);
  line[axis] = shape[axis];
  const code_value lanes = tile_op(opcode::iota, count.element, {shape[axis]}, {});
  const code_value inside = compare(less, is_signed, lanes, broadcast(count, lanes.shape));
  return broadcast(reshape(inside, line), shape);
}

std::vector<value_number> code_builder::open_region(const std::vector<type_id>& arguments) {
  open_block made;
  made.outside = next_;
  made.made.arguments = arguments;
  open_.push_back(std::move(made));
  std::vector<value_number> numbers;
  for (std::size_t i = 0; i < arguments.size(); ++i) numbers.push_back(next_++);
  return numbers;
}

region code_builder::close_region() {
  region made = std::move(open_.back().made);
  next_ = open_.back().outside;
  open_.pop_back();
  return made;
}

std::vector<operation> code_builder::finish() {
  require_internal(open_.size() == 1, "a Tile IR region is left open");
  terminate(opcode::return_, {});
  return std::move(open_.back().made.body);
}

}  // namespace tilewright::compiler::tileir
