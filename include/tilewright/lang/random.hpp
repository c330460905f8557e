// SPDX-License-Identifier: Apache-2.0
// Random numbers without state: Philox4x32-10 of Salmon, Moraes, Dror and Shaw ("Parallel random numbers: as easy as
// 1, 2, 3", 2011). A number depends on seed and position alone, so that the same ones come out on every device, in
// tiles of every size and in every order. Not for cryptography.
#pragma once

#include "tilewright/lang/function_parts.hpp"

namespace tilewright::diagnostics {

template <bool Words, class... Given>
struct philox_operands {
  static_assert(Words, "philox4x32 takes six tiles of u32: four of the counter, two of the key");
};
template <bool SeedFits, bool PositionFits, class Seed, class Position>
struct random_operands {
  static_assert(SeedFits, "the seed of random numbers is a scalar of i32, u32, i64 or u64");
  static_assert(PositionFits, "the positions of random numbers are i32, u32, i64, u64 or Index values");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

// Four u32 tiles of random bits.
template <class X, class Y, class Z, class W>
struct RandomWords {
  X x;
  Y y;
  Z z;
  W w;
};
template <class X, class Y, class Z, class W>
RandomWords(X, Y, Z, W) -> RandomWords<X, Y, Z, W>;

namespace lang {

template <class X>
concept Word = AnyTile<X> && same<typename X::element, u32>;

template <int Rounds, class Counter, class KeyX, class KeyY>
constexpr auto philox_rounds(const Counter& c, const KeyX& key_x, const KeyY& key_y) {
  constexpr u32 factor_x = 0xd2511f53, factor_z = 0xcd9e8d57, step_x = 0x9e3779b9, step_y = 0xbb67ae85;
  const auto round = [&]() {
    return RandomWords{multiply_high(c.z, factor_z) ^ c.y ^ key_x, c.z * factor_z,
                       multiply_high(c.x, factor_x) ^ c.w ^ key_y, c.x * factor_x};
  };
  if constexpr (Rounds == 1) {
    return round();
  } else {
    auto next = round();
    auto next_x = key_x + step_x;
    auto next_y = key_y + step_y;
    return philox_rounds<Rounds - 1>(next, next_x, next_y);
  }
}

// An integer in 32 bits from `place` on: 0 the lower half, 32 the upper one, which is 0 for integers of 32 bits.
template <int Place, class T, Dim... Extents>
constexpr auto word_at(const Tile<T, Extents...>& x) {
  if constexpr (info(dtype_of<T>).bits == 64) {
    return cast<u32>(x >> Place);
  } else if constexpr (Place == 0) {
    return bitcast<u32>(x);
  } else {
    return access::make<Tile<u32>>(access::trace(x), add_constant<u32>(access::trace(x), {}));
  }
}

template <class T>
inline constexpr bool has_words = is_integer(dtype_of<T>) && info(dtype_of<T>).bits >= 32;

}  // namespace lang

// The generator itself: 10 rounds of the counter (x, y, z, w) under a key of two words. u32 tiles, whose shapes join.
template <class X, class Y, class Z, class W, class KeyX, class KeyY>
constexpr auto philox4x32(const X& x, const Y& y, const Z& z, const W& w, const KeyX& key_x, const KeyY& key_y,
                          ast::source_place where = ast::source_place()) {
  constexpr bool words =
      lang::Word<X> && lang::Word<Y> && lang::Word<Z> && lang::Word<W> && lang::Word<KeyX> && lang::Word<KeyY>;
  if constexpr (!words) {
    (void)sizeof(diagnostics::philox_operands<false, diagnostics::show<X>, diagnostics::show<Y>, diagnostics::show<Z>,
                                              diagnostics::show<W>, diagnostics::show<KeyX>, diagnostics::show<KeyY>>);
  } else {
    struct counter {
      const X& x;
      const Y& y;
      const Z& z;
      const W& w;
    };
    const ast::pinned_place pin(lang::access::trace(x), where);
    return lang::philox_rounds<10>(counter{x, y, z, w}, key_x, key_y);
  }
}

// Four words for each position: philox4x32 of the counter (position, 0) under the seed as key. The same for a position
// of any element type from 0 up; i32 counts as the u32 of the same bits.
template <class Seed, class Position, Dim... Extents>
constexpr auto random_words(const Tile<Seed>& seed, const Tile<Position, Extents...>& position,
                            ast::source_place where = ast::source_place()) {
  constexpr bool seed_fits = lang::has_words<Seed> && !lang::same<Seed, index_element>;
  constexpr bool position_fits = lang::has_words<Position>;
  if constexpr (!(seed_fits && position_fits)) {
    (void)sizeof(diagnostics::random_operands<seed_fits, position_fits, diagnostics::show<Tile<Seed>>,
                                              diagnostics::show<Tile<Position, Extents...>>>);
    auto none = lang::access::make<Tile<u32, Extents...>>(lang::access::trace(position), 0);
    return RandomWords{none, none, none, none};
  } else {
    ast::recorder& trace = lang::access::trace(position);
    const ast::pinned_place pin(trace, where);
    auto x = lang::word_at<0>(position);
    auto y = lang::word_at<32>(position);
    auto zero = lang::access::make<Tile<u32>>(trace, lang::add_constant<u32>(trace, {}));
    auto key_x = lang::word_at<0>(seed);
    auto key_y = lang::word_at<32>(seed);
    return philox4x32(x, y, zero, zero, key_x, key_y);
  }
}

// Evenly distributed f32 numbers k * 2^-24 with k from 0 to 2^24 - 1, so from 0 up to, without, 1: the upper bits of
// the first word of each position.
template <class Seed, class Position, Dim... Extents>
constexpr auto random_uniform(const Tile<Seed>& seed, const Tile<Position, Extents...>& position,
                              ast::source_place where = ast::source_place()) {
  const ast::pinned_place pin(lang::access::trace(position), where);
  auto words = random_words(seed, position);
  return cast<f32>(words.x >> 8) * 0x1p-24f;
}

}  // namespace tilewright
