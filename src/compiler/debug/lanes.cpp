// SPDX-License-Identifier: Apache-2.0
#include "compiler/debug/lanes.hpp"

#include <fmt/format.h>

#include "compiler/scalar_semantics.hpp"

namespace tilewright::compiler::debug {
namespace {

std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

// The next place of a box in row-major order; false at its end.
bool advance(steps& place, const steps& extents, int rank) {
  for (int axis = rank - 1; axis >= 0; --axis) {
    if (++place[at(axis)] < extents[at(axis)]) return true;
    place[at(axis)] = 0;
  }
  return false;
}

void add_covered(const tile& t, const interp::covered& part, index_t first_lane, std::vector<covered_lane>& lanes) {
  if (part.memory == nullptr) return;
  const steps dense = interp::dense_steps(t);
  steps inner{};
  do {
    covered_lane next{first_lane, part.memory, {}};
    for (int axis = 0; axis < part.rank; ++axis) {
      next.lane += inner[at(axis)] * dense[at(axis)] / t.element_bytes();
      next.address += inner[at(axis)] * part.step[at(axis)];
      next.place[at(axis)] = part.start[at(axis)] + inner[at(axis)];
    }
    lanes.push_back(next);
  } while (advance(inner, part.lanes, part.rank));
}

void add_chosen(const instruction& i, const block_run& block, std::vector<covered_lane>& lanes) {
  const tile t = accessed_tile(i, block);
  const tensor whole = block.tensor_of(i.attributes[0]);
  const interp::chosen_lanes chosen = block.choose(i);
  interp::for_each_lane(chosen, [&](index_t lane, const steps& index) {
    std::byte* address = interp::address_of(whole, index, t.element_bytes());
    if (address != nullptr) lanes.push_back({interp::element_of_lane(t, chosen.type, lane), address, index});
  });
}

}  // namespace

std::vector<double> numbers_of(const tile& t) {
  std::vector<double> numbers;
  numbers.reserve(at(t.size()));
  semantics::visit_element(t.type.element, [&]<class T>(std::type_identity<T>) {
    for (index_t n = 0; n < t.size(); ++n) numbers.push_back(semantics::cast<double>(t.as<T>()[n]));
  });
  return numbers;
}

std::vector<index_t> place_of_lane(const value_type& shape, index_t lane) {
  std::vector<index_t> place(at(shape.rank));
  for (int axis = shape.rank - 1; axis >= 0; --axis) {
    place[at(axis)] = lane % shape.extents[at(axis)];
    lane /= shape.extents[at(axis)];
  }
  return place;
}

std::vector<index_t> broadcast_lanes(const tile& operand, const value_type& shape) {
  const steps step = interp::broadcast_steps(operand, shape);
  std::vector<index_t> lanes;
  lanes.reserve(at(shape.elements()));
  steps place{}, extents{};
  for (int axis = 0; axis < shape.rank; ++axis) extents[at(axis)] = shape.extents[at(axis)];
  do {
    index_t bytes = 0;
    for (int axis = 0; axis < shape.rank; ++axis) bytes += place[at(axis)] * step[at(axis)];
    lanes.push_back(bytes / operand.element_bytes());
  } while (advance(place, extents, shape.rank));
  return lanes;
}

std::string number_text(double number, dtype element) {
  if (element == dtype::boolean) return number != 0 ? "true" : "false";
  if (!is_floating(element)) return fmt::format("{:.0f}", number);
  return number != number ? "nan" : fmt::format("{:.6g}", number);
}

std::vector<covered_lane> covered_lanes(const instruction& i, const block_run& block) {
  std::vector<covered_lane> lanes;
  if (ast::chooses_elements(i.op)) {
    add_chosen(i, block, lanes);
    return lanes;
  }
  const tile t = accessed_tile(i, block);
  const bool stores = i.op == ast::op::store_rows;
  if (i.op != ast::op::gather_rows && !stores) {
    add_covered(t, block.covered_by(i), 0, lanes);
    return lanes;
  }
  const tensor whole = block.tensor_of(i.attributes[0]);
  steps index = block.place_of(i);
  const value_type line_type{t.type.element, 2, {1, t.type.extents[1]}};
  for (index_t r = 0; r < t.extent(0); ++r) {
    index[0] = interp::integer_at(block.value(i.operands[stores ? 1 : 0]), r);
    const tile line{line_type, t.memory};
    add_covered(line, interp::covered_part(line, whole, index), r * t.extent(1), lanes);
  }
  return lanes;
}

std::vector<covered_lane> elements_of(const tensor& whole, index_t element_bytes) {
  std::vector<covered_lane> elements;
  steps extents{}, place{};
  for (int axis = 0; axis < whole.rank; ++axis) {
    extents[at(axis)] = whole.extents[axis];
    if (whole.extents[axis] == 0) return elements;
  }
  index_t number = 0;
  do {
    covered_lane next{number++, whole.address, place};
    for (int axis = 0; axis < whole.rank; ++axis) {
      next.address += place[at(axis)] * whole.strides[axis] * element_bytes;
    }
    elements.push_back(next);
  } while (advance(place, extents, whole.rank));
  return elements;
}

}  // namespace tilewright::compiler::debug
