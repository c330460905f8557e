// SPDX-License-Identifier: Apache-2.0
// The key/value part of a GGUF file: typed look-ups with clear errors. Values stay in the file until asked for.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/config.hpp"

namespace grout {

// Ids as in the file.
enum class GgufValueType : std::uint32_t {
  u8 = 0,
  i8 = 1,
  u16 = 2,
  i16 = 3,
  u32 = 4,
  i32 = 5,
  f32 = 6,
  boolean = 7,
  string = 8,
  array = 9,
  u64 = 10,
  i64 = 11,
  f64 = 12,
};

// One value, already checked to lie inside the file. A scalar is one element of its type.
struct GgufValue {
  GgufValueType element = GgufValueType::u8;  // of an array: the type of its elements
  bool is_array = false;
  std::uint64_t count = 1;
  std::string_view payload;  // the elements, one after the other, in the file's encoding
};

// Bounds, both inclusive, that a caller sets for an integer.
struct IntegerRange {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

// Every getter throws tilewright::io_error naming file and key when the key is absent, has another type, or holds a
// value out of range. Integer getters take any integer type of the file, real ones f32 and f64.
// Views live as long as the bytes that were read.
class TILEWRIGHT_API GgufMetadata {
 public:
  using Map = std::map<std::string_view, GgufValue>;

  GgufMetadata() = default;
  GgufMetadata(std::string file, Map values) : file_(std::move(file)), values_(std::move(values)) {}

  bool has(std::string_view key) const { return values_.contains(key); }
  const Map& values() const noexcept { return values_; }

  bool boolean(std::string_view key) const;
  std::int64_t integer(std::string_view key, IntegerRange range = {}) const;
  double real(std::string_view key) const;
  std::string_view string(std::string_view key) const;

  std::vector<std::int64_t> integers(std::string_view key, IntegerRange range = {}) const;
  std::vector<double> reals(std::string_view key) const;
  std::vector<std::string_view> strings(std::string_view key) const;

 private:
  std::string file_;
  Map values_;
};

}  // namespace grout
