// SPDX-License-Identifier: Apache-2.0
// Stored blocks give the f32 values that their layout defines, bit for bit.
#include "grout/dequantize.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/gguf_cases.hpp"
#include "support/model_file.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using test_support::as_bytes;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<float> dequantized(GgmlType type, const std::string& bytes, std::size_t count) {
  std::vector<float> result(count);
  dequantize(type, as_bytes(bytes), result);
  return result;
}

// Byte i holds i in its low half and 15 - i in its high half.
std::string nibbles() {
  std::string result;
  for (int i = 0; i < 16; ++i) result += static_cast<char>(i | (15 - i) << 4);
  return result;
}

TEST(Dequantize, Q40BlockIsScaleTimesElementLessEight) {
  const auto values = dequantized(GgmlType::q4_0, std::string("\x00\xb8", 2) + nibbles(), 32);  // scale -0.5
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(values[static_cast<std::size_t>(i)], -0.5F * static_cast<float>(i - 8)) << i;
    EXPECT_EQ(values[static_cast<std::size_t>(i + 16)], -0.5F * static_cast<float>(7 - i)) << i;
  }
}

TEST(Dequantize, Q41BlockIsScaleTimesElementPlusMinimum) {
  const auto values = dequantized(GgmlType::q4_1, std::string("\x00\x34\x00\xc0", 4) + nibbles(), 32);  // 0.25, -2
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(values[static_cast<std::size_t>(i)], 0.25F * static_cast<float>(i) - 2.0F) << i;
    EXPECT_EQ(values[static_cast<std::size_t>(i + 16)], 0.25F * static_cast<float>(15 - i) - 2.0F) << i;
  }
}

TEST(Dequantize, Q80BlockIsScaleTimesSignedElement) {
  std::string block("\x00\x40", 2);  // scale 2
  for (int i = 0; i < 32; ++i) block += static_cast<char>(i * 8 - 128);
  const auto values = dequantized(GgmlType::q8_0, block, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], static_cast<float>(16 * i - 256)) << i;
}

TEST(Dequantize, BlocksFollowEachOther) {
  const std::string one = std::string("\x00\x3c", 2) + std::string(32, '\1');
  const std::string two = std::string("\x00\x40", 2) + std::string(32, '\1');
  const auto values = dequantized(GgmlType::q8_0, one + two, 64);
  EXPECT_EQ(values[31], 1.0F);
  EXPECT_EQ(values[32], 2.0F);
}

TEST(Dequantize, HalvesCoverSubnormalsAndInfinity) {
  const std::string halves("\x01\x00\xff\x03\x00\x80\x00\x3c\xff\x7b\x00\xfc", 12);
  const auto values = dequantized(GgmlType::f16, halves, 6);
  EXPECT_THAT(values, ElementsAre(0x1p-24F, 0x1.ff8p-15F, -0.0F, 1.0F, 65504.0F, -INFINITY));
  EXPECT_TRUE(std::signbit(values[2]));
}

TEST(Dequantize, BfloatsAndFloatsKeepTheirValue) {
  EXPECT_THAT(dequantized(GgmlType::bf16, std::string("\x80\x3f\x49\xc0", 4), 2), ElementsAre(1.0F, -3.140625F));
  EXPECT_THAT(dequantized(GgmlType::f32, test_support::four_floats(), 4), ElementsAre(1, 2, 3, 4));
}

template <class Call>
std::string usage_error_of(Call call) {
  try {
    call();
  } catch (const tilewright::usage_error& e) {
    return e.what();
  }
  return "no usage_error";
}

TEST(Dequantize, SizesThatDoNotBelongTogetherAreRefused) {
  EXPECT_THAT(usage_error_of([] { dequantized(GgmlType::q8_0, std::string(34, '\0'), 31); }),
              HasSubstr("expected: 34 bytes of Q8_0 for each 32 elements; got: 34 bytes and 31 elements"));
  EXPECT_THAT(usage_error_of([] { dequantized(GgmlType::q8_0, std::string(33, '\0'), 0); }), HasSubstr("33 bytes"));
}

TEST(Dequantize, TypeWithoutAConversionIsNamed) {
  EXPECT_FALSE(can_dequantize(GgmlType::q6_k));
  EXPECT_TRUE(can_dequantize(GgmlType::q4_1));
  EXPECT_THAT(usage_error_of([] { dequantized(GgmlType::q6_k, std::string(210, '\0'), 256); }), HasSubstr("got: Q6_K"));
}

TEST(Dequantize, RowOutsideTheTensorIsRefused) {
  const std::string bytes = test_support::OneTensor{.extents = {2, 2}}.bytes();
  const Gguf file = Gguf::parse(bytes, "test.gguf");
  EXPECT_THAT(dequantize_row(file.tensor("w"), 1), ElementsAre(3, 4));
  EXPECT_THAT(usage_error_of([&] { dequantize_row(file.tensor("w"), 2); }), HasSubstr("expected: 0 to 1; got: 2"));
  EXPECT_THAT(usage_error_of([&] { dequantize_row(file.tensor("w"), -1); }), HasSubstr("got: -1"));
}

// Values computed from the same file with the Python package gguf 0.19.0 (gguf.quants.dequantize).
struct KnownRow {
  const char* tensor;
  std::int64_t row;
  float first, second, at_17, last;
  double sum;
};

constexpr KnownRow known_rows[] = {
    {"token_embd.weight", 504, 0x1.c0fp-4F, 0x1.1dbp-6F, 0x1.7984p-3F, 0x1.222cp-4F, -0x1.c8bf3p+1},
    {"blk.0.attn_q.weight", 0, -0x1.8a8p-4F, 0x1.424p-3F, 0x1.23p-2F, 0x1.fap-4F, 0x1.01dcp+0},
    {"blk.29.ffn_down.weight", 575, -0x1.d56p-3F, -0x1.408p-5F, -0x1.4cp-2F, 0x1.dp-5F, -0x1.4eb78p+2},
    {"output_norm.weight", 0, 0x1.c2p+0F, 0x1.d2p+0F, -0x1.42p+0F, 0x1.fcp+0F, 0x1.0395400000000p+10},
};

TEST(DequantizeModel, RowsEqualThoseOfAnotherReader) {
  const auto path = test_support::find_model();
  if (path.empty()) GTEST_SKIP() << test_support::no_model;
  const Gguf file = Gguf::open(path);
  for (const KnownRow& known : known_rows) {
    SCOPED_TRACE(known.tensor);
    const auto values = dequantize_row(file.tensor(known.tensor), known.row);
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value);
    EXPECT_EQ(values[0], known.first);
    EXPECT_EQ(values[1], known.second);
    EXPECT_EQ(values[17], known.at_17);
    EXPECT_EQ(values.back(), known.last);
    EXPECT_NEAR(sum, known.sum, 1e-12 * 576 * 4);  // two orders of adding 576 or 1536 doubles
  }
}

}  // namespace
}  // namespace grout
