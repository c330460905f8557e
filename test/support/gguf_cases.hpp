// SPDX-License-Identifier: Apache-2.0
// Small GGUF files, valid and broken in one way each. Read by the unit tests and stored as the fuzz corpus.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "support/gguf_writer.hpp"

namespace test_support {

struct GgufCase {
  std::string name;  // also the name of the corpus file
  std::string bytes;
  std::string error;  // a part of the message; empty for a valid file
};

inline std::ostream& operator<<(std::ostream& out, const GgufCase& entry) { return out << entry.name; }

using grout::GgufValueType;

inline std::string four_floats() {
  return GgufWriter().raw({}).number(1.0F).number(2.0F).number(3.0F).number(4.0F).bytes().substr(8);
}

// One tensor 'w', then its data; 80 bytes for the defaults.
struct OneTensor {
  std::vector<std::uint64_t> extents{4};
  std::uint32_t type = 0;
  std::uint64_t offset = 0;
  std::string data = four_floats();
  std::uint64_t tensor_count = 1;
  std::uint64_t value_count = 0;

  std::string bytes() const {
    return GgufWriter().counts(tensor_count, value_count).tensor("w", extents, type, offset).align().raw(data).bytes();
  }
};

inline std::string with_rank(std::uint32_t rank) {
  GgufWriter writer;
  writer.counts(1, 0).text("w").number(rank);
  for (std::uint32_t axis = 0; axis < rank && axis < 16; ++axis) writer.number(std::uint64_t{1});
  return writer.number(std::uint32_t{0}).number(std::uint64_t{0}).align().raw(four_floats()).bytes();
}

inline std::string two_tensors(std::string_view second, std::uint64_t second_offset) {
  return GgufWriter()
      .counts(2, 0)
      .tensor("w", {4}, 0, 0)
      .tensor(second, {4}, 0, second_offset)
      .align()
      .raw(four_floats())
      .align()
      .raw(four_floats())
      .bytes();
}

// One key with whatever `content` appends after the counts.
template <class Content>
std::string one_value(Content content) {
  GgufWriter writer;
  writer.counts(0, 1);
  content(writer);
  return writer.bytes();
}

inline std::string nested_arrays(int depth) {
  return one_value([&](GgufWriter& w) {
    w.array("k", GgufValueType::array, 1);
    for (int i = 2; i < depth; ++i) w.number(GgufValueType::array).number(std::uint64_t{1});
    w.number(GgufValueType::u8).number(std::uint64_t{1}).number(std::uint8_t{7});
  });
}

inline std::string all_value_types() {
  using enum GgufValueType;
  GgufWriter writer;
  writer.counts(0, 16)
      .value("u8", u8, std::uint8_t{200})
      .value("i8", i8, std::int8_t{-100})
      .value("u16", u16, std::uint16_t{60000})
      .value("i16", i16, std::int16_t{-30000})
      .value("u32", u32, std::uint32_t{4000000000})
      .value("i32", i32, std::int32_t{-2000000000})
      .value("u64", u64, std::uint64_t{1} << 62)
      .value("u64.large", u64, ~std::uint64_t{0})
      .value("i64", i64, -(std::int64_t{1} << 62))
      .value("f32", f32, 1.5F)
      .value("f64", f64, 0.1)
      .value("bool", boolean, std::uint8_t{1})
      .value("string", "text")
      .array("strings", std::vector<std::string>{"a", "", "long enough not to be short"});
  writer.array("integers", i16, 3).number(std::int16_t{-1}).number(std::int16_t{0}).number(std::int16_t{300});
  writer.array("reals", f32, 2).number(0.5F).number(-2.0F);
  return writer.bytes();
}

inline std::vector<GgufCase> valid_gguf_cases() {
  return {
      {"valid_one_tensor", OneTensor{}.bytes(), ""},
      {"valid_empty", GgufWriter().counts(0, 0).bytes(), ""},
      {"valid_values", all_value_types(), ""},
      {"valid_nested_arrays", nested_arrays(4), ""},
      {"valid_two_tensors", two_tensors("v", 32), ""},
      {"valid_q8_0_896", OneTensor{.extents = {896}, .type = 8, .data = std::string(952, '\1')}.bytes(), ""},
      {"valid_alignment_64",
       GgufWriter()
           .counts(1, 1)
           .value("general.alignment", GgufValueType::u32, std::uint32_t{64})
           .tensor("w", {4}, 0, 0)
           .align(64)
           .raw(four_floats())
           .bytes(),
       ""},
  };
}

// ENG-03
inline std::vector<GgufCase> broken_tensor_cases() {
  const std::uint64_t one = 1;
  const std::string past_end = "tensor data reaches past the end of the file; where: file test.gguf, tensor 'w'";
  return {
      {"offset_32", OneTensor{.offset = 32}.bytes(), past_end},
      {"offset_2_40", OneTensor{.offset = one << 40}.bytes(), past_end},
      {"offset_wraps", OneTensor{.offset = ~std::uint64_t{0} - 31}.bytes(), past_end},
      {"offset_4", OneTensor{.offset = 4}.bytes(), "misaligned tensor data"},
      {"bytes_wrap", OneTensor{.extents = {1024, (one << 54) + 1}}.bytes(), "the size of the tensor overflows"},
      {"elements_wrap", OneTensor{.extents = {one << 32, one << 32}}.bytes(), "the size of the tensor overflows"},
      {"extent_2_63", OneTensor{.extents = {one << 63}}.bytes(), "an extent is out of range"},
      {"extent_2_42", OneTensor{.extents = {(one << 42) + 1}}.bytes(), past_end},
      {"extent_zero", OneTensor{.extents = {4, 0}}.bytes(), "an extent is out of range"},
      {"extent_large", OneTensor{.extents = {5}}.bytes(), past_end},
      {"rank_0", with_rank(0), "unsupported rank"},
      {"rank_5", with_rank(5), "unsupported rank; where: file test.gguf, tensor 'w'; expected: 1 to 4 axes; got: 5"},
      {"rank_9", with_rank(9), "unsupported rank"},
      {"rank_2_32", with_rank(0xffffffff), "unsupported rank"},
      {"type_255", OneTensor{.type = 255}.bytes(), "unknown tensor type"},
      {"type_withdrawn", OneTensor{.type = 4}.bytes(), "unknown tensor type"},
      {"q4_0_row_4", OneTensor{.type = 2}.bytes(), "Q4_0 rows of a multiple of 32 elements; got: rows of 4 elements"},
      {"q6_k_row_896", OneTensor{.extents = {896}, .type = 14, .data = std::string(840, '\1')}.bytes(),
       "Q6_K rows of a multiple of 256 elements; got: rows of 896 elements"},
      {"q8_0_short", OneTensor{.extents = {896}, .type = 8, .data = std::string(951, '\1')}.bytes(), past_end},
      {"names_equal", two_tensors("w", 32), "duplicate tensor name; where: file test.gguf, tensor 'w'"},
      {"name_empty", two_tensors("", 32), "a tensor has no name"},
      {"ranges_equal", two_tensors("v", 0), "the data of two tensors overlap"},
      {"ranges_overlap",
       GgufWriter()
           .counts(2, 0)
           .tensor("w", {16}, 0, 0)
           .tensor("v", {4}, 0, 32)
           .align()
           .raw(std::string(64, '\1'))
           .bytes(),
       "the data of two tensors overlap; where: file test.gguf, tensor 'v'"},
      {"count_2_of_1", OneTensor{.tensor_count = 2}.bytes(), "the file is too small for its count of tensors"},
      {"count_2_of_1_long", OneTensor{.data = std::string(64, '\0'), .tensor_count = 2}.bytes(),
       "a tensor has no name"},
      {"count_2_60", OneTensor{.tensor_count = one << 60}.bytes(), "the file is too small for its count of tensors"},
      {"data_cut", OneTensor{.data = four_floats().substr(0, 15)}.bytes(), past_end},
      {"data_absent", OneTensor{.data = ""}.bytes().substr(0, 57), past_end},
  };
}

inline std::vector<GgufCase> broken_value_cases() {
  using enum GgufValueType;
  const std::uint64_t one = 1;
  const auto alignment = [](std::uint32_t bytes) {
    return GgufWriter().counts(0, 1).value("general.alignment", u32, bytes).bytes();
  };
  return {
      {"values_2_60", OneTensor{.value_count = one << 60}.bytes(), "the file is too small for its count of values"},
      {"key_length_wraps", one_value([&](auto& w) { w.number(~std::uint64_t{0} - 3).raw("key and more bytes"); }),
       "the file ends inside a key"},
      {"key_empty", one_value([](auto& w) { w.value("", u64, std::uint64_t{0}); }), "a key of wrong length"},
      {"key_twice", GgufWriter().counts(0, 2).value("k", u8, std::uint8_t{1}).value("k", u64, std::uint64_t{1}).bytes(),
       "duplicate key; where: file test.gguf, key 'k'"},
      {"value_type_13", one_value([](auto& w) { w.value("k", GgufValueType{13}, 0); }), "unknown type of a value"},
      {"value_cut", one_value([](auto& w) { w.value("k", u64, std::uint32_t{0}); }), "array"},
      {"bool_2", one_value([](auto& w) { w.value("k", boolean, std::uint8_t{2}); }), "not a boolean"},
      {"string_length_lies",
       one_value([](auto& w) { w.text("k").number(string).number(std::uint64_t{1} << 63).raw("x"); }),
       "the file ends inside a string; where: file test.gguf, key 'k'"},
      {"array_count_wraps", one_value([&](auto& w) { w.array("k", u64, (one << 61) + 1).number(one); }),
       "the file is too small for its array"},
      {"array_count_lies", one_value([&](auto& w) { w.array("k", string, one << 40).text("a"); }),
       "the file is too small for its array of strings"},
      {"array_of_unknown", one_value([](auto& w) { w.array("k", GgufValueType{99}, 1).number(0); }),
       "unknown type of a value"},
      {"arrays_too_deep", nested_arrays(5), "arrays are nested too deep"},
      {"arrays_100000_deep", nested_arrays(100000), "arrays are nested too deep"},
      {"alignment_0", alignment(0), "a value is out of range"},
      {"alignment_24", alignment(24), "bad alignment"},
      {"alignment_2_31", alignment(std::uint32_t{1} << 31), "a value is out of range"},
      {"alignment_is_text", one_value([](auto& w) { w.value("general.alignment", "32"); }),
       "a key has the wrong type; where: file test.gguf, key 'general.alignment'; expected: an integer; got: string"},
  };
}

inline std::vector<GgufCase> broken_header_cases() {
  const auto with_version = [](std::uint32_t version) {
    return GgufWriter().bytes().substr(0, 4) + GgufWriter().number(version).counts(0, 0).bytes().substr(8);
  };
  return {
      {"empty", "",
       "not a GGUF file; where: file test.gguf, header; expected: the letters 'GGUF' first; got: an empty"},
      {"magic_only", "GGUF", "the file ends inside the version"},
      {"header_cut", OneTensor{}.bytes().substr(0, 20), "the file ends inside the count of values"},
      {"version_1", with_version(1), "unsupported GGUF version"},
      {"version_4", with_version(4), "unsupported GGUF version"},
      {"big_endian", with_version(0x03000000), "a big-endian file"},
      {"lfs_pointer", "version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"},
      {"web_page", "<!DOCTYPE html><html></html>", "a web page"},
      {"wheel", std::string("PK\x03\x04") + std::string(30, '\0'), "a zip archive"},
      {"safetensors", std::string("\x02\0\0\0\0\0\0\0{}", 10), "a safetensors file"},
      {"control_bytes", std::string("\x1b[2J\xff", 5), "got: '\\x1b[2J'"},
  };
}

inline std::vector<GgufCase> broken_gguf_cases() {
  std::vector<GgufCase> all = broken_tensor_cases();
  for (auto* more : {broken_value_cases, broken_header_cases}) {
    for (auto& entry : more()) all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace test_support
