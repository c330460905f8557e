// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/boxes.hpp"

#include "compiler/cpu/elements.hpp"

namespace tilewright::compiler {
namespace {

void along_row(kernel_state& state, const value_type& shape, int lanes, position place, const place_body& body,
               const place_body& ahead) {
  const int axis = vector_axis_of(shape);
  if (ahead) ahead(place);
  const std::int64_t extent = shape.rank == 0 ? 1 : shape.extents[at(axis)];
  const std::int64_t full = extent / lanes * lanes;
  const auto run = [&](ir::value base, int count, std::int64_t divisor) {
    const remembering_scope scope(state);
    body(with_vector(place, axis, base, count, divisor));
  };
  if (full == lanes) run(state.number(0), lanes, 0);
  if (full > lanes) {
    state.code.loop(state.number(0), state.number(full), lanes, [&](ir::value base) { run(base, lanes, lanes); });
  }
  if (extent > full) run(state.number(full), static_cast<int>(extent - full), full);
}

void over_rows(kernel_state& state, const value_type& shape, int lanes, int axis, const position& place,
               const place_body& body, const place_body& ahead) {
  if (axis >= shape.rank) {
    along_row(state, shape, lanes, place, body, ahead);
    return;
  }
  if (axis == vector_axis_of(shape)) {
    over_rows(state, shape, lanes, axis + 1, place, body, ahead);
    return;
  }
  for_each(state, shape.extents[at(axis)], [&](const coordinate& here) {
    position next = place;
    next.axes[at(axis)] = here;
    over_rows(state, shape, lanes, axis + 1, next, body, ahead);
  });
}

}  // namespace

int vector_axis_of(const value_type& shape) {
  for (int axis = shape.rank - 1; axis > 0; --axis) {
    if (shape.extents[at(axis)] > 1) return axis;
  }
  return 0;
}

position first_place(kernel_state& state) {
  position place;
  for (coordinate& axis : place.axes) axis = {state.number(0), 0, 0};
  return place;
}

position with_vector(const position& place, int axis, ir::value base, int lanes, std::int64_t divisor) {
  position result = place;
  result.lanes = lanes;
  result.axes[at(axis)] = {base, lanes == 1 ? 0 : 1, divisor};
  return result;
}

void for_each_vector(kernel_state& state, const value_type& shape, int lanes, const place_body& body,
                     const place_body& ahead) {
  const remembering_scope scope(state);
  over_rows(state, shape, lanes, 0, first_place(state), body, ahead);
}

void for_each(kernel_state& state, std::int64_t extent, const std::function<void(const coordinate& here)>& body) {
  const remembering_scope scope(state);
  if (extent == 1) {
    body({state.number(0), 0, 0});
    return;
  }
  state.code.loop(state.number(0), state.number(extent), 1, [&](ir::value n) { body({n, 0, 1}); });
}

void store_tile(kernel_state& state, value_id id, std::int64_t offset) {
  const value_type& type = state.type(id);
  for_each_vector(
      state, type, state.plan.lanes,
      [&](const position& place) { store_stored(state, type, offset, place, vector_at(state, id, place)); },
      [&](const position& place) { remember_uniform(state, id, place, vector_axis_of(type)); });
}

void fill_room(kernel_state& state, value_id id) {
  const value_type& type = state.type(id);
  const instruction& i = *state.plan.definition(id);
  for_each_vector(
      state, type, state.plan.lanes,
      [&](const position& place) {
        store_stored(state, type, state.offsets[at(id)], place, computed_vector_at(state, id, place));
      },
      [&](const position& place) { remember_uniform_operands(state, i, place, vector_axis_of(type)); });
}

}  // namespace tilewright::compiler
