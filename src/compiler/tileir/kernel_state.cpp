// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/kernel_state.hpp"

#include <bit>

#include "compiler/scalar_semantics.hpp"

namespace tilewright::compiler::tileir {

std::int64_t rounded_up(std::int64_t extent) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
}

tile_shape rounded_up(const tile_shape& exact) {
  tile_shape made = exact;
  for (std::int64_t& extent : made) extent = rounded_up(extent);
  return made;
}

type_tag element_in_code(dtype element, bool is_wide_index) {
  switch (element) {
    case dtype::boolean:
      return type_tag::i1;
    case dtype::i8:
    case dtype::u8:
    case dtype::f8e8m0:
    case dtype::f4e2m1:
    case dtype::i4:
    case dtype::u4:
      return type_tag::i8;
    case dtype::i16:
    case dtype::u16:
      return type_tag::i16;
    case dtype::i32:
    case dtype::u32:
      return type_tag::i32;
    case dtype::i64:
    case dtype::u64:
      return type_tag::i64;
    case dtype::f16:
      return type_tag::f16;
    case dtype::bf16:
      return type_tag::bf16;
    case dtype::f32:
      return type_tag::f32;
    case dtype::f64:
      return type_tag::f64;
    case dtype::f8e4m3:
      return type_tag::f8e4m3fn;
    case dtype::f8e5m2:
      return type_tag::f8e5m2;
    case dtype::tf32:
      return type_tag::tf32;
    case dtype::index:
      break;
  }
  return is_wide_index ? type_tag::i64 : type_tag::i32;
}

type_tag element_in_memory(dtype element) {
  if (element == dtype::tf32) return type_tag::f32;
  return element == dtype::boolean ? type_tag::i8 : element_in_code(element, true);
}

std::uint64_t constant_bits(std::int64_t word, dtype element) {
  return semantics::visit_element(element, [word]<class T>(std::type_identity<T>) -> std::uint64_t {
    const T value = semantics::from_constant<T>(word);
    if constexpr (std::is_same_v<T, bool>) return value ? 1 : 0;
    if constexpr (std::is_same_v<T, tf32>) return value.bits >> 13;
    if constexpr (sizeof(T) == 1) return std::bit_cast<std::uint8_t>(value);
    if constexpr (sizeof(T) == 2) return std::bit_cast<std::uint16_t>(value);
    if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
    if constexpr (sizeof(T) == 8) return std::bit_cast<std::uint64_t>(value);
  });
}

bool kernel_state::is_wide(value_id id) const {
  const auto at = static_cast<std::size_t>(id);
  if (constants[at] == nullptr) return !source.narrow[at];
  const std::int64_t number = constants[at]->attributes[0];
  return number < INT32_MIN || number > INT32_MAX;
}

type_tag kernel_state::element(value_id id) const { return element_in_code(type(id).element, is_wide(id)); }

tile_shape kernel_state::exact_shape(value_id id) const {
  const value_type& t = type(id);
  return {t.extents.begin(), t.extents.begin() + t.rank};
}

tile_shape kernel_state::shape(value_id id) const { return rounded_up(exact_shape(id)); }

void kernel_state::set(value_id id, const code_value& x) {
  const bool is_index = type(id).element == dtype::index;
  values[static_cast<std::size_t>(id)] = is_index ? code.resized(x, element(id), is_signed) : x;
}

code_value kernel_state::get(value_id id) { return get(id, element(id), shape(id)); }
code_value kernel_state::get(value_id id, type_tag as) { return get(id, as, shape(id)); }

code_value kernel_state::get(value_id id, type_tag as, const tile_shape& to) {
  const auto at = static_cast<std::size_t>(id);
  // A literal is written where it is used, in the shape and width that the use wants.
  if (constants[at] != nullptr)
    return code.splat(as, to, constant_bits(constants[at]->attributes[0], type(id).element));
  code_value x = values[at];
  if (type(id).element == dtype::index) x = code.resized(x, as, is_signed);
  return code.broadcast(x, to);
}

void kernel_state::refuse(const instruction& i, std::string what, std::string fix) {
  faults.add({i.location, std::move(what), "extents that are powers of two there", {}, std::move(fix)});
  const value_id result = i.results[0];  // what follows finds a value of the right type, so that all faults are told
  set(result, code.splat(element(result), shape(result), 0));
}

code_value masked(kernel_state& state, const code_value& x, std::int64_t exact_extent, std::size_t axis,
                  std::uint64_t bits) {
  if (x.shape[axis] == exact_extent) return x;
  const code_value count = state.code.integer(type_tag::i32, exact_extent);
  const code_value is_real = state.code.lanes_below(count, x.shape, axis);
  const code_value neutral = state.code.splat(x.element, x.shape, bits);
  return state.code.select(is_real, x, neutral);
}

}  // namespace tilewright::compiler::tileir
