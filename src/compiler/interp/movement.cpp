// SPDX-License-Identifier: Apache-2.0
#include "compiler/interp/movement.hpp"

#include <cstring>

namespace tilewright::compiler::interp {
namespace {

using ast::op;

std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

// Reads `start` by these steps, for each element of `to`.
void gather_by(const tile& to, std::byte* start, const steps& source) {
  box_of(to.type).add(to.memory, dense_steps(to)).add(start, source).for_each_row(copy_function(to.element_bytes()));
}

void permute(const instruction& i, const tile& to, const tile& from) {
  const steps source = dense_steps(from);
  steps permuted{};
  for (int axis = 0; axis < to.type.rank; ++axis) {
    permuted[at(axis)] = source[at((i.attributes[0] >> (4 * axis)) & 0xf)];
  }
  gather_by(to, from.memory, permuted);
}

void extract(const instruction& i, const tile& to, const tile& from) {
  const steps source = dense_steps(from);
  std::byte* start = from.memory;
  for (int axis = 0; axis < to.type.rank; ++axis) start += i.attributes[at(axis)] * to.extent(axis) * source[at(axis)];
  gather_by(to, start, source);
}

void cat(const instruction& i, const tile& to, std::span<const tile> parts) {
  const int axis = static_cast<int>(i.attributes[0]);
  const steps target = dense_steps(to);
  std::byte* start = to.memory;
  for (const tile& from : parts) {
    box_of(from.type)
        .add(start, target)
        .add(from.memory, dense_steps(from))
        .for_each_row(copy_function(to.element_bytes()));
    start += from.extent(axis) * target[at(axis)];
  }
}

}  // namespace

bool moves_elements(op which) { return ast::info(which).category == ast::op_category::shape; }

void move_elements(const instruction& i, const tile& to, std::span<const tile> from) {
  switch (i.op) {
    case op::permute:
      return permute(i, to, from[0]);
    case op::extract:
      return extract(i, to, from[0]);
    case op::cat:
      return cat(i, to, from);
    case op::broadcast:
      return gather_by(to, from[0].memory, broadcast_steps(from[0], to.type));
    default:  // reshape
      std::memcpy(to.memory, from[0].memory, to.bytes());
  }
}

}  // namespace tilewright::compiler::interp
