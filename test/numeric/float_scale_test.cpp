// SPDX-License-Identifier: Apache-2.0
// f8e8m0 on every back end: every value, both sides of each, pads and edges. What is right says the definition: the
// least power of two that is no smaller than the magnitude.
#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/tile_computation.hpp"

namespace tilewright::test {
namespace {

using ast::op;

class FloatScale : public BackEndTest {};

constexpr dtype scale = dtype::f8e8m0;

host_array every_scale() {
  host_array made(scale, {256});
  for (int bits = 0; bits < 256; ++bits) made.set_bits(bits, static_cast<std::uint64_t>(bits));
  return made;
}

std::uint64_t right(float value) {
  if (std::isnan(value)) return 0xff;
  std::uint64_t bits = 0;
  while (bits < 0xfe && std::ldexp(1.0, static_cast<int>(bits) - 127) < std::fabs(value)) ++bits;
  return bits;
}

TEST_P(FloatScale, EveryValueIsExactInF32AndComesBack) {
  const host_array all = every_scale();
  const host_array wide = compute(GetParam(), op::cast, dtype::f32, {all}, 37);
  const host_array back = compute(GetParam(), op::cast, scale, {wide}, 64);
  for (index_t i = 0; i < all.size(); ++i) {
    const float value = i == 255 ? std::nanf("") : std::ldexp(1.0F, static_cast<int>(i) - 127);
    ASSERT_TRUE(is_same(dtype::f32, wide.bits(i), std::bit_cast<std::uint32_t>(value))) << i;
    ASSERT_EQ(back.bits(i), all.bits(i)) << i;
  }
}

TEST_P(FloatScale, EveryBoundaryIsRoundedUp) {
  std::vector<float> numbers;
  const auto add = [&](float value) { numbers.insert(numbers.end(), {value, -value}); };
  for (int exponent = -149; exponent < 128; ++exponent) {
    const float value = std::ldexp(1.0F, exponent);
    for (const float near : {value, std::nextafter(value, 0.0F), std::nextafter(value, HUGE_VALF), value * 1.5F})
      add(near);
  }
  for (const float special : {0.0F, HUGE_VALF, std::nanf("")}) add(special);
  const host_array from(dtype::f32, {static_cast<index_t>(numbers.size())}, numbers);
  const host_array got = compute(GetParam(), op::cast, scale, {from}, 64);
  for (index_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got.bits(i), right(numbers[static_cast<std::size_t>(i)])) << numbers[static_cast<std::size_t>(i)];
  }
}

TEST_P(FloatScale, BitsStayAsTheyAre) {
  const host_array all = every_scale();
  for (const dtype bytes : {dtype::u8, dtype::i8, dtype::f8e4m3, dtype::f8e5m2}) {
    const host_array got = compute(GetParam(), op::bitcast, bytes, {all}, 64);
    const host_array back = compute(GetParam(), op::bitcast, scale, {got}, 37);
    for (index_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(got.bits(i), all.bits(i));
      ASSERT_EQ(back.bits(i), all.bits(i));
    }
  }
}

// Pieces of 4 by 8 of a matrix of 6 by 11: what lies outside is the pad, of which 0 is the least scale.
TEST_P(FloatScale, EdgesArePadded) {
  for (const double pad : {0.0, -0.0, 1.0, std::nan(""), 0x1p127}) {
    SCOPED_TRACE(pad);
    program_builder p(2);
    const value_id at_pad = p.constant(type_of(scale), pad);
    const value_type piece = type_of(scale, {4, 8});
    const int z = p.out(scale, {4, 8}), x = p.in(scale, 2);
    p.store(z, p.load_padded(x, piece, {p.block_id(0), p.block_id(1)}, at_pad));
    const host_array to(scale, {8, 16}), from(scale, {6, 11}, std::vector<int>(66, 4));
    run_here(p.result(), {to.argument(), from.argument()}, {2, 2});
    for (index_t i = 0; i < to.size(); ++i) {
      const bool is_inside = i / 16 < 6 && i % 16 < 11;
      ASSERT_EQ(to.bits(i), is_inside ? 129U : right(static_cast<float>(pad))) << i;
    }
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(FloatScale);

}  // namespace
}  // namespace tilewright::test
