// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/op_rows.hpp"

#include <array>

namespace tilewright::compiler::tileir {
namespace {

constexpr op_row rows[] = {
#define TILEWRIGHT_TILEIR_OP(name, mnemonic, number, minor, results, flags, attributes, operands, regions) \
  {opcode::name, mnemonic, minor, results[0], flags, attributes, operands, regions},
    TILEWRIGHT_FOR_EACH_TILEIR_OP(TILEWRIGHT_TILEIR_OP)
#undef TILEWRIGHT_TILEIR_OP
};

constexpr std::size_t numbers = 126;

constexpr std::array<std::int16_t, numbers> row_by_number = [] {
  std::array<std::int16_t, numbers> places{};
  for (std::int16_t& place : places) place = -1;
  std::int16_t next = 0;
  for (const op_row& row : rows) places[static_cast<std::size_t>(row.code)] = next++;
  return places;
}();

constexpr const char* roundings[] = {"nearest_even", "zero", "negative_inf",        "positive_inf",
                                     "approx",       "full", "nearest_int_to_zero", "nearest_away"};
constexpr const char* overflows[] = {"none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"};
constexpr const char* signs[] = {"unsigned", "signed"};
constexpr const char* orderings[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
constexpr const char* scopes[] = {"tl_blk", "device", "sys"};
constexpr const char* atomics[] = {"and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg"};
constexpr const char* predicates[] = {"equal",         "not_equal",    "less_than",
                                      "less_or_equal", "greater_than", "greater_or_equal"};
constexpr const char* comparisons[] = {"unordered", "ordered"};
constexpr const char* multimem[] = {"add", "min", "max", "and", "or", "xor", "umin", "umax"};
constexpr const char* booleans[] = {"false", "true"};

template <int Count>
constexpr name_list list(const char* const (&names)[Count]) {
  return {names, Count};
}

}  // namespace

const op_row* find_row(std::uint64_t number) {
  if (number >= numbers || row_by_number[number] < 0) return nullptr;
  return &rows[row_by_number[number]];
}

const op_row& row_of(opcode code) { return *find_row(static_cast<std::uint64_t>(code)); }

bool item_cursor::next() {
  item_ = {};
  for (; !left_.empty() && (left_[0] == '?' || left_[0] == '>'); left_.remove_prefix(2)) {
    (left_[0] == '?' ? item_.flag : item_.least_minor) = left_[1] - '0';
  }
  if (left_.empty()) return false;
  item_.kind = left_[0];
  left_.remove_prefix(1);
  return true;
}

name_list names_of(char kind) {
  switch (kind) {
    case 'R':
      return list(roundings);
    case 'O':
      return list(overflows);
    case 'G':
      return list(signs);
    case 'M':
      return list(orderings);
    case 'C':
      return list(scopes);
    case 'A':
      return list(atomics);
    case 'P':
      return list(predicates);
    case 'Q':
      return list(comparisons);
    case 'U':
      return list(multimem);
    case 'b':
      return list(booleans);
    default:
      return {};
  }
}

}  // namespace tilewright::compiler::tileir
