// SPDX-License-Identifier: Apache-2.0
#include "compiler/interp/chosen_lanes.hpp"

#include <algorithm>
#include <cstring>

namespace tilewright::compiler::interp {
namespace {

std::size_t at(int position) { return static_cast<std::size_t>(position); }

}  // namespace

index_t element_of_lane(const tile& t, const value_type& lanes, index_t lane) {
  if (t.type.rank == 0) return 0;
  index_t element = 0, stride = 1;
  for (int axis = lanes.rank - 1; axis >= 0; --axis) {
    const index_t place = lane % lanes.extents[at(axis)];
    lane /= lanes.extents[at(axis)];
    if (t.extent(axis) != 1) element += place * stride;
    stride *= t.extent(axis);
  }
  return element;
}

std::byte* address_of(const tensor& of, const steps& index, index_t element_bytes) {
  std::byte* address = of.address;
  for (int axis = 0; axis < of.rank; ++axis) {
    if (index[at(axis)] < 0 || index[at(axis)] >= of.extents[axis]) return nullptr;
    address += index[at(axis)] * of.strides[axis] * element_bytes;
  }
  return address;
}

void for_each_lane(const chosen_lanes& chosen, const std::function<void(index_t lane, const steps& index)>& visit) {
  for (index_t lane = 0; lane < chosen.type.elements(); ++lane) {
    const bool is_out = chosen.mask && integer_at(*chosen.mask, element_of_lane(*chosen.mask, chosen.type, lane)) == 0;
    if (is_out) continue;
    steps index{};
    for (std::size_t axis = 0; axis < chosen.indices.size(); ++axis) {
      const tile& indices = chosen.indices[axis];
      index[axis] = integer_at(indices, element_of_lane(indices, chosen.type, lane));
    }
    visit(lane, index);
  }
}

void gather_elements(const tile& result, const tensor& from, const chosen_lanes& chosen) {
  const index_t size = result.element_bytes();
  std::fill_n(result.memory, result.bytes(), std::byte{0});
  for_each_lane(chosen, [&](index_t lane, const steps& index) {
    const std::byte* address = address_of(from, index, size);
    if (address != nullptr) std::memcpy(result.memory + lane * size, address, static_cast<std::size_t>(size));
  });
}

void combine_elements(combiner by, const tensor& to, const chosen_lanes& chosen, const tile& value) {
  const index_t size = value.element_bytes();
  const row_function combine = combine_function(by, value.type.element);
  for_each_lane(chosen, [&](index_t lane, const steps& index) {
    std::byte* address = address_of(to, index, size);
    if (address == nullptr) return;
    combine({.at = {address, value.memory + element_of_lane(value, chosen.type, lane) * size}, .step = {}, .count = 1});
  });
}

}  // namespace tilewright::compiler::interp
