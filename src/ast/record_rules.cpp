// SPDX-License-Identifier: Apache-2.0
#include "ast/record_rules.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "tilewright/ast/print_format.hpp"
#include "tilewright/ast/products.hpp"

namespace tilewright::ast {
namespace {

using operand_types = std::span<const tile_type>;

std::size_t at(int position) { return static_cast<std::size_t>(position); }

bool is_number(std::int32_t extent) { return extent >= 0; }

bool is_axis(const tile_type& type, std::int32_t axis) { return axis >= 0 && axis < type.rank; }

bool is_scalar(const tile_type& type, dtype element) { return type.rank == 0 && type.element == element; }

bool same_shape(const tile_type& a, const tile_type& b) {
  return a.rank == b.rank && std::equal(a.extents, a.extents + a.rank, b.extents);
}

bool is_tile(const module_view& module, const tile_type& type) {
  return std::all_of(type.extents, type.extents + type.rank, [&](std::int32_t e) { return is_tile_extent(module, e); });
}

// The operands' shapes joined: rank 0 and extents of 1 repeat. False when they do not go together.
bool join(operand_types operands, tile_type& joined) {
  joined.rank = 0;
  for (const tile_type& next : operands) {
    if (next.rank == 0) continue;
    if (joined.rank == 0) {
      const dtype element = joined.element;
      joined = next;
      joined.element = element;
      continue;
    }
    if (next.rank != joined.rank) return false;
    for (int axis = 0; axis < next.rank; ++axis) {
      if (joined.extents[axis] == 1) joined.extents[axis] = next.extents[axis];
      if (next.extents[axis] != 1 && next.extents[axis] != joined.extents[axis]) return false;
    }
  }
  return true;
}

bool is_accepted(unsigned mask, dtype element) { return (mask & accepts::bit_of(element)) != 0; }

// ---- Rules of groups of ops
const char* rounding_rule(const record& r, const tile_type& result) {
  const std::int32_t how = r.attributes[0];
  if (how < 0 || how >= rounding_count) return "there is no such rounding";
  if (how == 0) return nullptr;
  if (!may_round(r.which, static_cast<rounding>(how))) return "the op does not round so";
  return is_rounded(result.element, static_cast<rounding>(how)) ? nullptr : "the element does not round so";
}

const char* element_wise_rule(operand_types operands, const tile_type& result, bool gives_bool) {
  for (const tile_type& operand : operands) {
    if (operand.element != operands[0].element) return "the operands' elements differ";
  }
  tile_type joined{.element = gives_bool ? dtype::boolean : operands[0].element};
  if (!join(operands, joined)) return "the operands' shapes do not go together";
  return joined == result ? nullptr : "the result is not of the operands' joined type";
}

const char* select_rule(operand_types operands, const tile_type& result) {
  if (operands[0].element != dtype::boolean) return "the condition of select is not bool";
  if (operands[1].element != operands[2].element) return "the operands' elements differ";
  tile_type joined{.element = operands[1].element};
  if (!join(operands, joined)) return "the operands' shapes do not go together";
  return joined == result ? nullptr : "the result is not of the operands' joined type";
}

const char* reduced_rule(const record& r, const tile_type& operand, const tile_type& result) {
  const std::int32_t axis = r.attributes[0];
  if (!is_axis(operand, axis)) return "the axis is not one of the operand's";
  tile_type wanted = operand;
  wanted.extents[axis] = 1;
  if (info(r.which).result == result_rule::reduced_index) wanted.element = dtype::index;
  return wanted == result ? nullptr : "the result is not the operand with extent 1 on the axis";
}

const char* mma_rule(const record& r, operand_types operands, const tile_type& result) {
  const tile_type &a = operands[0], &b = operands[1], &c = operands[2];
  if (!is_product_rank(c.rank) || a.rank != c.rank || b.rank != c.rank) {
    return "mma takes tiles of rank 2, or three of rank 3: a batch";
  }
  if (!is_factor(a.element) || !is_factor(b.element)) return "mma multiplies floats, i8 or u8";
  if (!are_factors(a.element, b.element)) return "the elements of a and b differ";
  if (!sums_in(a.element, c.element))
    return "mma sums floats in f32 (f16 and fp8 also in f16), f64 in f64, bytes in i32";
  const bool is_fast = r.attributes[0] != 0;
  if (is_fast && (r.attributes[0] != 1 || !has_fast_sum(a.element, c.element))) {
    return "mma's attribute is 0, or 1 for a fast sum of fp8 in f32";
  }
  const int row = c.rank - 2, column = c.rank - 1;
  if (row == 1 && (a.extents[0] != c.extents[0] || b.extents[0] != c.extents[0])) return "the batches differ";
  if (a.extents[column] != b.extents[row]) return "the columns of a are not the rows of b";
  if (c.extents[row] != a.extents[row] || c.extents[column] != b.extents[column]) {
    return "c is not rows of a by columns of b";
  }
  return c == result ? nullptr : "the result is not of c's type";
}

const char* mma_scaled_rule(operand_types operands, const tile_type& result) {
  const tile_type &a = operands[0], &b = operands[1], &c = operands[2], &of_a = operands[3], &of_b = operands[4];
  for (const tile_type& operand : operands) {
    if (operand.rank != 2) return "mma_scaled takes tiles of rank 2";
  }
  if (!is_scaled_factor(a.element) || a.element != b.element)
    return "mma_scaled multiplies fp8 or f4e2m1, of one element";
  if (c.element != dtype::f32) return "mma_scaled sums in f32";
  if (!is_scale_of(a.element, of_a.element) || of_a.element != of_b.element) {
    return "scales are f8e8m0, of f4e2m1 f8e4m3 too, and of one element";
  }
  if (a.extents[1] != b.extents[0]) return "the columns of a are not the rows of b";
  if (c.extents[0] != a.extents[0] || c.extents[1] != b.extents[1]) return "c is not rows of a by columns of b";
  if (of_a.extents[0] != a.extents[0] || of_b.extents[1] != b.extents[1] || of_a.extents[1] != of_b.extents[0]) {
    return "scales are (m, k / v) and (k / v, n)";
  }
  const bool is_known = a.extents[1] > 0 && of_a.extents[1] > 0;
  if (is_known && !are_blocks(a.element, of_a.element, a.extents[1], of_a.extents[1])) {
    return "a scale is of 32 elements, of f4e2m1 of 16 too, of those with f8e4m3 of 16 alone";
  }
  return c == result ? nullptr : "the result is not of c's type";
}

// ---- Rules of shape ops
const char* permute_rule(const record& r, const tile_type& operand, const tile_type& result) {
  tile_type wanted = operand;
  unsigned seen = 0;
  for (int axis = 0; axis < operand.rank; ++axis) {
    const std::int32_t source = (r.attributes[0] >> (4 * axis)) & 0xf;
    if (!is_axis(operand, source)) return "permute names an axis that the operand lacks";
    seen |= 1U << source;
    wanted.extents[axis] = operand.extents[source];
  }
  if (seen != (1U << operand.rank) - 1U) return "permute names an axis twice";
  return wanted == result ? nullptr : "the result is not the permuted operand";
}

const char* reshape_rule(const tile_type& operand, const tile_type& result) {
  if (operand.element != result.element) return "reshape keeps the element";
  double counts[2] = {1, 1};
  for (int which = 0; which < 2; ++which) {
    const tile_type& type = which == 0 ? operand : result;
    for (int axis = 0; axis < type.rank; ++axis) {
      if (!is_number(type.extents[axis])) return nullptr;  // bind knows
      counts[which] *= type.extents[axis];
    }
  }
  return counts[0] == counts[1] ? nullptr : "reshape keeps the number of elements";
}

const char* broadcast_rule(const tile_type& operand, const tile_type& result) {
  tile_type joined{.element = operand.element};
  const tile_type both[] = {operand, result};
  if (!join(both, joined) || joined != result) return "broadcast repeats extents of 1 and rank 0 only";
  return nullptr;
}

const char* same_shape_rule(const tile_type& operand, const tile_type& result) {
  if (operand.element != result.element || operand.rank != result.rank) return "same_shape keeps element and rank";
  for (int axis = 0; axis < operand.rank; ++axis) {
    const std::int32_t from = operand.extents[axis], to = result.extents[axis];
    if (is_number(from) && is_number(to) && from != to) return "two different numbers can never be equal";
  }
  return nullptr;
}

const char* cat_rule(const record& r, operand_types operands, const tile_type& result) {
  const std::int32_t axis = r.attributes[0];
  if (!is_axis(result, axis)) return "the axis is not one of the result's";
  tile_type others[] = {operands[0], operands[1]};
  for (tile_type& other : others) {
    if (other.rank != result.rank) return "cat keeps the rank";
    other.extents[axis] = result.extents[axis];
    if (other != result) return "cat joins tiles that differ on one axis only";
  }
  const std::int64_t a = operands[0].extents[axis], b = operands[1].extents[axis], sum = result.extents[axis];
  if (a > 0 && b > 0 && sum > 0 && a + b != sum) return "the result's extent is not the sum of the operands'";
  return nullptr;
}

const char* extract_rule(const record& r, const tile_type& operand, const tile_type& result) {
  if (operand.element != result.element || operand.rank != result.rank) return "extract keeps element and rank";
  for (int axis = 0; axis < max_rank; ++axis) {
    const std::int64_t position = r.attributes[at(axis)];
    if (position < 0) return "a position is negative";
    if (axis >= operand.rank) {
      if (position != 0) return "positions past the rank are 0";
      continue;
    }
    const std::int32_t whole = operand.extents[axis], piece = result.extents[axis];
    if (!is_number(whole) || !is_number(piece)) continue;  // bind knows
    if ((position + 1) * piece > whole) return "the piece does not lie inside the operand";
  }
  return nullptr;
}

// ---- Rules of parameters and memory
// The type of parameter `position`; null when there is none.
const tile_type* parameter_type(const module_view& module, std::int32_t position) {
  if (position < 0 || position >= module.parameter_count) return nullptr;
  return &module.types[module.parameters[position].type];
}
bool has_kind(const module_view& module, std::int32_t position, parameter_kind kind) {
  return module.parameters[position].kind == kind;
}
bool is_read_whole(const module_view& module, std::int32_t position) {
  return is_input(module.parameters[position].kind);
}

const char* load_rule(const module_view& module, const record& r, operand_types operands, const tile_type& result) {
  const tile_type* tensor = parameter_type(module, r.attributes[0]);
  if (tensor == nullptr || !is_read_whole(module, r.attributes[0])) return "load reads an In parameter";
  const std::int32_t padded = r.attributes[1];
  if (padded != 0 && padded != 1) return "load's second attribute is 0 or 1";
  if (operands.size() != at(tensor->rank) + at(padded)) return "load takes a tile index per axis, then the pad value";
  for (int axis = 0; axis < tensor->rank; ++axis) {
    if (!is_scalar(operands[at(axis)], dtype::index)) return "a tile index is an index of rank 0";
  }
  if (padded == 1 && !is_scalar(operands.back(), tensor->element)) return "the pad value is a scalar of the element";
  if (result.element != tensor->element || result.rank != tensor->rank)
    return "a tile has its tensor's element and rank";
  return nullptr;
}

const char* load_window_rule(const module_view& module, const record& r, operand_types operands,
                             const tile_type& result) {
  if (const char* rule = load_rule(module, r, operands, result)) return rule;
  for (int axis = 0; axis < max_rank; ++axis) {
    const std::int32_t stride = r.attributes[2 + at(axis)];
    if (axis < result.rank ? !is_tile_extent(module, stride) : stride != 0) {
      return "a stride is a number from 1 on or a symbol, and 0 past the rank";
    }
  }
  return nullptr;
}

const char* gather_rows_rule(const module_view& module, const record& r, operand_types operands,
                             const tile_type& result) {
  const tile_type* table = parameter_type(module, r.attributes[0]);
  if (table == nullptr || !has_kind(module, r.attributes[0], parameter_kind::in) || table->rank != 2) {
    return "gather_rows reads an In parameter of rank 2";
  }
  if (result.rank != 2 || result.element != table->element) return "a tile has its tensor's element and rank";
  const tile_type& rows = operands[0];
  if (!is_accepted(accepts::integer | accepts::index, rows.element)) return "rows are chosen by integers";
  if (rows.rank != 2 || rows.extents[0] != result.extents[0] || rows.extents[1] != 1) {
    return "gather_rows takes one row index per row of its result";
  }
  return is_scalar(operands[1], dtype::index) ? nullptr : "a tile index is an index of rank 0";
}

// Of gather and combine_at: the indices from operand `first` on and the mask. `joined` takes the shape of all operands.
const char* chosen_rule(const record& r, operand_types operands, const tile_type& tensor, std::size_t first,
                        tile_type& joined) {
  const std::int32_t masked = r.attributes[1];
  if (masked != 0 && masked != 1) return "the second attribute of what chooses elements is 0 or 1";
  if (operands.size() != first + at(tensor.rank) + at(masked)) return "elements are chosen by an index per axis";
  for (int axis = 0; axis < tensor.rank; ++axis) {
    if (!is_accepted(accepts::integer | accepts::index, operands[first + at(axis)].element)) {
      return "elements are chosen by integers";
    }
  }
  if (masked == 1 && operands.back().element != dtype::boolean) return "a mask is bool";
  return join(operands, joined) ? nullptr : "the operands' shapes do not go together";
}

const char* gather_rule(const module_view& module, const record& r, operand_types operands, const tile_type& result) {
  const tile_type* tensor = parameter_type(module, r.attributes[0]);
  if (tensor == nullptr || !is_read_whole(module, r.attributes[0]) || tensor->rank == 0) {
    return "gather reads an In parameter of rank 1 to 6";
  }
  tile_type joined{.element = tensor->element};
  if (const char* rule = chosen_rule(r, operands, *tensor, 0, joined)) return rule;
  return joined == result ? nullptr : "the result is not of the operands' joined type";
}

const char* piece_rule(const module_view& module, const record& r, const tile_type& tile) {
  const tile_type* piece = parameter_type(module, r.attributes[0]);
  const bool is_store = r.which == op::store;
  if (piece == nullptr || !(has_kind(module, r.attributes[0], parameter_kind::in_out) ||
                            (is_store && has_kind(module, r.attributes[0], parameter_kind::out)))) {
    return is_store ? "store writes an Out or InOut parameter" : "load_piece reads an InOut parameter";
  }
  return tile == *piece ? nullptr : "the tile is not of the parameter's type";
}

const char* store_tile_rule(const module_view& module, const record& r, operand_types operands) {
  const tile_type* piece = parameter_type(module, r.attributes[0]);
  if (piece == nullptr || !has_kind(module, r.attributes[0], parameter_kind::out)) {
    return "store_tile writes an Out parameter";
  }
  const auto whole = std::count(piece->extents, piece->extents + piece->rank, dynamic_extent);
  if (whole == 0) return "store_tile writes a piece with whole axes";
  if (operands.size() != at(static_cast<int>(whole)) + 1) return "store_tile takes a tile and an index per whole axis";
  tile_type wanted = *piece;
  for (int axis = 0; axis < piece->rank && axis < operands[0].rank; ++axis) {
    if (piece->extents[axis] == dynamic_extent) wanted.extents[axis] = operands[0].extents[axis];
  }
  if (operands[0] != wanted) return "the tile is not of the parameter's type";
  const bool are_indices =
      std::all_of(operands.begin() + 1, operands.end(), [](const tile_type& t) { return is_scalar(t, dtype::index); });
  return are_indices ? nullptr : "a tile index is an index of rank 0";
}

const char* store_rows_rule(const module_view& module, const record& r, operand_types operands) {
  const tile_type *piece = parameter_type(module, r.attributes[0]), *indices = parameter_type(module, r.attributes[1]);
  if (piece == nullptr || !has_kind(module, r.attributes[0], parameter_kind::scatter)) {
    return "store_rows writes a Scatter parameter";
  }
  if (indices == nullptr || !has_kind(module, r.attributes[1], parameter_kind::unique)) {
    return "store_rows writes to rows that a Unique parameter names";
  }
  if (operands[0] != *piece) return "the tile is not of the parameter's type";
  const tile_type wanted{.element = indices->element, .rank = 2, .extents = {piece->extents[0], 1}};
  return operands[1] == wanted ? nullptr : "store_rows takes one row index per row of its tile";
}

const char* combine_rule(const module_view& module, const record& r, const tile_type& tile) {
  const tile_type* piece = parameter_type(module, r.attributes[0]);
  if (piece == nullptr || !has_kind(module, r.attributes[0], parameter_kind::accum)) {
    return "combine changes an Accum parameter";
  }
  return tile == *piece ? nullptr : "the tile is not of the parameter's type";
}

bool is_whole(const tile_type& piece) {
  return piece.rank > 0 && std::count(piece.extents, piece.extents + piece.rank, dynamic_extent) == piece.rank;
}

const char* combine_at_rule(const module_view& module, const record& r, operand_types operands) {
  const tile_type* piece = parameter_type(module, r.attributes[0]);
  if (piece == nullptr || !has_kind(module, r.attributes[0], parameter_kind::accum) || !is_whole(*piece)) {
    return "combine_at changes an Accum parameter whose piece is the whole tensor";
  }
  if (operands.empty() || operands[0].element != piece->element) return "the tile is not of the parameter's element";
  tile_type joined{.element = piece->element};
  return chosen_rule(r, operands, *piece, 1, joined);
}

const char* scalar_rule(const module_view& module, const record& r, const tile_type& result) {
  const tile_type* type = parameter_type(module, r.attributes[0]);
  if (type == nullptr || !has_kind(module, r.attributes[0], parameter_kind::scalar)) {
    return "scalar reads a Scalar parameter";
  }
  return *type == result ? nullptr : "the tile is not of the parameter's type";
}

const char* extent_rule(const module_view& module, const record& r) {
  const tile_type* tensor = parameter_type(module, r.attributes[0]);
  if (tensor == nullptr || !is_axis(*tensor, r.attributes[1])) return "no parameter has that axis";
  if (r.which == op::tiles && !is_tile_extent(module, r.attributes[2])) return "a tile extent is a number or a symbol";
  return nullptr;
}

// ---- Rules of creation and conversion
const char* constant_rule(const record& r, const tile_type& result, std::size_t first = 0) {
  const auto low = static_cast<std::uint32_t>(r.attributes[first]);
  const std::int64_t word = static_cast<std::int64_t>(r.attributes[first + 1]) * (std::int64_t{1} << 32) + low;
  const dtype_info& element = info(result.element);
  if (element.kind == dtype_kind::floating || element.bits == 64) return nullptr;
  const bool is_signed = element.kind == dtype_kind::signed_integer;
  const std::int64_t least = is_signed ? -(std::int64_t{1} << (element.bits - 1)) : 0;
  const std::int64_t past = std::int64_t{1} << (element.bits - (is_signed ? 1 : 0));
  return word >= least && word < past ? nullptr : "the literal does not fit its element";
}

const char* table_rule(const record& r, const tile_type& result) {
  const auto words = static_cast<std::int64_t>(r.attributes.size()) - 1;
  std::int64_t wanted = 2;
  for (int axis = 0; axis < result.rank && wanted <= words; ++axis) {
    if (result.extents[axis] < 0) return "the extents of a table are numbers";
    wanted *= result.extents[axis];
  }
  if (result.rank == 0 || wanted != words) return "a table has rank 1 or more, and two words for each element";
  for (std::size_t first = 1; first < r.attributes.size(); first += 2) {
    if (const char* rule = constant_rule(r, result, first)) return rule;
  }
  return nullptr;
}

const char* convert_rule(const record& r, const tile_type& operand, const tile_type& result) {
  if (!same_shape(operand, result)) return "a conversion keeps the shape";
  const dtype from = operand.element, to = result.element;
  if (r.which == op::bitcast) return shares_bits(from, to) ? nullptr : "bitcast keeps the width of elements";
  if (is_converted(from, to)) return nullptr;
  return is_of_single(from) || is_of_single(to) ? "tf32 and f8e8m0 are made of f32, and become f32"
                                                : "i4 and u4 are made of integers, and become integers";
}

const char* combined_rule(const record& r, operand_types operands) {
  if (operands.empty() || operands.size() > most_combined_tiles) return "a combiner works on 1 to 8 tiles";
  const bool are_alike =
      std::all_of(operands.begin(), operands.end(), [&](const tile_type& t) { return same_shape(t, operands[0]); });
  if (!are_alike) return "the tiles of a combiner have one shape";
  if (!is_axis(operands[0], r.attributes[0])) return "the axis is not one of the operand's";
  const bool has_order = r.which == op::reduce_begin || r.attributes[1] == 0 || r.attributes[1] == 1;
  return has_order ? nullptr : "a scan's second attribute is 0 or 1";
}

const char* stated_rule(const module_view& module, const record& r, operand_types operands, const tile_type& result) {
  switch (r.which) {
    case op::scalar:
      return scalar_rule(module, r, result);
    case op::load:
      return load_rule(module, r, operands, result);
    case op::load_window:
      return load_window_rule(module, r, operands, result);
    case op::load_piece:
      return piece_rule(module, r, result);
    case op::gather_rows:
      return gather_rows_rule(module, r, operands, result);
    case op::gather:
      return gather_rule(module, r, operands, result);
    case op::constant:
      return constant_rule(r, result);
    case op::table:
      return table_rule(r, result);
    case op::combiner_left:
      return result.rank != 0 ? "a combiner's elements have rank 0" : constant_rule(r, result);
    case op::combiner_right:
      return result.rank != 0 ? "a combiner's elements have rank 0" : nullptr;
    case op::iota:
      return is_axis(result, r.attributes[0]) ? nullptr : "the axis is not one of the result's";
    case op::select:
      return select_rule(operands, result);
    case op::cast:
    case op::bitcast:
      return convert_rule(r, operands[0], result);
    case op::mma:
      return mma_rule(r, operands, result);
    case op::mma_scaled:
      return mma_scaled_rule(operands, result);
    case op::permute:
      return permute_rule(r, operands[0], result);
    case op::reshape:
      return reshape_rule(operands[0], result);
    case op::broadcast:
      return broadcast_rule(operands[0], result);
    case op::same_shape:
      return same_shape_rule(operands[0], result);
    case op::cat:
      return cat_rule(r, operands, result);
    case op::extract:
      return extract_rule(r, operands[0], result);
    default:
      return nullptr;  // undefined, combined: any tile
  }
}

// Records without a result, and the scalar indices.
bool has_text(const module_view& module, std::int32_t number) {
  return number >= no_text && number < std::count(module.texts, module.texts + module.texts_size, '\0');
}

const char* print_rule(const module_view& module, const record& r) {
  const std::int32_t number = r.attributes[0];
  if (number == no_text || !has_text(module, number)) return "a text is not in the table";
  const char* text = module.texts;
  for (std::int32_t skipped = 0; skipped < number; ++skipped) text += std::strlen(text) + 1;
  const bool fits = operands_of_text(text) == static_cast<int>(r.operands.size());
  return fits ? nullptr : "a printed text has a place for each operand, and no other brace alone";
}

const char* position_rule(const module_view& module, const record& r, operand_types operands) {
  switch (r.which) {
    case op::assign:
      return operands[0] == operands[1] ? nullptr : "a variable keeps its type";
    case op::store:
      return piece_rule(module, r, operands[0]);
    case op::combine:
      return combine_rule(module, r, operands[0]);
    case op::combine_at:
      return combine_at_rule(module, r, operands);
    case op::store_tile:
      return store_tile_rule(module, r, operands);
    case op::store_rows:
      return store_rows_rule(module, r, operands);
    case op::reduce_begin:
    case op::scan_begin:
      return combined_rule(r, operands);
    case op::if_begin:
      return operands[0].rank == 0 ? nullptr : "the condition of if_ has rank 0";
    case op::while_condition:
      return operands[0].rank == 0 ? nullptr : "the condition of while_ has rank 0";
    case op::for_begin:
      if (r.attributes[0] != 0 && r.attributes[0] != 1) return "for_begin's attribute is 0 or 1";
      return std::all_of(operands.begin(), operands.end(), [](const tile_type& t) { return t.rank == 0; })
                 ? nullptr
                 : "the bounds of a loop have rank 0";
    case op::block_id:
    case op::block_count:
      return r.attributes[0] >= 0 && r.attributes[0] < max_rank ? nullptr : "a grid has six axes";
    case op::extent:
    case op::tiles:
      return extent_rule(module, r);
    case op::dim_value:
      return is_tile_extent(module, r.attributes[0]) ? nullptr : "a Dim is a number or a symbol";
    case op::require_equal:
      return operands[0].rank == 0 && operands[1].rank == 0 ? nullptr : "require_equal compares two numbers";
    case op::assertion:
      return has_text(module, r.attributes[0]) ? nullptr : "a text is not in the table";
    case op::print:
      return print_rule(module, r);
    case op::require:
      return operands[0].rank == 0 ? nullptr : "the condition of requires_ has rank 0";
    default:
      return nullptr;
  }
}

}  // namespace

bool is_tile_extent(const module_view& module, std::int32_t extent) {
  return extent > 0 || (is_symbol(extent) && symbol_of(extent) < module.symbol_count);
}

const char* broken_rule(const module_view& module, const record& r, operand_types operands) {
  const op_info& row = info(r.which);
  for (const tile_type& operand : operands) {
    if (!is_accepted(row.elements, operand.element)) return "the op does not take this element";
  }
  if (row.result == result_rule::none) return position_rule(module, r, operands);

  const tile_type& result = module.types[r.type];
  if (!is_tile(module, result)) return "the extents of a tile are numbers from 1 on or symbols";
  const bool is_made = r.which == op::iota || r.which == op::table;
  if (is_made && !is_accepted(row.elements, result.element)) return "the op does not take this element";
  switch (row.result) {
    case result_rule::none:
      break;
    case result_rule::stated:
      return stated_rule(module, r, operands, result);
    case result_rule::same:
      if (row.category == op_category::scan) {
        if (!is_axis(operands[0], r.attributes[0])) return "the axis is not one of the operand's";
        if (r.attributes[1] != 0 && r.attributes[1] != 1) return "a scan's second attribute is 0 or 1";
      }
      if (states_rounding(r.which)) {
        if (const char* rule = rounding_rule(r, result)) return rule;
      }
      return element_wise_rule(operands, result, false);
    case result_rule::boolean:
      return element_wise_rule(operands, result, true);
    case result_rule::reduced:
    case result_rule::reduced_index:
      return reduced_rule(r, operands[0], result);
    case result_rule::scalar_index:
      return is_scalar(result, dtype::index) ? position_rule(module, r, operands) : "the result is an index of rank 0";
  }
  return nullptr;
}

}  // namespace tilewright::ast
