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

template <class X>
inline constexpr bool has_words = false;
template <AnyTile X>
inline constexpr bool has_words<X> = is_integer(dtype_of<typename X::element>) &&
                                     info(dtype_of<typename X::element>).bits >= 32;
template <class X>
inline constexpr bool is_seed = false;
template <AnyTile X>
inline constexpr bool is_seed<X> = has_words<X>&& X::rank == 0 && !same<typename X::element, index_element>;

// Says what is wrong, and gives what compiles on: a tile of T of the positions' shape, where they have one.
template <class T, class Seed, class Position>
constexpr auto refuse_random(const Position& position) {
  (void)sizeof(diagnostics::random_operands<is_seed<Seed>, has_words<Position>, diagnostics::show<Seed>,
                                            diagnostics::show<Position>>);
  if constexpr (AnyTile<Position>)
    return access::make<tile_of<T, typename Position::extents>>(access::trace(position), 0);
}

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
template <class Seed, class Position>
constexpr auto random_words(const Seed& seed, const Position& position, ast::source_place where = ast::source_place()) {
  if constexpr (!(lang::is_seed<Seed> && lang::has_words<Position>)) {
    if constexpr (AnyTile<Position>) {
      auto none = lang::refuse_random<u32, Seed>(position);
      return RandomWords{none, none, none, none};
    } else {
      return lang::refuse_random<u32, Seed>(position);
    }
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
template <class Seed, class Position>
constexpr auto random_uniform(const Seed& seed, const Position& position,
                              ast::source_place where = ast::source_place()) {
  if constexpr (!(lang::is_seed<Seed> && lang::has_words<Position>)) {
    return lang::refuse_random<f32, Seed>(position);
  } else {
    const ast::pinned_place pin(lang::access::trace(position), where);
    auto words = random_words(seed, position);
    return cast<f32>(words.x >> 8) * 0x1p-24f;
  }
}

}  // namespace tilewright
