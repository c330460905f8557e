// SPDX-License-Identifier: Apache-2.0
// The values of a program that is being made: what there is to choose from, and how one becomes another.
#pragma once

#include <random>
#include <vector>

#include "support/fuzz/random_program.hpp"
#include "support/fuzz/value_facts.hpp"
#include "support/program_builder.hpp"

namespace tilewright::test {

// The word of a constant: the number that the element has for it.
std::int64_t nearest_word(dtype element, double number);

class program_values {
 protected:
  using op = ast::op;
  using ids = std::vector<value_id>;
  struct typed {
    value_id id;
    value_type type;
    value_facts facts = {};
  };
  static constexpr std::int64_t most_elements = 1024;

  program_values(std::uint32_t seed, extents kind, int grid_rank)
      : kind_(kind), random_(seed), grid_rank_(grid_rank), builder_(grid_rank) {}

  // ---- Choices
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  bool one_in(int count) { return below(count) == 0; }
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }
  dtype element();       // of tensors
  dtype tile_element();  // or of tiles alone
  dtype element_of(op which);
  std::vector<std::int32_t> random_shape(int rank);
  std::vector<std::int32_t> shape(int rank);
  typed some() { return values_[values_.size() - 1 - std::min(newness(), values_.size() - 1)]; }
  typed some_exact();
  typed some_tile();

  // ---- Making values
  typed made(op which, const value_type& type, const std::vector<typed>& operands,
             std::vector<std::int64_t> attributes = {});
  typed constant(const value_type& type, std::int64_t number);
  std::int64_t some_word(dtype element);
  typed some_constant(const value_type& type);
  typed index(std::int64_t number) { return constant(type_of(dtype::index), number); }
  // By way of what both are converted with, where it takes two steps or three.
  typed cast(const typed& v, dtype to);
  // As elements that are computed with: numbers for what is stored, moved and multiplied alone.
  typed computed(const typed& v);
  // The same numbers where they may be looked at, another value else.
  typed exact(const typed& v);
  // Any value as one of another type: elements are cast, cut off or repeated.
  typed adapted(typed v, const value_type& to);
  // Floats as small whole numbers of the same element: sums and products of such are exact.
  typed small(const typed& v);
  typed without_nan(const typed& v);
  typed mixed(const typed& a, const typed& b);

  static value_type with_element(value_type type, dtype element) {
    type.element = element;
    return type;
  }
  static value_type with_extent(value_type type, int axis, std::int32_t extent) {
    type.extents[static_cast<std::size_t>(axis)] = extent;
    return type;
  }
  static bool fits(const value_type& a, const value_type& b);
  static value_type joined(const value_type& a, const value_type& b);

  const extents kind_;
  std::mt19937 random_;
  const int grid_rank_;
  program_builder builder_;
  std::vector<std::vector<std::int32_t>> shapes_;
  std::vector<typed> values_;  // those that may be named here, newest last

 private:
  // Newer values are likelier, so that chains get long.
  std::size_t newness() {
    return static_cast<std::size_t>(one_in(3) ? below(static_cast<int>(values_.size())) : below(4));
  }
  typed flat(const typed& v, std::int64_t count);
  typed cut(const typed& v, std::int64_t count);
};

}  // namespace tilewright::test
