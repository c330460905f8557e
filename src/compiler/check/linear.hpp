// SPDX-License-Identifier: Apache-2.0
// Linear forms over atoms: constant + sum of factor * atom. A form stands for a mathematical integer; operations tell
// when a factor would leave 64 bits or a form would grow too long, and the caller then gives up the exact form.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tilewright::compiler {

using wide = __int128;

struct integer_range {
  wide low = 0, high = 0;
  bool operator==(const integer_range&) const = default;
  bool is_inside(const integer_range& other) const { return low >= other.low && high <= other.high; }
};

struct linear_term {
  std::int32_t atom = 0;
  std::int64_t factor = 0;
  bool operator==(const linear_term&) const = default;
};

struct linear {
  static constexpr std::size_t capacity = 6;
  std::int64_t constant = 0;
  std::size_t count = 0;
  std::array<linear_term, capacity> terms{};  // atoms ascending, factors not 0; default past `count`

  bool operator==(const linear&) const = default;
  bool is_number() const { return count == 0; }
  const linear_term* begin() const { return terms.data(); }
  const linear_term* end() const { return terms.data() + count; }
};

inline linear number(std::int64_t value) { return {.constant = value, .count = 0, .terms = {}}; }
inline linear single(std::int32_t atom) { return {.constant = 0, .count = 1, .terms = {linear_term{atom, 1}}}; }

// a + factor * b
std::optional<linear> add_scaled(const linear& a, std::int64_t factor, const linear& b);
inline std::optional<linear> add(const linear& a, const linear& b) { return add_scaled(a, 1, b); }
inline std::optional<linear> subtract(const linear& a, const linear& b) { return add_scaled(a, -1, b); }
inline std::optional<linear> scale(const linear& a, std::int64_t factor) { return add_scaled({}, factor, a); }

}  // namespace tilewright::compiler
