// SPDX-License-Identifier: Apache-2.0
// Tiles from nothing, numbers in kernels, and operators between tiles of unlike shapes.
#include <bit>
#include <limits>

#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"};

TEST(Values, ConstantsFillATile) {
  constexpr auto constants = kernel<"k">([](Block b, Out<f32, M, 4> y, Out<u64> z, Scalar<f32> s) {
    y.store(b.zeros<f32>(tile<M, 4>) + b.full<f32>(tile<M, 4>, -1.5) + b.full<f32>(tile<M, 4>, s));
    z.store(b.full<u64>(tile<>, 18446744073709551615U));
  });
  EXPECT_EQ(records(constants),
            "%0 = scalar parameter 2 : f32[]\n"
            "%1 = constant 0 : f32[M, 4]\n"
            "%2 = constant -1.5 : f32[M, 4]\n"
            "%3 = add %1, %2 : f32[M, 4]\n"
            "%4 = broadcast %0 : f32[M, 4]\n"
            "%5 = add %3, %4 : f32[M, 4]\n"
            "store %5 parameter 0\n"
            "%7 = constant 18446744073709551615 : u64[]\n"
            "store %7 parameter 1\n");
}

TEST(Values, IotaCountsAlongTheOneAxisThatIsNot1) {
  constexpr auto counts = kernel<"k">([](Block b, Out<i32, 1, M, 1> x, Out<index_element, 8, 1> y, Out<u8, 1, 1> z) {
    x.store(b.iota<i32>(tile<1, M, 1>));
    y.store(b.iota<index_element>(tile<8, 1>));
    z.store(b.iota<u8>(tile<1, 1>));
  });
  EXPECT_EQ(records(counts),
            "%0 = iota axis 1 : i32[1, M, 1]\n"
            "store %0 parameter 0\n"
            "%2 = iota axis 0 : index[8, 1]\n"
            "store %2 parameter 1\n"
            "%4 = iota axis 0 : u8[1, 1]\n"
            "store %4 parameter 2\n");
}

TEST(Values, TablesHoldOneLiteralForEachElement) {
  constexpr auto tables = kernel<"k">([](Block b, Out<f16, 3> x, Out<u64, 2, 1> y, Out<i8, 1> z) {
    constexpr int whole_numbers[] = {0, 2048, -7};
    x.store(b.table<f16>(whole_numbers));
    y.store(b.table<u64>(tile<2, 1>, {18446744073709551615U, 1UL}));
    z.store(b.table<i8>({-128}));
  });
  EXPECT_EQ(records(tables),
            "%0 = table {0, 2048, -7} : f16[3]\n"
            "store %0 parameter 0\n"
            "%2 = table {18446744073709551615, 1} : u64[2, 1]\n"
            "store %2 parameter 1\n"
            "%4 = table {-128} : i8[1]\n"
            "store %4 parameter 2\n");
}

TEST(Values, LiteralsTakeTheElementOfTheTileOnEitherSide) {
  constexpr auto both_sides = kernel<"k">([](Out<f16, N> z, In<f16, dyn> x) {
    auto v = load_like(x, z);
    z.store(2 * v - 0.5F + max(1, min(v, 3.0)));
  });
  EXPECT_EQ(records(both_sides),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = load %0 parameter 1 : f16[N]\n"
            "%2 = constant 2 : f16[]\n"
            "%3 = multiply %2, %1 : f16[N]\n"
            "%4 = constant 0.5 : f16[]\n"
            "%5 = subtract %3, %4 : f16[N]\n"
            "%6 = constant 3 : f16[]\n"
            "%7 = minimum %1, %6 : f16[N]\n"
            "%8 = constant 1 : f16[]\n"
            "%9 = maximum %8, %7 : f16[N]\n"
            "%10 = add %5, %9 : f16[N]\n"
            "store %10 parameter 0\n");
}

// The two words of the one constant of a kernel.
template <class T, auto Value>
constexpr std::uint64_t stated_bits() {
  constexpr auto one = kernel<"one">([](Block b, Out<T> z) { z.store(b.full<T>(tile<>, Value)); });
  const std::int32_t* code = one.module().code;
  return std::uint64_t{static_cast<std::uint32_t>(code[2])} << 32 | static_cast<std::uint32_t>(code[1]);
}
constexpr std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// The last numbers that fit; the first that do not are in test/compile_fail/lang.
static_assert(stated_bits<i8, 127>() == 127 && stated_bits<i8, -128>() == std::uint64_t(-128));
static_assert(stated_bits<u8, 255>() == 255 && stated_bits<u16, 65535U>() == 65535);
static_assert(stated_bits<i64, std::numeric_limits<i64>::min()>() == std::uint64_t{1} << 63);
static_assert(stated_bits<u64, ~0ULL>() == ~0ULL);
static_assert(stated_bits<index_element, -1>() == ~0ULL);
static_assert(stated_bits<bool, true>() == 1 && stated_bits<bool, false>() == 0);
static_assert(stated_bits<f16, 2048>() == bits(2048) && stated_bits<f16, 4096>() == bits(4096));
static_assert(stated_bits<f16, 65519.0>() == bits(65519) && stated_bits<f16, -65519.0F>() == bits(-65519));
static_assert(stated_bits<bf16, 256>() == bits(256) && stated_bits<f32, 16777216>() == bits(16777216));
static_assert(stated_bits<f32, 0.1>() == bits(0.1), "rounded once, when it meets the element");
static_assert(stated_bits<f32, -inf>() == bits(-std::numeric_limits<double>::infinity()));
static_assert(stated_bits<f64, 1e308>() == bits(1e308));

TEST(Values, ShapesJoinWhereAnExtentIs1OrATileHasNoAxes) {
  constexpr auto joins = kernel<"k">([](Block b, Out<i32, M, N> z, Scalar<i32> s) {
    auto rows = b.iota<i32>(tile<M, 1>);
    auto columns = b.iota<i32>(tile<1, N>);
    z.store(rows * columns + s - (s | rows) % columns);
  });
  EXPECT_EQ(records(joins),
            "%0 = scalar parameter 1 : i32[]\n"
            "%1 = iota axis 0 : i32[M, 1]\n"
            "%2 = iota axis 1 : i32[1, N]\n"
            "%3 = multiply %1, %2 : i32[M, N]\n"
            "%4 = add %3, %0 : i32[M, N]\n"
            "%5 = bit_or %0, %1 : i32[M, 1]\n"
            "%6 = remainder %5, %2 : i32[M, N]\n"
            "%7 = subtract %4, %6 : i32[M, N]\n"
            "store %7 parameter 0\n");
}

TEST(Values, CompoundOperatorsAssign) {
  constexpr auto compound = kernel<"k">([](Block b, Out<i32, N> z, Scalar<i32> s) {
    auto v = b.zeros<i32>(tile<N>);
    v += 1, v -= s, v *= v, v /= 2, v %= 3, v &= 4, v |= 5, v ^= 6, v <<= 7, v >>= s;
    z.store(v);
  });
  EXPECT_EQ(records(compound),
            "%0 = scalar parameter 1 : i32[]\n"
            "%1 = constant 0 : i32[N]\n"
            "%2 = constant 1 : i32[]\n"
            "%3 = add %1, %2 : i32[N]\n"
            "assign %1, %3\n"
            "%5 = subtract %1, %0 : i32[N]\n"
            "assign %1, %5\n"
            "%7 = multiply %1, %1 : i32[N]\n"
            "assign %1, %7\n"
            "%9 = constant 2 : i32[]\n"
            "%10 = divide %1, %9 : i32[N]\n"
            "assign %1, %10\n"
            "%12 = constant 3 : i32[]\n"
            "%13 = remainder %1, %12 : i32[N]\n"
            "assign %1, %13\n"
            "%15 = constant 4 : i32[]\n"
            "%16 = bit_and %1, %15 : i32[N]\n"
            "assign %1, %16\n"
            "%18 = constant 5 : i32[]\n"
            "%19 = bit_or %1, %18 : i32[N]\n"
            "assign %1, %19\n"
            "%21 = constant 6 : i32[]\n"
            "%22 = bit_xor %1, %21 : i32[N]\n"
            "assign %1, %22\n"
            "%24 = constant 7 : i32[]\n"
            "%25 = shift_left %1, %24 : i32[N]\n"
            "assign %1, %25\n"
            "%27 = shift_right %1, %0 : i32[N]\n"
            "assign %1, %27\n"
            "store %1 parameter 0\n");
}

TEST(Values, NotIsForBoolAndComplementForBits) {
  constexpr auto inverts = kernel<"k">([](Out<bool, N> y, Out<u32, N> z, In<u32, dyn> x) {
    auto v = load_like(x, z);
    y.store(!(v == 3));
    z.store(~v);
  });
  EXPECT_EQ(records(inverts),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = load %0 parameter 2 : u32[N]\n"
            "%2 = constant 3 : u32[]\n"
            "%3 = equal %1, %2 : bool[N]\n"
            "%4 = bit_not %3 : bool[N]\n"
            "store %4 parameter 0\n"
            "%6 = bit_not %1 : u32[N]\n"
            "store %6 parameter 1\n");
}

TEST(Values, SelectJoinsConditionAndValues) {
  constexpr auto selects = kernel<"k">([](Block b, Out<f32, M, N> z, In<f32, dyn, dyn> x, Scalar<f32> s) {
    auto rows = b.iota<i32>(tile<M, 1>);
    z.store(select(rows < 2, load_like(x, z), -inf) + select(rows == 0, 1, s));
  });
  EXPECT_EQ(records(selects),
            "%0 = scalar parameter 2 : f32[]\n"
            "%1 = iota axis 0 : i32[M, 1]\n"
            "%2 = constant 2 : i32[]\n"
            "%3 = less %1, %2 : bool[M, 1]\n"
            "%4 = block_id axis 0 : index[]\n"
            "%5 = block_id axis 1 : index[]\n"
            "%6 = load %4, %5 parameter 1 : f32[M, N]\n"
            "%7 = constant -inf : f32[]\n"
            "%8 = select %3, %6, %7 : f32[M, N]\n"
            "%9 = constant 0 : i32[]\n"
            "%10 = equal %1, %9 : bool[M, 1]\n"
            "%11 = constant 1 : f32[]\n"
            "%12 = select %10, %11, %0 : f32[M, 1]\n"
            "%13 = add %8, %12 : f32[M, N]\n"
            "store %13 parameter 0\n");
}

TEST(Values, FmaTakesLiteralsAndScalars) {
  constexpr auto fused = kernel<"k">([](Out<f64, N> z, In<f64, dyn> x, Scalar<f64> s) {
    z.store(fma(load_like(x, z), s, 0.5) + fma(2, 3, load_like(x, z)));
  });
  EXPECT_EQ(records(fused),
            "%0 = scalar parameter 2 : f64[]\n"
            "%1 = block_id axis 0 : index[]\n"
            "%2 = load %1 parameter 1 : f64[N]\n"
            "%3 = constant 0.5 : f64[]\n"
            "%4 = fma %2, %0, %3 : f64[N]\n"
            "%5 = block_id axis 0 : index[]\n"
            "%6 = load %5 parameter 1 : f64[N]\n"
            "%7 = constant 2 : f64[]\n"
            "%8 = constant 3 : f64[]\n"
            "%9 = fma %7, %8, %6 : f64[N]\n"
            "%10 = add %4, %9 : f64[N]\n"
            "store %10 parameter 0\n");
}

TEST(Values, AnOperationMayRoundInADirection) {
  constexpr auto bounds = kernel<"k">([](Out<f32, N> z, Out<f64> y, In<f32, dyn> x, Scalar<f64> s) {
    auto v = load_like(x, z);
    z.store(downward.add(toward_zero.multiply(v, 3), upward.fma(v, v, -1.0f)) + v);
    y.store(upward.divide(1, downward.subtract(upward.sqrt(s), s)));
  });
  EXPECT_EQ(records(bounds),
            "%0 = scalar parameter 3 : f64[]\n"
            "%1 = block_id axis 0 : index[]\n"
            "%2 = load %1 parameter 2 : f32[N]\n"
            "%3 = constant 3 : f32[]\n"
            "%4 = multiply %2, %3 toward_zero : f32[N]\n"
            "%5 = constant -1 : f32[]\n"
            "%6 = fma %2, %2, %5 upward : f32[N]\n"
            "%7 = add %4, %6 downward : f32[N]\n"
            "%8 = add %7, %2 : f32[N]\n"
            "store %8 parameter 0\n"
            "%10 = sqrt %0 upward : f64[]\n"
            "%11 = subtract %10, %0 downward : f64[]\n"
            "%12 = constant 1 : f64[]\n"
            "%13 = divide %12, %11 upward : f64[]\n"
            "store %13 parameter 1\n");
}

TEST(Values, AnOperationMayFlushOrApproximate) {
  constexpr auto cheap = kernel<"k">([](Out<f32, N> z, Out<f32, N> y, In<f32, dyn> x) {
    auto v = load_like(x, z);
    z.store(flush_denormals.max(flush_denormals.exp2(v), approximate.divide(1, v)));
    y.store(full_range.divide(approximate.tanh(v), flush_denormals.rsqrt(v)));
  });
  EXPECT_EQ(records(cheap),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = load %0 parameter 2 : f32[N]\n"
            "%2 = exp2 %1 flushed : f32[N]\n"
            "%3 = constant 1 : f32[]\n"
            "%4 = divide %3, %1 approximate : f32[N]\n"
            "%5 = maximum %2, %4 flushed : f32[N]\n"
            "store %5 parameter 0\n"
            "%7 = tanh %1 approximate : f32[N]\n"
            "%8 = rsqrt %1 flushed : f32[N]\n"
            "%9 = divide %7, %8 full_range : f32[N]\n"
            "store %9 parameter 1\n");
}

TEST(Values, CastsAndBitcastsNameTheirElement) {
  constexpr auto converts = kernel<"k">([](Out<i16, N> z, In<f32, dyn> x, Out<index_element, N> y) {
    auto v = load_like(x, z);
    y.store(to_index(bitcast<u32>(v)));
    z.store(bitcast<i16>(cast<f16>(v)));
  });
  EXPECT_EQ(records(converts),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = load %0 parameter 1 : f32[N]\n"
            "%2 = bitcast %1 : u32[N]\n"
            "%3 = cast %2 : index[N]\n"
            "store %3 parameter 2\n"
            "%5 = cast %1 : f16[N]\n"
            "%6 = bitcast %5 : i16[N]\n"
            "store %6 parameter 0\n");
}

}  // namespace
}  // namespace tilewright::test
