// SPDX-License-Identifier: Apache-2.0
// Structs and arrays of tiles as one value of if_. C++ cannot name the fields of a struct, but it initialises them: an
// aggregate of tiles is made from as many initialisers as it takes, each of which becomes a variable without a value.
#pragma once

#include "tilewright/lang/tile.hpp"

namespace tilewright::lang {

// A tile that can be assigned, or a struct or array of nothing but such.
template <class T>
constexpr bool is_aggregate_of_tiles();

// As a field of Whole: a tile or an aggregate of tiles, whatever the field is. Not Whole itself, which would be a copy.
template <class Whole>
struct undefined_field {
  ast::recorder* trace;
  template <class Field>
  requires(!same<Field, Whole> && is_aggregate_of_tiles<Field>()) constexpr operator Field() const;
};

// An array in a struct takes an initialiser for each of its elements; what lacks a tile is refused by count.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
template <class T, class... Fields>
concept MadeOf = requires(const Fields&... fields) {
  T{fields...};
};
template <class T, class... Fields>
constexpr T make_of(const Fields&... fields) {
  return T{fields...};
}
#pragma GCC diagnostic pop

template <class T, class... Fields>
constexpr bool is_made_of_fields() {
  if constexpr (MadeOf<T, Fields...>) {
    return true;
  } else if constexpr (sizeof...(Fields) * sizeof(Index) < sizeof(T)) {
    return is_made_of_fields<T, Fields..., undefined_field<T>>();
  } else {
    return false;
  }
}
template <class T, class... Fields>
constexpr T make_undefined_fields(const undefined_field<T>& next, const Fields&... fields) {
  if constexpr (MadeOf<T, Fields...>) {
    return make_of<T>(fields...);
  } else {
    return make_undefined_fields<T>(next, next, fields...);
  }
}

// Variables without a value, in the order of the fields.
template <class T>
constexpr T make_undefined(ast::recorder& trace) {
  if constexpr (AnyTile<T>) {
    return access::make<T>(trace, trace.add(ast::op::undefined, T::type, 0));
  } else {
    return make_undefined_fields<T>(undefined_field<T>{&trace}, undefined_field<T>{&trace});
  }
}

// Whether its tiles are all there is in T: a number beside them would have one value for both branches.
template <class T>
constexpr bool is_filled_by_tiles() {
  ast::recorder counting;
  [[maybe_unused]] const T made = make_undefined<T>(counting);
  return static_cast<unsigned long>(counting.record_count) * sizeof(Index) == sizeof(T);
}

template <class T>
constexpr bool is_aggregate_of_tiles() {
  if constexpr (!requires(T & to, const T& from) { to = from; }) {
    return false;
  } else if constexpr (AnyTile<T>) {
    return true;
  } else if constexpr (!__is_aggregate(T) || __is_empty(T)) {
    return false;
  } else if constexpr (is_made_of_fields<T, undefined_field<T>>()) {
    return is_filled_by_tiles<T>();
  } else {
    return false;
  }
}

template <class Whole>
template <class Field>
requires(!same<Field, Whole> &&
         is_aggregate_of_tiles<Field>()) constexpr undefined_field<Whole>::operator Field() const {
  return make_undefined<Field>(*trace);
}

}  // namespace tilewright::lang
