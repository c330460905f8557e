// SPDX-License-Identifier: Apache-2.0
// Element types: the enum, its table of facts, and the C++ type that stands for each one in kernels and on the host.
#pragma once

#include <cstdint>

#include "tilewright/base/float16.hpp"
#include "tilewright/base/float8.hpp"
#include "tilewright/base/float_scale.hpp"
#include "tilewright/base/half_byte.hpp"
#include "tilewright/base/tensor_float.hpp"

namespace tilewright {

using index_t = std::int64_t;  // extents, strides and positions on the host

enum class dtype : std::uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  index,
  f8e4m3,
  f8e5m2,
  tf32,
  f8e8m0,
  f4e2m1,  // this and those behind it are of tiles alone
  i4,
  u4
};
inline constexpr int dtype_count = 18;  // of tensors
inline constexpr int tile_dtype_count = 21;

using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

// The element of `Index`: one signed 64-bit kernel type for block ids, tile counts, extents and loop variables.
// Apart from i64 so that nothing mixes with data silently; the compiler narrows it where that is proved safe.
struct index_element {};

enum class dtype_kind : std::uint8_t { boolean, signed_integer, unsigned_integer, floating };

struct dtype_info {
  const char* name;
  int bits;        // value bits; boolean is stored in one byte
  int size_bytes;  // in memory; of elements of 4 bits in that of a block, where each has a byte
  dtype_kind kind;
  int mantissa_bits;  // of a float, the hidden bit included; 0 else
};

// clang-format off
inline constexpr dtype_info dtype_table[tile_dtype_count] = {
    {"bool", 1, 1, dtype_kind::boolean, 0},
    {"i8", 8, 1, dtype_kind::signed_integer, 0},
    {"i16", 16, 2, dtype_kind::signed_integer, 0},
    {"i32", 32, 4, dtype_kind::signed_integer, 0},
    {"i64", 64, 8, dtype_kind::signed_integer, 0},
    {"u8", 8, 1, dtype_kind::unsigned_integer, 0},
    {"u16", 16, 2, dtype_kind::unsigned_integer, 0},
    {"u32", 32, 4, dtype_kind::unsigned_integer, 0},
    {"u64", 64, 8, dtype_kind::unsigned_integer, 0},
    {"f16", 16, 2, dtype_kind::floating, 11},
    {"bf16", 16, 2, dtype_kind::floating, 8},
    {"f32", 32, 4, dtype_kind::floating, 24},
    {"f64", 64, 8, dtype_kind::floating, 53},
    {"index", 64, 8, dtype_kind::signed_integer, 0},
    {"f8e4m3", 8, 1, dtype_kind::floating, 4},
    {"f8e5m2", 8, 1, dtype_kind::floating, 3},
    {"tf32", 32, 4, dtype_kind::floating, 11},
    {"f8e8m0", 8, 1, dtype_kind::floating, 1},
    {"f4e2m1", 4, 1, dtype_kind::floating, 2},
    {"i4", 4, 1, dtype_kind::signed_integer, 0},
    {"u4", 4, 1, dtype_kind::unsigned_integer, 0},
};
// clang-format on

constexpr const dtype_info& info(dtype type) { return dtype_table[static_cast<int>(type)]; }
constexpr bool is_floating(dtype type) { return info(type).kind == dtype_kind::floating; }
constexpr bool is_fp8(dtype type) { return type == dtype::f8e4m3 || type == dtype::f8e5m2; }
// Made of f32 and becoming it, by cast.
constexpr bool is_of_single(dtype type) { return type == dtype::tf32 || type == dtype::f8e8m0; }
// In tensors two are packed into a u8.
constexpr bool is_half_byte(dtype type) { return info(type).bits == 4; }
// Stored, moved, converted, and multiplied by mma or the scale of what it multiplies; not computed with.
constexpr bool is_only_factor(dtype type) { return is_fp8(type) || is_of_single(type) || type == dtype::f4e2m1; }
constexpr bool has_infinity(dtype type) {
  return is_floating(type) && type != dtype::f8e4m3 && type != dtype::f8e8m0 && type != dtype::f4e2m1;
}
constexpr bool is_signed(dtype type) { return info(type).kind == dtype_kind::signed_integer; }
constexpr bool is_unsigned(dtype type) { return info(type).kind == dtype_kind::unsigned_integer; }
constexpr bool is_integer(dtype type) { return (is_signed(type) || is_unsigned(type)) && !is_half_byte(type); }

// dtype_of<T>: the dtype of a C++ element type. Only element types have one.
template <class T>
struct element_traits;
template <dtype Type>
struct element_traits_base {
  static constexpr dtype type = Type;
};
// clang-format off
template <> struct element_traits<bool> : element_traits_base<dtype::boolean> {};
template <> struct element_traits<i8> : element_traits_base<dtype::i8> {};
template <> struct element_traits<i16> : element_traits_base<dtype::i16> {};
template <> struct element_traits<i32> : element_traits_base<dtype::i32> {};
template <> struct element_traits<i64> : element_traits_base<dtype::i64> {};
template <> struct element_traits<u8> : element_traits_base<dtype::u8> {};
template <> struct element_traits<u16> : element_traits_base<dtype::u16> {};
template <> struct element_traits<u32> : element_traits_base<dtype::u32> {};
template <> struct element_traits<u64> : element_traits_base<dtype::u64> {};
template <> struct element_traits<f16> : element_traits_base<dtype::f16> {};
template <> struct element_traits<bf16> : element_traits_base<dtype::bf16> {};
template <> struct element_traits<f32> : element_traits_base<dtype::f32> {};
template <> struct element_traits<f64> : element_traits_base<dtype::f64> {};
template <> struct element_traits<index_element> : element_traits_base<dtype::index> {};
template <> struct element_traits<f8e4m3> : element_traits_base<dtype::f8e4m3> {};
template <> struct element_traits<f8e5m2> : element_traits_base<dtype::f8e5m2> {};
template <> struct element_traits<tf32> : element_traits_base<dtype::tf32> {};
template <> struct element_traits<f8e8m0> : element_traits_base<dtype::f8e8m0> {};
template <> struct element_traits<f4e2m1> : element_traits_base<dtype::f4e2m1> {};
template <> struct element_traits<i4> : element_traits_base<dtype::i4> {};
template <> struct element_traits<u4> : element_traits_base<dtype::u4> {};
// clang-format on

template <class T>
inline constexpr dtype dtype_of = element_traits<T>::type;

template <class T>
concept Element = requires {
  element_traits<T>::type;
};

// Not of tiles alone.
template <Element T>
inline constexpr bool is_of_tensors = !is_half_byte(dtype_of<T>);

}  // namespace tilewright
