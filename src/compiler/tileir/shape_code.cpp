// SPDX-License-Identifier: Apache-2.0
// Operations that move elements without changing them. An axis that is no power of two has lanes at its end that are no
// elements: what would mix those with elements is refused.
#include "compiler/constant_bits.hpp"
#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

bool is_rounded(std::int64_t extent) { return rounded_up(extent) != extent; }

// ---- reshape: groups of axes of equal element counts, wider than 1. A rounded axis must be alone in its group.
std::vector<std::int64_t> wide_extents(const tile_shape& shape) {
  std::vector<std::int64_t> wide;
  for (const std::int64_t extent : shape) {
    if (extent > 1) wide.push_back(extent);
  }
  return wide;
}

bool mixes_rounded_lanes(const tile_shape& from, const tile_shape& to) {
  const std::vector<std::int64_t> left = wide_extents(from), right = wide_extents(to);
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    const std::size_t first_left = i, first_right = j;
    std::int64_t left_count = left[i++], right_count = right[j++];
    bool has_rounded = is_rounded(left_count) || is_rounded(right_count);
    while (left_count != right_count) {
      std::int64_t& lesser = left_count < right_count ? left_count : right_count;
      const std::int64_t next = left_count < right_count ? left[i++] : right[j++];
      lesser *= next;
      has_rounded = has_rounded || is_rounded(next);
    }
    if (has_rounded && !(i - first_left == 1 && j - first_right == 1)) return true;
  }
  return false;
}

void emit_reshape(kernel_state& state, const instruction& i) {
  const tile_shape from = state.exact_shape(i.operands[0]), to = state.exact_shape(i.results[0]);
  if (mixes_rounded_lanes(from, to)) {
    state.refuse(i, "reshape would split or merge an axis that is no power of two",
                 "choose extents that are powers of two, or keep the axis as it is");
    return;
  }
  const code_value x = state.get(i.operands[0], state.element(i.results[0]));
  state.set(i.results[0], state.code.reshape(x, rounded_up(to)));
}

void emit_cat(kernel_state& state, const instruction& i) {
  const auto axis = static_cast<std::size_t>(i.attributes[0]);
  const std::int64_t left = state.type(i.operands[0]).extents[axis], right = state.type(i.operands[1]).extents[axis];
  if (left != right || is_rounded(left)) {
    state.refuse(i, "cat along an axis needs two equal extents that are powers of two",
                 "choose such extents, or store the parts one by one");
    return;
  }
  const type_tag element = state.element(i.results[0]);
  const code_value a = state.get(i.operands[0], element), b = state.get(i.operands[1], element);
  state.set(i.results[0], state.code.tile_op(opcode::cat, element, state.shape(i.results[0]), {a.number, b.number},
                                             {static_cast<std::uint64_t>(axis)}));
}

void emit_extract(kernel_state& state, const instruction& i) {
  const tile_shape from = state.exact_shape(i.operands[0]), to = state.exact_shape(i.results[0]);
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] == to[axis] || !(is_rounded(from[axis]) || is_rounded(to[axis]))) continue;
    state.refuse(i, "extract would cut an axis that is no power of two", "choose extents that are powers of two");
    return;
  }
  const code_value x = state.get(i.operands[0], state.element(i.results[0]));
  const std::span<const std::int64_t> place(i.attributes.data(), from.size());
  state.set(i.results[0], state.code.extract(x, rounded_up(to), place));
}

void emit_permute(kernel_state& state, const instruction& i) {
  const code_value x = state.get(i.operands[0], state.element(i.results[0]));
  const tile_shape shape = state.shape(i.results[0]);
  operation made;
  made.code = opcode::permute;
  bool is_same_order = true;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    made.list.push_back(i.attributes[0] >> (4 * axis) & 15);
    is_same_order = is_same_order && made.list.back() == static_cast<std::int64_t>(axis);
  }
  if (is_same_order) return state.set(i.results[0], x);
  made.operands = {x.number};
  made.results = {state.ids.tile(x.element, shape)};
  state.set(i.results[0], {state.code.append(std::move(made)), x.element, shape});
}

// Elements too narrow to count so far wrap, as a cast of the number does.
void emit_iota(kernel_state& state, const instruction& i) {
  const auto axis = static_cast<std::size_t>(i.attributes[0]);
  const type_tag element = state.element(i.results[0]);
  const tile_shape shape = state.shape(i.results[0]);
  const type_tag counted = bits_of(element) < 32 ? type_tag::i32 : element;
  state.set(i.results[0], state.code.resized(state.code.iota(counted, shape, axis), element, is_unsigned));
}

// Elements in the order of the rounded shape; lanes that rounding adds are 0.
std::vector<std::int64_t> rounded_elements(const instruction& i, const tile_shape& from, const tile_shape& to) {
  std::size_t count = 1;
  for (const std::int64_t extent : to) count *= static_cast<std::size_t>(extent);
  std::vector<std::int64_t> words(count, 0);
  for (std::size_t n = 0; n < i.attributes.size(); ++n) {
    std::size_t rest = n, place = 0, stride = 1;
    for (std::size_t axis = from.size(); axis-- > 0;) {
      place += rest % static_cast<std::size_t>(from[axis]) * stride;
      rest /= static_cast<std::size_t>(from[axis]);
      stride *= static_cast<std::size_t>(to[axis]);
    }
    words[place] = i.attributes[n];
  }
  return words;
}

std::string packed_bools(const std::vector<std::int64_t>& words) {
  std::string bytes((words.size() + 7) / 8, '\0');
  for (std::size_t n = 0; n < words.size(); ++n) {
    if (words[n] != 0) bytes[n / 8] = static_cast<char>(static_cast<unsigned char>(bytes[n / 8]) | 1U << n % 8);
  }
  return bytes;
}

void emit_table(kernel_state& state, const instruction& i) {
  const value_id result = i.results[0];
  const dtype stated = state.type(result).element;
  const type_tag element = stated == dtype::tf32 ? type_tag::f32 : state.element(result);
  const tile_shape shape = state.shape(result);
  const std::vector<std::int64_t> words = rounded_elements(i, state.exact_shape(result), shape);
  const dtype written = stated != dtype::index ? stated : element == type_tag::i64 ? dtype::i64 : dtype::i32;
  const std::string bytes = stated == dtype::boolean ? packed_bools(words) : element_bytes(words, written);
  const code_value made = state.code.tile_op(opcode::constant, element, shape, {}, {state.ids.constant(bytes)});
  state.set(result, stated == dtype::tf32 ? state.code.converted(made, type_tag::tf32) : made);
}

}  // namespace

void emit_shape(kernel_state& state, const instruction& i) {
  switch (i.op) {
    case op::table:
      return emit_table(state, i);
    case op::iota:
      return emit_iota(state, i);
    case op::permute:
      return emit_permute(state, i);
    case op::reshape:
      return emit_reshape(state, i);
    case op::cat:
      return emit_cat(state, i);
    case op::extract:
      return emit_extract(state, i);
    default:
      return state.set(i.results[0], state.get(i.operands[0], state.element(i.results[0]), state.shape(i.results[0])));
  }
}

}  // namespace tilewright::compiler::tileir
