// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/products.hpp"

#include <algorithm>

#include "compiler/cpu/boxes.hpp"
#include "compiler/cpu/element_code.hpp"
#include "compiler/cpu/elements.hpp"
#include "compiler/cpu/register_block.hpp"
#include "compiler/cpu/transpose.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

class product {
 public:
  product(kernel_state& state, const instruction& i)
      : state_(state),
        i_(i),
        rooms_(state.plan.products.at(&i)),
        element_(product_element(result_type())),
        left_(operand_of_product(state.plan, i.operands[0])),
        right_(operand_of_product(state.plan, i.operands[1])) {
    panel_lanes_ = panel_lanes(result_type(), state.vector_bytes);
    rows_ = rows_of(result_type());
    columns_ = columns_of(result_type());
    depth_ = columns_of(state.type(i.operands[0]));
  }

  void emit() {
    if (rooms_.left >= 0) pack(left_.source, rooms_.left);
    if (right_.is_transposed) {
      if (rooms_.right_source >= 0) pack(right_.source, rooms_.right_source);
      for_each(state_, products_of(result_type()), [&](const coordinate& here) { transpose_panels(here); });
    } else {
      pack_panels();
    }
    const bool starts_at_zero = is_zero(i_.operands[2]);
    if (!starts_at_zero) fill_sum();
    for_each(state_, products_of(result_type()), [&](const coordinate& here) { multiply(here, starts_at_zero); });
    if (rooms_.wide_result >= 0) narrow_result();
  }

 private:
  const value_type& result_type() const { return state_.type(i_.results[0]); }
  std::int64_t size() const { return info(element_).size_bytes; }
  std::int64_t sum_room() const {
    return rooms_.wide_result >= 0 ? rooms_.wide_result : state_.offsets[at(i_.results[0])];
  }
  std::int64_t right_source() const {
    return rooms_.right_source >= 0 ? rooms_.right_source : state_.offsets[at(right_.source)];
  }
  value_type computed_type(value_id id) const {
    value_type type = state_.type(id);
    type.element = element_;
    return type;
  }
  ir::value computed(value_id id, const position& place) {
    const dtype from = state_.type(id).element;
    const std::array<ir::value, 1> operands{vector_at(state_, id, place)};
    return from == element_ ? operands[0] : element_op(state_.code, op::cast, element_, from, operands);
  }

  bool is_zero(value_id id) const {
    const instruction* made_by = state_.plan.definition(id);
    return made_by != nullptr && made_by->op == op::constant && made_by->attributes[0] == 0;
  }

  // Row-major, in the element that is computed in.
  void pack(value_id id, std::int64_t room) {
    const value_type type = computed_type(id);
    for_each_vector(
        state_, type, state_.plan.lanes,
        [&](const position& place) { store_stored(state_, type, room, place, computed(id, place)); },
        [&](const position& place) { remember_uniform(state_, id, place, vector_axis_of(type)); });
  }

  std::int64_t bytes_of_panels() const { return panels_bytes(result_type(), depth_, state_.vector_bytes); }

  // Matrix n of a batch in a room, in which each takes `bytes`.
  ir::value matrix_in(std::int64_t room, ir::value n, std::int64_t bytes) {
    const ir::value first = state_.code.offset(state_.code.scratch(), room);
    return products_of(result_type()) == 1 ? first : moved(first, n, bytes);
  }
  ir::value moved(ir::value address, ir::value steps, std::int64_t bytes) {
    return state_.code.offset(address, state_.code.multiply_index(steps, state_.number(bytes)));
  }

  void transpose_panels(const coordinate& here) {
    transpose_into_panels(state_, {element_, columns_, depth_, panel_lanes_},
                          matrix_in(right_source(), here.base, columns_ * depth_ * size()),
                          matrix_in(rooms_.right_panels, here.base, bytes_of_panels()));
  }

  // Panel p holds columns p * panel_lanes ..., row after row.
  void pack_panels() {
    const value_id id = right_.source;
    const value_type type = computed_type(id);
    const std::size_t column = at(type.rank - 1);
    const int lanes = columns_ == 1 ? 1 : panel_lanes_;  // of one column, rows would be the vector axis
    for_each_vector(
        state_, type, lanes,
        [&](const position& place) {
          const ir::value panel = state_.code.unsigned_divide(place.axes[column].base, state_.number(panel_lanes_));
          ir::value address = matrix_in(rooms_.right_panels, place.axes[0].base, bytes_of_panels());
          address = moved(address, panel, depth_ * panel_lanes_ * size());
          address = moved(address, place.axes[column - 1].base, panel_lanes_ * size());
          state_.code.store(computed(id, place), address, static_cast<int>(size()));
        },
        [&](const position& place) { remember_uniform(state_, id, place, vector_axis_of(type)); });
  }

  void fill_sum() {
    const value_id id = i_.operands[2];
    const bool is_there = state_.home(id) == value_home::stored && state_.offsets[at(id)] == sum_room();
    if (!is_there) pack(id, sum_room());
  }

  void multiply(const coordinate& here, bool starts_at_zero) {
    const std::int64_t left_room = rooms_.left >= 0 ? rooms_.left : state_.offsets[at(left_.source)];
    register_block block{.state = state_,
                         .element = element_,
                         .lanes = state_.vector_bytes / static_cast<int>(size()),
                         .panel_lanes = panel_lanes_,
                         .depth = depth_,
                         .columns = columns_,
                         .starts_at_zero = starts_at_zero,
                         .left = matrix_in(left_room, here.base, rows_ * depth_ * size()),
                         .left_row_bytes = (left_.is_transposed ? 1 : depth_) * size(),
                         .left_step_bytes = (left_.is_transposed ? rows_ : 1) * size(),
                         .panels = matrix_in(rooms_.right_panels, here.base, bytes_of_panels()),
                         .sum = matrix_in(sum_room(), here.base, rows_ * columns_ * size())};
    block.emit(rows_);
  }

  void narrow_result() {
    const value_type& type = result_type();
    value_type wide = type;
    wide.element = element_;
    for_each_vector(state_, type, state_.plan.lanes, [&](const position& place) {
      const ir::value sum = load_stored(state_, wide, rooms_.wide_result, place);
      store_stored(state_, type, state_.offsets[at(i_.results[0])], place, narrowed(state_.code, type.element, sum));
    });
  }

  kernel_state& state_;
  const instruction& i_;
  const product_rooms& rooms_;
  dtype element_;
  product_operand left_, right_;
  int panel_lanes_ = 0;
  std::int64_t rows_ = 0, columns_ = 0, depth_ = 0;
};

}  // namespace

void emit_product(kernel_state& state, const instruction& i) { product(state, i).emit(); }

}  // namespace tilewright::compiler
