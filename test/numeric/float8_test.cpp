// SPDX-License-Identifier: Apache-2.0
// 8-bit floats on every back end: every value, every rounding boundary, pads and edges. What is right says the host's
// conversion, which test/unit/base compares with its definition.
#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/tile_computation.hpp"

namespace tilewright::test {
namespace {

using ast::op;

class Float8 : public BackEndTest {
 protected:
  // Of each number of `from`: the cast on this back end, and what rounding it once gives.
  void expect_casts(const host_array& from, dtype to) {
    SCOPED_TRACE(testing::Message() << info(from.element()).name << " to " << info(to).name);
    const host_array got = compute(GetParam(), op::cast, to, {from}, 64);
    for (index_t i = 0; i < from.size(); ++i) {
      ASSERT_TRUE(is_same(to, got.bits(i), right(to, decode(from.element(), from.bits(i))))) << "of element " << i;
    }
  }

 private:
  // By way of f32, rounded towards 0 and with a last bit that says so.
  static std::uint64_t right(dtype to, real value) {
    auto single = static_cast<float>(value);
    if (static_cast<real>(single) != value && std::isfinite(value)) {
      if (std::fabs(static_cast<real>(single)) > std::fabs(value)) single = std::nextafter(single, 0.0F);
      single = std::bit_cast<float>(std::bit_cast<std::uint32_t>(single) | 1U);
    }
    return encode(to, single);
  }
};

constexpr dtype formats[] = {dtype::f8e4m3, dtype::f8e5m2};

host_array every_value(dtype element) {
  const int count = 1 << info(element).bits;
  host_array made(element, {count});
  for (int bits = 0; bits < count; ++bits) made.set_bits(bits, static_cast<std::uint64_t>(bits));
  return made;
}

TEST_P(Float8, EveryValueIsExactInWiderFloatsAndComesBack) {
  for (const dtype element : formats) {
    const host_array all = every_value(element);
    for (const dtype wide : {dtype::f32, dtype::f16, dtype::bf16, dtype::f64}) {
      SCOPED_TRACE(std::string(info(element).name) + " and " + info(wide).name);
      const host_array out = compute(GetParam(), op::cast, wide, {all}, 64);
      const host_array back = compute(GetParam(), op::cast, element, {out}, 64);
      for (index_t i = 0; i < all.size(); ++i) {
        const real value = decode(element, all.bits(i));
        ASSERT_TRUE(is_same(wide, out.bits(i), encode(wide, static_cast<double>(value)))) << i;
        const std::uint64_t same = std::isinf(value) ? encode(element, static_cast<double>(value)) : all.bits(i);
        ASSERT_TRUE(is_same(element, back.bits(i), same)) << i;
      }
    }
  }
}

TEST_P(Float8, EveryValueBecomesIntegersBoolsAndTheOtherFormat) {
  for (const dtype element : formats) {
    const host_array all = every_value(element);
    const dtype other = element == dtype::f8e4m3 ? dtype::f8e5m2 : dtype::f8e4m3;
    expect_casts(all, other);
    for (const dtype to : {dtype::i8, dtype::u8, dtype::i32, dtype::u64, dtype::boolean}) {
      const host_array singles = compute(interp_back_end(), op::cast, dtype::f32, {all}, 64);
      const host_array got = compute(GetParam(), op::cast, to, {all}, 64);
      const host_array right = compute(interp_back_end(), op::cast, to, {singles}, 64);
      for (index_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(got.bits(i), right.bits(i)) << info(element).name << " to " << info(to).name << " of " << i;
      }
    }
  }
}

// Every middle between neighbours, the numbers themselves, and the nearest of `wide` beside each; then what is past.
host_array boundaries(dtype element, dtype wide) {
  std::vector<double> numbers;
  const auto add = [&](double value) {
    for (const double next : {-HUGE_VAL, value, HUGE_VAL}) {
      const double here = wide == dtype::f64 ? std::nextafter(value, next)
                                             : std::nextafter(static_cast<float>(value), static_cast<float>(next));
      numbers.insert(numbers.end(), {here, -here});
    }
  };
  const int greatest = element == dtype::f8e4m3 ? 0x7e : 0x7b;
  for (int code = 0; code <= greatest; ++code) {
    const auto low = static_cast<double>(decode(element, static_cast<std::uint64_t>(code)));
    add(low);
    if (code < greatest) add((low + static_cast<double>(decode(element, static_cast<std::uint64_t>(code + 1)))) / 2);
  }
  for (const double past : {464.0, 480.0, 61440.0, 65536.0, 1e30, 1e-30, HUGE_VAL}) add(past);
  numbers.push_back(std::nan(""));
  return host_array(wide, {static_cast<index_t>(numbers.size())}, numbers);
}

TEST_P(Float8, EveryBoundaryRoundsOnce) {
  for (const dtype element : formats) {
    for (const dtype wide : {dtype::f32, dtype::f64}) expect_casts(boundaries(element, wide), element);
  }
}

TEST_P(Float8, EveryHalfAndEveryShortIntegerRoundsOnce) {
  for (const dtype element : formats) {
    for (const dtype from : {dtype::f16, dtype::bf16, dtype::i16, dtype::u16, dtype::i8, dtype::u8}) {
      expect_casts(every_value(from), element);
    }
    expect_casts(host_array(dtype::boolean, {2}, std::vector<int>{0, 1}), element);
  }
}

TEST_P(Float8, LongIntegersRoundOnceAndSaturate) {
  std::vector<i64> numbers;
  for (i64 value = 16; value < 80000; value += value / 16) {
    for (i64 next = value - 1; next <= value + 1; ++next) numbers.insert(numbers.end(), {next, -next});
  }
  for (int bit = 16; bit < 63; ++bit)
    numbers.insert(numbers.end(), {i64{1} << bit, -(i64{1} << bit), (i64{1} << bit) - 1});
  numbers.insert(numbers.end(), {INT64_MAX, INT64_MIN, 0, 464, 465, 61439, 61440});
  for (const dtype element : formats) {
    for (const dtype from : {dtype::i32, dtype::u32, dtype::i64, dtype::u64}) {
      expect_casts(host_array(from, {static_cast<index_t>(numbers.size())}, numbers), element);
    }
  }
}

TEST_P(Float8, BitsStayAsTheyAre) {
  for (const dtype element : formats) {
    const host_array all = every_value(element);
    for (const dtype bytes : {dtype::u8, dtype::i8}) {
      const host_array got = compute(GetParam(), op::bitcast, bytes, {all}, 64);
      const host_array back = compute(GetParam(), op::bitcast, element, {got}, 37);
      for (index_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(got.bits(i), all.bits(i));
        ASSERT_EQ(back.bits(i), all.bits(i));
      }
    }
  }
}

// Pieces of 4 by 8 of a matrix of 6 by 11: what lies outside is the pad, and nothing outside is written.
TEST_P(Float8, EdgesArePaddedAndNothingIsWrittenBesideThem) {
  for (const dtype element : formats) {
    for (const double pad : {0.0, -0.0, 1.5, std::nan(""), element == dtype::f8e5m2 ? -HUGE_VAL : -448.0}) {
      SCOPED_TRACE(testing::Message() << info(element).name << " padded with " << pad);
      program_builder p(2);
      const int x = p.in(element, 2);
      const value_type piece = type_of(element, {4, 8});
      p.store(p.out(element, {4, 8}),
              p.load_padded(x, piece, {p.block_id(0), p.block_id(1)}, p.constant(type_of(element), pad)));
      const host_array from(element, {6, 11}, std::vector<int>(66, 3)), around(element, {12, 24});
      const host_array to = around.view({8, 16}, {24, 1}, 25);
      run_here(p.result(), {from.argument(), to.argument()}, {2, 2});
      const std::uint64_t padded = element == dtype::f8e5m2 && std::isinf(pad) ? 0xfc : encode(element, pad);
      for (index_t i = 0; i < to.size(); ++i) {
        const bool is_inside = i / 16 < 6 && i % 16 < 11;
        ASSERT_TRUE(is_same(element, to.bits(i), is_inside ? encode(element, 3) : padded)) << i;
      }
      for (index_t i = 0; i < around.size(); ++i) {
        const bool is_written = i / 24 >= 1 && i / 24 < 9 && i % 24 >= 1 && i % 24 < 17;
        ASSERT_TRUE(is_written || around.bits(i) == 0xa5) << i;
      }
    }
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(Float8);

}  // namespace
}  // namespace tilewright::test
