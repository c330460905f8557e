// SPDX-License-Identifier: Apache-2.0
// Repacked planes hold the values that the GGUF format gives to the block bytes, and lying sizes are refused.
#include "tilewright/kernels/quantized.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tilewright/base/error.hpp"

namespace tilewright::kernels {
namespace {

// Random blocks with finite positive and negative f16 headers.
std::vector<std::byte> random_blocks(std::size_t blocks, std::size_t block_bytes, std::size_t headers, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<std::byte> bytes(blocks * block_bytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(engine() & 0xffU);
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t header = 0; header < headers; ++header) {
      const f16 value(static_cast<float>(static_cast<int>(engine() % 2001U) - 1000) / 512.0f);
      bytes[block * block_bytes + 2 * header] = static_cast<std::byte>(value.bits & 0xffU);
      bytes[block * block_bytes + 2 * header + 1] = static_cast<std::byte>(value.bits >> 8);
    }
  }
  return bytes;
}

double header(const std::vector<std::byte>& bytes, std::size_t at) {
  const unsigned bits = std::to_integer<unsigned>(bytes[at]) | std::to_integer<unsigned>(bytes[at + 1]) << 8;
  return static_cast<float>(f16::from_bits(static_cast<std::uint16_t>(bits)));
}

// Element `index` of a Q4 tensor as the GGUF format defines it.
double q4_element(const std::vector<std::byte>& bytes, std::size_t index, bool has_minimum) {
  const std::size_t start = index / 32 * (has_minimum ? 20 : 18);
  const std::size_t in_block = index % 32;
  const unsigned pair = std::to_integer<unsigned>(bytes[start + (has_minimum ? 4 : 2) + in_block % 16]);
  const double quant = in_block < 16 ? pair & 15U : pair >> 4;
  return has_minimum ? quant * header(bytes, start) + header(bytes, start + 2) : (quant - 8) * header(bytes, start);
}

double plane_element(const nibble_planes& planes, std::size_t row, std::size_t column) {
  const auto groups = static_cast<std::size_t>(planes.groups());
  const std::size_t half = column / (32 * groups);
  const std::size_t in_half = column % (32 * groups);
  const unsigned pair = planes.quants[(row * groups + in_half / 32) * 32 + in_half % 32];
  const std::size_t scale = (row * 2 + half) * groups + in_half / 32;
  const double quant = half == 0 ? pair & 15U : pair >> 4;
  return quant * static_cast<float>(planes.scales[scale]) + static_cast<float>(planes.minimums[scale]);
}

void expect_same_values(const nibble_planes& planes, const std::vector<std::byte>& bytes, bool has_minimum) {
  for (index_t row = 0; row < planes.rows; ++row) {
    for (index_t column = 0; column < planes.columns; ++column) {
      const auto index = static_cast<std::size_t>(row * planes.columns + column);
      ASSERT_EQ(plane_element(planes, static_cast<std::size_t>(row), static_cast<std::size_t>(column)),
                q4_element(bytes, index, has_minimum))
          << "row " << row << " column " << column;
    }
  }
}

TEST(NibblePlanes, HoldTheValuesOfQ4_1Blocks) {
  const auto bytes = random_blocks(5 * 6, q4_1_block_bytes, 2, 1);
  nibble_planes planes;
  append_q4_1(planes, bytes, 5, 192);
  EXPECT_EQ(planes.quants.size(), 5u * 192 / 2);
  EXPECT_EQ(planes.scales.size(), 5u * 6);
  EXPECT_EQ(planes.minimums.size(), 5u * 6);
  expect_same_values(planes, bytes, true);
}

TEST(NibblePlanes, HoldTheValuesOfQ4_0BlocksExactly) {
  const auto bytes = random_blocks(3 * 2, q4_0_block_bytes, 1, 2);
  nibble_planes planes;
  append_q4_0(planes, bytes, 3, 64);
  expect_same_values(planes, bytes, false);
}

TEST(NibblePlanes, AppendedMatricesFollowEachOther) {
  const auto bytes = random_blocks(5 * 2, q4_1_block_bytes, 2, 3);
  nibble_planes whole;
  append_q4_1(whole, bytes, 5, 64);
  nibble_planes pieces;
  const std::span<const std::byte> all(bytes);
  append_q4_1(pieces, all.first(2 * 2 * q4_1_block_bytes), 2, 64);
  append_q4_1(pieces, all.subspan(2 * 2 * q4_1_block_bytes), 3, 64);
  EXPECT_EQ(pieces.rows, 5);
  EXPECT_EQ(pieces.quants, whole.quants);
}

TEST(NibblePlanes, ZeroRowsAreAccepted) {
  nibble_planes planes;
  append_q4_1(planes, {}, 0, 64);
  EXPECT_EQ(planes.rows, 0);
  EXPECT_EQ(planes.columns, 64);
}

TEST(NibblePlanes, RefuseColumnsThatAreNotAMultipleOf64) {
  const std::vector<std::byte> bytes(q4_1_block_bytes);
  nibble_planes planes;
  try {
    append_q4_1(planes, bytes, 1, 32);
    FAIL() << "accepted";
  } catch (const usage_error& e) {
    EXPECT_EQ(e.parts().expected, "a multiple of 64");
    EXPECT_EQ(e.parts().got, "32");
  }
}

TEST(NibblePlanes, RefuseATruncatedTensorAndStayUnchanged) {
  const auto bytes = random_blocks(2 * 2, q4_1_block_bytes, 2, 4);
  nibble_planes planes;
  append_q4_1(planes, bytes, 2, 64);
  EXPECT_THROW(append_q4_1(planes, std::span(bytes).first(bytes.size() - 1), 2, 64), usage_error);
  EXPECT_EQ(planes.rows, 2);
  EXPECT_EQ(planes.scales.size(), 4u);
}

TEST(NibblePlanes, RefuseARowCountWhoseByteSizeOverflows) {
  nibble_planes planes;
  EXPECT_THROW(append_q4_1(planes, {}, index_t{1} << 62, 64 * 8), usage_error);
  EXPECT_THROW(append_q4_1(planes, {}, -1, 64), usage_error);
}

TEST(NibblePlanes, RefuseOtherColumnsThanTheyHave) {
  nibble_planes planes;
  append_q4_1(planes, random_blocks(2, q4_1_block_bytes, 2, 5), 1, 64);
  EXPECT_THROW(append_q4_1(planes, random_blocks(4, q4_1_block_bytes, 2, 6), 1, 128), usage_error);
}

TEST(BytePlanes, HoldTheValuesOfQ8_0Blocks) {
  const auto bytes = random_blocks(3 * 3, q8_0_block_bytes, 1, 7);
  byte_planes planes;
  append_q8_0(planes, bytes, 3, 96);
  ASSERT_EQ(planes.quants.size(), 3u * 96);
  ASSERT_EQ(planes.scales.size(), 3u * 3);
  for (std::size_t i = 0; i < planes.quants.size(); ++i) {
    const std::size_t start = i / 32 * q8_0_block_bytes;
    EXPECT_EQ(planes.quants[i], static_cast<i8>(std::to_integer<u8>(bytes[start + 2 + i % 32]))) << i;
    EXPECT_EQ(static_cast<float>(planes.scales[i / 32]), header(bytes, start)) << i;
  }
}

TEST(BytePlanes, RefuseABytesCountThatDoesNotFit) {
  const std::vector<std::byte> bytes(q8_0_block_bytes + 1);
  byte_planes planes;
  EXPECT_THROW(append_q8_0(planes, bytes, 1, 32), usage_error);
}

}  // namespace
}  // namespace tilewright::kernels
