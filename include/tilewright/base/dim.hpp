// SPDX-License-Identifier: Apache-2.0
// Dim: one extent of a tile or a parameter, usable as a template argument: a number, a name that a launch binds,
// or `dyn` (any extent; parameters only).
#pragma once

#include <cstdint>

#include "tilewright/base/dtype.hpp"

namespace tilewright {

inline constexpr int max_rank = 6;

struct Dim;

// What `BK = 64` gives: a value for one named Dim.
struct dim_binding;

struct Dim {
  enum class kind_type : std::uint8_t { constant, symbol, dynamic };

  static constexpr int name_capacity = 16;  // one of them is the final zero
  char name[name_capacity] = {};
  std::int32_t value = 0;
  kind_type kind = kind_type::constant;

  constexpr Dim(int extent) : value(extent) {}  // implicit: tile<64, BK>
  template <unsigned long Size>
  constexpr Dim(const char (&text)[Size]) : kind(kind_type::symbol) {
    static_assert(Size >= 2 && Size <= name_capacity, "a Dim's name has 1 to 15 characters");
    for (unsigned long i = 0; i < Size && i < name_capacity; ++i) name[i] = text[i];
  }
  constexpr explicit Dim(kind_type which) : kind(which) {}

  constexpr bool operator==(const Dim&) const = default;
  constexpr bool is_constant() const { return kind == kind_type::constant; }
  constexpr bool is_symbol() const { return kind == kind_type::symbol; }
  constexpr bool is_dynamic() const { return kind == kind_type::dynamic; }
  constexpr bool is_one() const { return kind == kind_type::constant && value == 1; }

  // `BK = 64` in with(...) and defaults(...). Assigning never changes the Dim itself.
  constexpr dim_binding operator=(int extent) const;
};

struct dim_binding {
  Dim dim;
  index_t extent;
};

constexpr dim_binding Dim::operator=(int extent) const { return {*this, extent}; }

inline constexpr Dim dyn{Dim::kind_type::dynamic};

// A list of extents as an empty value: `tile<BM, BK>` is passed to functions, never as an explicit template argument.
template <Dim... Extents>
struct extent_list {
  static constexpr int rank = sizeof...(Extents);
};
template <Dim... Extents>
inline constexpr extent_list<Extents...> tile{};

}  // namespace tilewright
