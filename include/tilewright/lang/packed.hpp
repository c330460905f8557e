// SPDX-License-Identifier: Apache-2.0
// Elements of 4 bits, two of which share a byte of a tensor. Made of other operations, so that no back end knows them.
#pragma once

#include "tilewright/lang/math.hpp"
#include "tilewright/lang/shape.hpp"

namespace tilewright::diagnostics {

template <bool IsHalfByte, bool AreBytes, bool HasAxis, class T, class A>
struct unpacked {
  static_assert(IsHalfByte, "unpack<T> gives elements of 4 bits: f4e2m1, i4 or u4");
  static_assert(AreBytes, "unpack takes bytes, two elements in each: a tile of u8");
  static_assert(HasAxis, "unpack takes a tile of rank 1 to 5, and doubles the extent of its last axis");
};
template <bool IsHalfByte, bool HasAxis, bool IsEven, class A>
struct packed {
  static_assert(IsHalfByte, "pack takes elements of 4 bits: f4e2m1, i4 or u4; write pack(cast<f4e2m1>(x))");
  static_assert(HasAxis, "pack takes a tile of rank 1 to 5, and halves the extent of its last axis");
  static_assert(IsEven, "pack puts two elements into each byte: the extent of the last axis is even");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

template <class T>
inline constexpr bool has_half_bytes = false;
template <Element T>
inline constexpr bool has_half_bytes<T> = is_half_byte(dtype_of<T>);

template <Dim... Extents>
constexpr bool is_packed_rank(extent_list<Extents...>) {
  return sizeof...(Extents) > 0 && sizeof...(Extents) < max_rank;
}
template <Dim... Extents>
constexpr Dim last_extent(extent_list<Extents...> extents) {
  return extent_at(extents, sizeof...(Extents) > 0 ? sizeof...(Extents) - 1 : 0);
}
template <class List, Dim... More>
struct more_extents;
template <Dim... Extents, Dim... More>
struct more_extents<extent_list<Extents...>, More...> {
  using type = extent_list<Extents..., More...>;
};
// Of bytes with these extents, or of what is packed into such.
template <class Bytes>
struct packed_extents;
template <Dim... Extents>
struct packed_extents<extent_list<Extents...>> {
  static constexpr int last = sizeof...(Extents) - 1;
  using column = typename more_extents<extent_list<Extents...>, Dim(1)>::type;
  using pairs = typename more_extents<extent_list<Extents...>, Dim(2)>::type;
  using elements =
      typename replace_extent<last, 2 * last_extent(extent_list<Extents...>{}), extent_list<Extents...>>::type;
};
template <Dim... Extents>
struct bytes_of_elements {
  static constexpr int last = sizeof...(Extents) - 1;
  using type = typename replace_extent<last, last_extent(extent_list<Extents...>{}) / 2, extent_list<Extents...>>::type;
};

// Of the last axis.
template <int Column, class Pairs, Dim... Part>
constexpr auto column_of(const Pairs& pairs, extent_list<Part...>, ast::source_place where) {
  int at[max_rank] = {};
  at[sizeof...(Part) - 1] = Column;
  return shape_operation<ast::op::extract, Tile<typename Pairs::element, Part...>>(pairs, where, at[0], at[1], at[2],
                                                                                   at[3], at[4], at[5]);
}

}  // namespace tilewright::lang

namespace tilewright {

// Two elements of 4 bits of each byte, along the last axis: element 2i is the low half of byte i, element 2i + 1 the
// high one.
//   auto x = unpack<f4e2m1>(bytes.load(tile<BM, BK>, 0, k));  // Tile<f4e2m1, BM, 2 * BK>
template <class T, class Byte, Dim... Extents>
constexpr auto unpack(const Tile<Byte, Extents...>& bytes, ast::source_place where = ast::source_place()) {
  constexpr bool is_half = lang::has_half_bytes<T>, are_bytes = lang::same<Byte, u8>;
  constexpr bool has_axis = lang::is_packed_rank(extent_list<Extents...>{});
  if constexpr (!(is_half && are_bytes && has_axis)) {
    (void)sizeof(diagnostics::unpacked<is_half, are_bytes, has_axis, T, diagnostics::show<Tile<Byte, Extents...>>>);
    return lang::access::make<Tile<Byte, Extents...>>(lang::access::trace(bytes), 0);
  } else {
    using extents = lang::packed_extents<extent_list<Extents...>>;
    using column = typename extents::column;
    const auto low = reshape(bitcast<T>(bytes, where), column{}, where);
    lang::access::trace(bytes).at(where);
    const auto high = reshape(bitcast<T>(lang::binary<ast::op::shift_right>(bytes, 4), where), column{}, where);
    return reshape(cat<extents::last + 1>(low, high, where), typename extents::elements{}, where);
  }
}

// The inverse: bytes whose low half is element 2i of the last axis, and whose high one is element 2i + 1.
//   z.store(pack(cast<f4e2m1>(x)));
template <class T, Dim... Extents>
constexpr auto pack(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {
  constexpr bool is_half = lang::has_half_bytes<T>, has_axis = lang::is_packed_rank(extent_list<Extents...>{});
  constexpr Dim last = lang::last_extent(extent_list<Extents...>{});
  constexpr bool is_even = !has_axis || !last.is_constant() || last.value % 2 == 0;
  if constexpr (!(is_half && has_axis && is_even)) {
    (void)sizeof(diagnostics::packed<is_half, has_axis, is_even, diagnostics::show<Tile<T, Extents...>>>);
    return lang::access::make<Tile<u8, Extents...>>(lang::access::trace(x), 0);
  } else {
    using bytes = typename lang::bytes_of_elements<Extents...>::type;
    using extents = lang::packed_extents<bytes>;
    const auto pairs = reshape(bitcast<u8>(x, where), typename extents::pairs{}, where);
    const auto low = reshape(lang::column_of<0>(pairs, typename extents::column{}, where), bytes{}, where);
    const auto high = reshape(lang::column_of<1>(pairs, typename extents::column{}, where), bytes{}, where);
    lang::access::trace(x).at(where);
    return lang::binary<ast::op::bit_or>(low, lang::binary<ast::op::shift_left>(high, 4));
  }
}

}  // namespace tilewright
