// SPDX-License-Identifier: Apache-2.0
#include "compiler/bind/tensor_facts.hpp"

#include <algorithm>
#include <bit>

#include "compiler/bind/dim_values.hpp"
#include "compiler/record_cursor.hpp"

namespace tilewright::compiler {
namespace {

constexpr std::uint64_t greatest_alignment_bytes = 128, greatest_divisor = 16;

std::int32_t power_of_two_divisor(std::uint64_t value, std::uint64_t greatest) {
  if (value == 0) return static_cast<std::int32_t>(greatest);
  return static_cast<std::int32_t>(std::min(greatest, std::uint64_t{1} << std::countr_zero(value)));
}

// 128-bit sums: an extent times a stride may pass 64 bits. A negative stride does not fit: NVIDIA's assembler takes
// those of 32 bits for unsigned.
bool fits_31_bits(const argument& tensor, int element_bytes) {
  constexpr __int128 limit = __int128{1} << 31;
  __int128 last = 0;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(tensor.rank); ++axis) {
    if (static_cast<__int128>(tensor.extents[axis]) * element_bytes >= limit) return false;
    const __int128 stride = tensor.strides[axis];
    if (stride < 0) return false;
    last += std::max<__int128>(tensor.extents[axis] - 1, 0) * stride;
  }
  return (last + 1) * element_bytes < limit;
}

tensor_facts facts_of_form(const argument& tensor, int element_bytes) {
  tensor_facts facts;
  facts.alignment_bytes = power_of_two_divisor(std::bit_cast<std::uint64_t>(tensor.address), greatest_alignment_bytes);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(tensor.rank); ++axis) {
    facts.stride_divisor[axis] =
        power_of_two_divisor(static_cast<std::uint64_t>(tensor.strides[axis]), greatest_divisor);
    facts.unit_stride[axis] = tensor.strides[axis] == 1;
    facts.in_sixteens[axis] = facts.unit_stride[axis] && tensor.extents[axis] % 16 == 0;
    facts.divides[axis] = true;  // until a tile extent that does not divide is met
    facts.single_tile[axis] = tensor.extents[axis] >= 1;
  }
  facts.fits_31_bits = fits_31_bits(tensor, element_bytes);
  return facts;
}

bool is_small_integer(std::uint64_t bits, dtype element) {
  constexpr std::int64_t limit = std::int64_t{1} << 28;
  if (!is_integer(element)) return false;
  const int unused = 64 - info(element).bits;
  if (is_unsigned(element)) return bits << unused >> unused < static_cast<std::uint64_t>(limit);
  const std::int64_t value = static_cast<std::int64_t>(bits << unused) >> unused;
  return value > -limit && value < limit;
}

class tile_uses {
 public:
  tile_uses(const std::vector<argument>& arguments, const std::vector<index_t>& dims, std::vector<tensor_facts>& facts)
      : arguments_(arguments), dims_(dims), facts_(facts) {}

  void meet(int parameter, int axis, std::int32_t stated) { meet(parameter, axis, stated, stated); }

  // Tiles that begin every `stated_step` elements.
  void meet(int parameter, int axis, std::int32_t stated, std::int32_t stated_step) {
    const auto p = static_cast<std::size_t>(parameter), a = static_cast<std::size_t>(axis);
    const index_t tile = value_of(stated), step = value_of(stated_step), extent = arguments_[p].extents[a];
    if (extent % step != 0 || tile > step) facts_[p].divides[a] = false;
    if (extent > step) facts_[p].single_tile[a] = false;
  }

 private:
  index_t value_of(std::int32_t stated) const {
    return ast::is_symbol(stated) ? dims_[static_cast<std::size_t>(ast::symbol_of(stated))] : stated;
  }

  const std::vector<argument>& arguments_;
  const std::vector<index_t>& dims_;
  std::vector<tensor_facts>& facts_;
};

void meet_tiles_of_records(const ast::module_view& module, tile_uses& uses) {
  std::vector<int> types(static_cast<std::size_t>(module.record_count));
  record_cursor cursor(module);
  record next;
  while (cursor.next(next)) {
    types[static_cast<std::size_t>(next.ordinal)] = next.type;
    if (next.op == ast::op::store_tile) {
      const ast::tile_type& tile = module.types[types[static_cast<std::size_t>(next.operands[0])]];
      for (int axis = 0; axis < tile.rank; ++axis) uses.meet(next.attributes[0], axis, tile.extents[axis]);
    }
    if (next.op == ast::op::tiles) uses.meet(next.attributes[0], next.attributes[1], next.attributes[2]);
    if (next.op == ast::op::gather_rows) uses.meet(next.attributes[0], 1, module.types[next.type].extents[1]);
    if (!ast::loads_tile(next.op)) continue;
    const ast::tile_type& tile = module.types[next.type];
    for (int axis = 0; axis < tile.rank; ++axis) {
      const bool is_window = next.op == ast::op::load_window;
      const std::int32_t step = is_window ? next.attributes[2 + static_cast<std::size_t>(axis)] : tile.extents[axis];
      uses.meet(next.attributes[0], axis, tile.extents[axis], step);
    }
  }
}

}  // namespace

std::vector<tensor_facts> facts_of(const ast::module_view& module, const std::vector<argument>& arguments,
                                   const std::vector<index_t>& dims) {
  std::vector<tensor_facts> facts(arguments.size());
  tile_uses uses(arguments, dims, facts);
  for (int p = 0; p < module.parameter_count; ++p) {
    const ast::tile_type& type = type_of_parameter(module, p);
    const auto at = static_cast<std::size_t>(p);
    if (module.parameters[p].kind == parameter_kind::scalar) {
      facts[at].fits_31_bits = is_small_integer(arguments[at].scalar, type.element);
      continue;
    }
    facts[at] = facts_of_form(arguments[at], info(type.element).size_bytes);
    if (!is_output(module.parameters[p].kind)) continue;
    for (int axis = 0; axis < type.rank; ++axis) {
      if (type.extents[axis] != ast::dynamic_extent) uses.meet(p, axis, type.extents[axis]);
    }
    if (module.parameters[p].kind == parameter_kind::scatter) {  // its pieces are made of the rows of the indices
      facts[at].divides[0] = facts[at].single_tile[0] = false;
    }
  }
  meet_tiles_of_records(module, uses);
  return facts;
}

}  // namespace tilewright::compiler
