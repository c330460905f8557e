// SPDX-License-Identifier: Apache-2.0
#include "compiler/printed_line.hpp"

#include <fmt/format.h>

#include <cstring>

#include "compiler/location.hpp"
#include "compiler/scalar_semantics.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

// At the places of `text`, with braces as they are to be shown. The first piece goes on where the last one ended.
void add_pieces(const std::string& text, std::vector<std::string>& pieces) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_brace = text[at] == '{' || text[at] == '}';
    if (text[at] == '{' && text[at + 1] == '}') {
      pieces.emplace_back();
    } else {
      pieces.back() += text[at];
    }
    if (is_brace) ++at;
  }
}

template <class T>
std::string element_text(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "1" : "0";
  } else if constexpr (semantics::is_float<T>) {
    const auto number = static_cast<semantics::arithmetic<T>>(value);
    return number != number ? "nan" : fmt::format("{}", number);  // back ends may differ in a NaN's sign
  } else {
    return std::to_string(static_cast<semantics::arithmetic<T>>(value));
  }
}

std::string element_text(dtype element, const std::byte* at) {
  return semantics::visit_element(element, [at]<class T>(std::type_identity<T>) { return element_text<T>(at); });
}

// Elements from `at` on, which moves past them.
void add_elements(const value_type& type, int axis, const std::byte*& at, std::string& text) {
  if (axis == type.rank) {
    text += element_text(type.element, at);
    at += info(type.element).size_bytes;
    return;
  }
  text += '[';
  for (int n = 0; n < type.extents[static_cast<std::size_t>(axis)]; ++n) {
    if (n > 0) text += ", ";
    add_elements(type, axis + 1, at, text);
  }
  text += ']';
}

}  // namespace

printed_line line_of_print(const program& source, const instruction& print) {
  const auto [file, number] = line_of(*source.module, print.location);
  printed_line line;
  line.pieces.push_back(number > 0 ? fmt::format("{}:{} block (", file, number) : "block (");
  for (int axis = 0; axis < source.grid_rank; ++axis) {
    line.values.push_back({.element = dtype::index});
    line.pieces.emplace_back(axis + 1 < source.grid_rank ? ", " : "");
  }
  line.pieces.back() += "): ";
  add_pieces(text_of(*source.module, print.attributes[0]), line.pieces);
  line.pieces.back() += '\n';
  for (const value_id id : print.operands) line.values.push_back(source.values[static_cast<std::size_t>(id)]);
  require_internal(line.pieces.size() == line.values.size() + 1, "a printed text has other places than operands");
  return line;
}

std::vector<std::size_t> places_of(const printed_line& line) {
  constexpr std::size_t alignment = 64;
  std::vector<std::size_t> places = {0};
  for (const value_type& type : line.values) {
    const auto bytes =
        static_cast<std::size_t>(type.elements()) * static_cast<std::size_t>(info(type.element).size_bytes);
    places.push_back(places.back() + (bytes + alignment - 1) / alignment * alignment);
  }
  return places;
}

std::string to_text(const printed_line& line, const std::byte* values) {
  const std::vector<std::size_t> places = places_of(line);
  std::string text = line.pieces[0];
  for (std::size_t n = 0; n < line.values.size(); ++n) {
    const std::byte* at = values + places[n];
    add_elements(line.values[n], 0, at, text);
    text += line.pieces[n + 1];
  }
  return text;
}

// The count, of each value its element, rank and extents, and the pieces, each ended by zero.
std::string to_bytes(const printed_line& line) {
  std::vector<std::int32_t> words = {static_cast<std::int32_t>(line.values.size())};
  for (const value_type& type : line.values) {
    words.insert(words.end(), {static_cast<std::int32_t>(type.element), type.rank});
    words.insert(words.end(), type.extents.begin(), type.extents.end());
  }
  std::string bytes(words.size() * sizeof(std::int32_t), '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  for (const std::string& piece : line.pieces) bytes.append(piece).push_back('\0');
  return bytes;
}

printed_line line_from_bytes(const char* bytes) {
  const auto next_word = [&bytes] {
    std::int32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    bytes += sizeof word;
    return word;
  };
  printed_line line;
  line.values.resize(static_cast<std::size_t>(next_word()));
  for (value_type& type : line.values) {
    type.element = static_cast<dtype>(next_word());
    type.rank = static_cast<std::int8_t>(next_word());
    for (std::int32_t& extent : type.extents) extent = next_word();
  }
  for (std::size_t n = 0; n <= line.values.size(); ++n, bytes += std::strlen(bytes) + 1)
    line.pieces.emplace_back(bytes);
  return line;
}

}  // namespace tilewright::compiler
