// SPDX-License-Identifier: Apache-2.0
// Elements of 4 bits on every back end: every byte through unpack and pack, every value and rounding boundary of
// f4e2m1, integers that wrap, and tiles of them in loops, branches and combiners. What is right says the definition.
#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/lang_run.hpp"
#include "support/element_bits.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/print.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"};

template <class T, class Wide>
constexpr auto unpacked = kernel<"unpacked">([](Block b, Out<Wide, 8, 32> z, In<u8, dyn, dyn> x) {
  z.store(cast<Wide>(unpack<T>(x.load(tile<8, 16>, b.pid(0), b.pid(1)))));
});
template <class T>
constexpr auto packed_again = kernel<"packed_again">([](Block b, Out<u8, M, N> z, In<u8, dyn, dyn> x) {
  z.store(pack(unpack<T>(x.load(tile<M, N>, b.pid(0), b.pid(1)))));
});
template <class T, class Wide>
constexpr auto packed = kernel<"packed">([](Block b, Out<u8, N> z, In<Wide, dyn> x) {
  z.store(pack(cast<T>(x.load(tile<2 * N>, b.pid(0)))));
});

// All bytes, in rows of `columns`.
host_array every_byte(index_t columns) {
  host_array made(dtype::u8, {256 / columns, columns});
  for (index_t i = 0; i < 256; ++i) made.set_bits(i, static_cast<std::uint64_t>(i));
  return made;
}

compiler::argument piece(const host_array& array, std::initializer_list<index_t> extents) {
  compiler::argument made = array.argument();
  std::copy(extents.begin(), extents.end(), made.piece.begin());
  return made;
}

// Element n of all elements of the packed bytes.
std::uint64_t code_at(const host_array& bytes, index_t n) { return bytes.bits(n / 2) >> 4 * (n % 2) & 15; }

class HalfByte : public BackEndTest {
 protected:
  template <class T, class Wide>
  void expect_unpacked() {
    SCOPED_TRACE(testing::Message() << info(dtype_of<T>).name << " to " << info(dtype_of<Wide>).name);
    const host_array x = every_byte(16), z(dtype_of<Wide>, {16, 32});
    run_module(unpacked<T, Wide>.module(), GetParam(), {piece(z, {8, 32}), x.argument()});
    for (index_t n = 0; n < z.size(); ++n) {
      const real value = decode(dtype_of<T>, code_at(x, n));
      const std::uint64_t right = dtype_of<Wide> == dtype::boolean ? value != 0 : encode(dtype_of<Wide>, value);
      ASSERT_TRUE(is_same(dtype_of<Wide>, z.bits(n), right)) << "element " << n;
    }
  }
  template <class T, class... Wide>
  void expect_unpacked_to() {
    (expect_unpacked<T, Wide>(), ...);
  }

  template <class T>
  void expect_packed_again(index_t columns, index_t rows_of_piece, index_t columns_of_piece) {
    SCOPED_TRACE(testing::Message() << info(dtype_of<T>).name << " in pieces of " << rows_of_piece << " by "
                                    << columns_of_piece);
    const host_array x = every_byte(columns), z(dtype::u8, {256 / columns, columns});
    run_module(packed_again<T>.module(), GetParam(), {piece(z, {rows_of_piece, columns_of_piece}), x.argument()});
    for (index_t n = 0; n < z.size(); ++n) ASSERT_EQ(z.bits(n), x.bits(n)) << n;
  }

  // Numbers of Wide, cast and packed, against `right` of each.
  template <class T, class Wide, class Right>
  void expect_packed(std::vector<std::uint64_t> numbers, const Right& right) {
    SCOPED_TRACE(testing::Message() << info(dtype_of<Wide>).name << " to " << info(dtype_of<T>).name);
    while (numbers.size() % 32 != 0) numbers.push_back(0);  // pieces of 16 bytes
    const auto count = static_cast<index_t>(numbers.size());
    host_array x(dtype_of<Wide>, {count});
    for (index_t n = 0; n < count; ++n) x.set_bits(n, numbers[static_cast<std::size_t>(n)]);
    const host_array z(dtype::u8, {count / 2});
    run_module(packed<T, Wide>.module(), GetParam(), {piece(z, {16}), x.argument()});
    for (index_t n = 0; n < count; ++n) {
      ASSERT_EQ(code_at(z, n), right(numbers[static_cast<std::size_t>(n)])) << "of number " << n;
    }
  }
};

TEST_P(HalfByte, EveryByteHoldsTwo) {
  expect_unpacked_to<f4e2m1, f32, f16, bf16, f64, f8e4m3, f8e5m2, i32, i8, i64, bool>();
  expect_unpacked_to<i4, i32, i8, i16, i64, u8, u16, u32, u64>();
  expect_unpacked_to<u4, i32, i8, i16, i64, u8, u16, u32, u64>();
}

TEST_P(HalfByte, EveryByteComesBack) {
  for (const auto& [columns, rows_of_piece, columns_of_piece] :
       {std::array<index_t, 3>{16, 8, 16}, {64, 4, 8}, {32, 1, 1}, {128, 2, 64}}) {
    expect_packed_again<f4e2m1>(columns, rows_of_piece, columns_of_piece);
    expect_packed_again<i4>(columns, rows_of_piece, columns_of_piece);
    expect_packed_again<u4>(columns, rows_of_piece, columns_of_piece);
  }
}

// The nearest of 8 numbers, of two equally near ones that of the even code.
std::uint64_t nearest_code(real value) {
  if (std::isnan(value)) return 7;
  const real magnitude = std::fabs(value);
  std::uint64_t best = 0;
  for (std::uint64_t code = 1; code < 8; ++code) {
    const real distance = std::fabs(decode(dtype::f4e2m1, code) - magnitude);
    const real least = std::fabs(decode(dtype::f4e2m1, best) - magnitude);
    if (distance < least || (distance == least && code % 2 == 0)) best = code;
  }
  if (std::isinf(value)) best = 7;
  return std::signbit(value) ? best + 8 : best;
}

template <class T>
std::vector<std::uint64_t> around_every_boundary() {
  std::vector<std::uint64_t> numbers;
  const auto add = [&](double value) {
    numbers.push_back(encode(dtype_of<T>, value));
    numbers.push_back(encode(dtype_of<T>, -value));
  };
  for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0}) {
    add(value);
    const std::uint64_t exact = encode(dtype_of<T>, value);
    for (const std::uint64_t next : {exact + 1, exact == 0 ? 2 : exact - 1})
      add(static_cast<double>(decode(dtype_of<T>, next)));
  }
  for (const double value : {1e-7, 0.1, 100.0, 3e4, HUGE_VAL, std::nan("")}) add(value);
  return numbers;
}

TEST_P(HalfByte, EveryBoundaryIsRoundedToTheNearestEvenOnce) {
  const auto right = [](dtype from) { return [from](std::uint64_t bits) { return nearest_code(decode(from, bits)); }; };
  expect_packed<f4e2m1, f32>(around_every_boundary<f32>(), right(dtype::f32));
  expect_packed<f4e2m1, f64>(around_every_boundary<f64>(), right(dtype::f64));
  expect_packed<f4e2m1, f16>(around_every_boundary<f16>(), right(dtype::f16));
  expect_packed<f4e2m1, bf16>(around_every_boundary<bf16>(), right(dtype::bf16));
  std::vector<std::uint64_t> bytes;
  for (std::uint64_t n = 0; n < 256; ++n) bytes.push_back(n);
  expect_packed<f4e2m1, i8>(bytes, right(dtype::i8));
  expect_packed<f4e2m1, u8>(bytes, right(dtype::u8));
  expect_packed<f4e2m1, bool>({0, 1}, right(dtype::boolean));
  expect_packed<f4e2m1, u64>({0, 1, 5, 7, 1U << 20, ~std::uint64_t{0}}, right(dtype::u64));
  expect_packed<f4e2m1, i32>({0, 3, 5, 0xffffffffU, 0xfffffffbU, 0x80000000U, 0x7fffffffU}, right(dtype::i32));
}

TEST_P(HalfByte, IntegersWrap) {
  const auto low = [](std::uint64_t bits) { return bits & 15; };
  std::vector<std::uint64_t> bytes;
  for (std::uint64_t n = 0; n < 256; ++n) bytes.push_back(n);
  expect_packed<i4, i8>(bytes, low);
  expect_packed<u4, u8>(bytes, low);
  expect_packed<i4, i32>({7, 8, 0xfffffff8U, 0xfffffff7U, 0x80000000U, 12345}, low);
  expect_packed<u4, i64>({15, 16, ~std::uint64_t{0}, std::uint64_t{1} << 60}, low);
  expect_packed<u4, i16>({0xffffU, 0x8003U, 0x7fffU, 9}, low);
}

constexpr auto between = kernel<"between">([](Out<u8, 4, 8> z, Out<i32, 4, 16> y, In<u8, 4, 8> x) {
  auto small = unpack<i4>(x.load(tile<4, 8>, 0, 0));
  y.store(cast<i32>(cast<u4>(small)) - cast<i32>(small));  // 16 for those below 0
  z.store(pack(bitcast<i4>(bitcast<u8>(small) + 240)));    // the high half of a code counts for nothing
});

TEST_P(HalfByte, IntegersOfBothSignsShareTheirBits) {
  const host_array x(dtype::u8, {4, 8}), z(dtype::u8, {4, 8}), y(dtype::i32, {4, 16});
  host_array given = x;
  for (index_t n = 0; n < 32; ++n) given.set_bits(n, static_cast<std::uint64_t>(n * 41 % 256));
  run_module(between.module(), GetParam(), {piece(z, {4, 8}), piece(y, {4, 16}), given.argument()});
  for (index_t n = 0; n < 32; ++n) ASSERT_EQ(z.bits(n), given.bits(n));
  for (index_t n = 0; n < 64; ++n) ASSERT_EQ(y.bits(n), code_at(given, n) < 8 ? 0U : 16U) << n;
}

// Tiles of codes in what moves, chooses and carries; every second round takes the other tile.
constexpr auto carried = kernel<"carried">([](Block b, Out<f32, 8, 4> z, Out<i32, 1, 8> y, In<u8, 4, 4> x) {
  auto codes = unpack<f4e2m1>(x.load(tile<4, 4>, 0, 0));
  auto kept = b.zeros<f4e2m1>(tile<4, 8>);
  for (auto i : b.range(3)) {
    auto next = if_(
        i == 1, [&] { return kept; }, [&] { return codes; });
    kept = select(cast<f32>(next) > 2.0f, 6.0f, next);
  }
  z.store(cast<f32>(transpose(kept)));
  auto small = unpack<i4>(x.load(tile<4, 4>, 0, 0));
  auto [greatest] = reduce<0>(values(small), identity(-8), [](auto left, auto right) {
    auto [a] = left;
    auto [c] = right;
    return values(select(cast<i32>(a) > cast<i32>(c), a, c));
  });
  y.store(cast<i32>(greatest));
});

TEST_P(HalfByte, TilesOfThemMoveThroughLoopsBranchesAndCombiners) {
  host_array x(dtype::u8, {4, 4});
  for (index_t n = 0; n < 16; ++n) x.set_bits(n, static_cast<std::uint64_t>((n * 37 + 9) % 256));
  const host_array z(dtype::f32, {8, 4}), y(dtype::i32, {1, 8});
  run_module(carried.module(), GetParam(), {piece(z, {8, 4}), piece(y, {1, 8}), x.argument()});
  for (index_t column = 0; column < 8; ++column) {
    std::int64_t greatest = -8;
    for (index_t row = 0; row < 4; ++row) {
      const std::uint64_t code = code_at(x, row * 8 + column);
      const real value = decode(dtype::f4e2m1, code);
      EXPECT_EQ(z.bits(column * 4 + row), encode(dtype::f32, value > 2 ? real{6} : value)) << row << ", " << column;
      greatest = std::max<std::int64_t>(greatest, static_cast<std::int64_t>(decode(dtype::i4, code)));
    }
    EXPECT_EQ(y.bits(column), encode(dtype::i32, greatest)) << column;
  }
}

// Ranks 1 and 3, and bytes past the edge of their tensor, which are 0 where nothing else is stated.
constexpr auto at_edges =
    kernel<"at_edges">([](Block b, Out<i32, 2, 2, 8> z, Out<f32, 1, 1, 2> y, In<u8, dyn, dyn, dyn> x) {
      z.store(cast<i32>(unpack<u4>(x.load(tile<2, 2, 4>, b.pid(0), b.pid(1), b.pid(2), pad(0x21)))));
      auto first = unpack<f4e2m1>(reshape(x.load(tile<1, 1, 1>, 0, 0, 0), tile<1>));
      y.store(cast<f32>(reshape(first, tile<1, 1, 2>)));
    });

TEST_P(HalfByte, EdgesArePaddedAndEveryRankIsUnpacked) {
  host_array x(dtype::u8, {2, 3, 5});
  for (index_t n = 0; n < x.size(); ++n) x.set_bits(n, static_cast<std::uint64_t>((n * 29 + 0x5d) % 256));
  const host_array z(dtype::i32, {2, 4, 16}), y(dtype::f32, {1, 2, 4});
  run_module(at_edges.module(), GetParam(), {piece(z, {2, 2, 8}), piece(y, {1, 1, 2}), x.argument()});
  for (index_t n = 0; n < z.size(); ++n) {
    const index_t page = n / 64, row = n / 16 % 4, column = n % 16;
    const bool is_inside = row < 3 && column < 10;
    const std::uint64_t right = is_inside ? code_at(x, (page * 3 + row) * 10 + column) : column % 2 == 0 ? 1U : 2U;
    ASSERT_EQ(z.bits(n), right) << page << ", " << row << ", " << column;
  }
  EXPECT_EQ(y.bits(0), encode(dtype::f32, decode(dtype::f4e2m1, x.bits(0) & 15)));
  EXPECT_EQ(y.bits(1), encode(dtype::f32, decode(dtype::f4e2m1, x.bits(0) >> 4)));
}

constexpr auto shown = kernel<"shown">([](Block b, Out<u8, 2> z, In<u8, 2> x) {
  auto bytes = x.load(tile<2>, 0);
  b.print("{} {} {}", unpack<f4e2m1>(bytes), unpack<i4>(bytes), unpack<u4>(bytes));
  z.store(bytes);
});

TEST_P(HalfByte, IsPrinted) {
  if (compiler::is_gpu(GetParam().where)) GTEST_SKIP() << "the driver prints to stdout";
  std::string printed;
  set_print_sink([&](const std::string& line) { printed = line; });
  const host_array x(dtype::u8, {2}, std::vector<int>{0xf1, 0x82}), z(dtype::u8, {2});
  run_module(shown.module(), GetParam(), {piece(z, {2}), x.argument()});
  set_print_sink({});
  EXPECT_NE(printed.find("[0.5, -6, 1, -0] [1, -1, 2, -8] [1, 15, 2, 8]"), std::string::npos) << printed;
}

TILEWRIGHT_ON_EVERY_BACK_END(HalfByte);

}  // namespace
}  // namespace tilewright::test
