// SPDX-License-Identifier: Apache-2.0
// Reductions and scans by a combiner of the kernel's author: one operation over all tiles, with the combiner as its
// region. Lanes that rounding added take the identities. The assembler (13.4.92) fails on regions that take fp8, which
// go in and out as bytes.
#include "compiler/combiners.hpp"
#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

class combined_tiles {
 public:
  combined_tiles(kernel_state& state, const instruction& i)
      : state_(state), code_(state.code), i_(i), axis_(static_cast<std::size_t>(i.attributes[0])) {}

  void emit() {
    operation made;
    made.code = scans() ? opcode::scan : opcode::reduce;
    made.fields = {axis_};
    if (scans()) made.fields.push_back(is_reverse_scan(i_) ? 1 : 0);
    for (std::size_t n = 0; n < count(); ++n) {
      made.attributes.push_back(identity(n));
      made.operands.push_back(tile(n));
    }
    made.regions = {combiner()};
    for (std::size_t n = 0; n < count(); ++n) made.results.push_back(state_.ids.tile(element(n), result_shape()));
    const value_number first = code_.append(std::move(made));
    for (std::size_t n = 0; n < count(); ++n) {
      const code_value result = from_region(n, {first + static_cast<value_number>(n), element(n), result_shape()});
      state_.set(i_.results[n], code_.reshape(result, state_.shape(i_.results[n])));
    }
  }

 private:
  bool scans() const { return i_.op == op::scan_begin; }
  std::size_t count() const { return i_.operands.size(); }
  value_id left(std::size_t n) const { return i_.blocks[0].arguments[n]; }
  value_id right(std::size_t n) const { return i_.blocks[0].arguments[count() + n]; }
  type_tag inside(std::size_t n) const { return state_.element(left(n)); }  // in the combiner
  type_tag element(std::size_t n) const {
    const dtype of_tile = state_.type(left(n)).element;
    if (of_tile == dtype::tf32) return type_tag::f32;
    return is_fp8(of_tile) ? type_tag::i8 : inside(n);
  }
  code_value converted(const code_value& x, type_tag to) {
    if (x.element == type_tag::tf32 || to == type_tag::tf32) return code_.converted(x, to);
    return x.element == to ? x : code_.tile_op(opcode::bitcast, to, x.shape, {x.number});
  }
  code_value from_region(std::size_t n, const code_value& x) { return converted(x, inside(n)); }
  code_value to_region(std::size_t n, value_id id) { return converted(state_.get(id, inside(n)), element(n)); }
  std::uint64_t identity_bits(std::size_t n) const {
    const dtype of_tile = state_.type(left(n)).element;
    return constant_bits(identity_of(i_, n), of_tile == dtype::tf32 ? dtype::f32 : of_tile);
  }

  attribute identity(std::size_t n) {
    attribute made;
    made.tag = is_float(element(n)) ? attribute_tag::floating : attribute_tag::integer;
    made.of_type = state_.ids.number(element(n));
    made.word = identity_bits(n);
    return made;
  }

  value_number tile(std::size_t n) {
    const std::int64_t extent = state_.type(i_.operands[n]).extents[axis_];
    return masked(state_, to_region(n, i_.operands[n]), extent, axis_, identity_bits(n)).number;
  }

  // Reductions lose the axis.
  tile_shape result_shape() const {
    tile_shape shape = state_.shape(i_.operands[0]);
    if (!scans()) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis_));
    return shape;
  }

  // Left and right of one tile stand side by side.
  region combiner() {
    std::vector<type_id> types;
    for (std::size_t n = 0; n < count(); ++n) types.insert(types.end(), 2, state_.ids.tile(element(n)));
    const std::vector<value_number> numbers = code_.open_region(types);
    for (std::size_t n = 0; n < count(); ++n) {
      state_.set(left(n), from_region(n, {numbers[2 * n], element(n), {}}));
      state_.set(right(n), from_region(n, {numbers[2 * n + 1], element(n), {}}));
    }
    for (const instruction& next : i_.blocks[0].body) {
      if (next.op != op::constant) emit_element_wise(state_, next);
    }
    std::vector<value_number> given;
    for (std::size_t n = 0; n < count(); ++n) {
      given.push_back(to_region(n, i_.blocks[0].yields[n]).number);
    }
    code_.terminate(opcode::yield, given);
    return code_.close_region();
  }

  kernel_state& state_;
  code_builder& code_;
  const instruction& i_;
  std::size_t axis_;
};

}  // namespace

void emit_combined(kernel_state& state, const instruction& i) { combined_tiles(state, i).emit(); }

}  // namespace tilewright::compiler::tileir
