// SPDX-License-Identifier: Apache-2.0
// flip, roll and pad (lang/rearrange.hpp) on every back end: each element bit by bit where it belongs.
#include "numeric/axis_lines.hpp"
#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "numeric/special_values.hpp"
#include "support/arguments.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

template <class T, int Axis, Dim... E>
constexpr auto flipped = kernel<"flipped">([](Out<T, E...> z, In<T, E...> x) { z.store(flip<Axis>(load_like(x, z))); });
template <class T, int Axis, int Shift, Dim... E>
constexpr auto rolled = kernel<"rolled">([](Out<T, E...> z, In<T, E...> x) {
  z.store(roll<Axis, Shift>(load_like(x, z)));
});
template <class T, int Before, int After, int Rows, int Columns>
constexpr auto padded = kernel<"padded">([](Block b, Out<T, Before + Rows + After, Columns> z,
                                            Out<T, Rows, Before + Columns + After> y, In<T, Rows, Columns> x,
                                            Scalar<T> value) {
  auto v = x.load(tile<Rows, Columns>, b.pid(0), b.pid(1));
  z.store(pad<0, Before, After>(v, value));
  y.store(pad<1, Before, After>(v, 1));
});

// The special values again and again, in a fixed disorder.
host_array disordered(dtype element, const std::vector<index_t>& extents) {
  const auto values = special_values(element);
  host_array made(element, extents);
  std::mt19937 random(77);
  for (index_t i = 0; i < made.size(); ++i) made.set_bits(i, values[random() % values.size()]);
  return made;
}

// z holds element source(n) of the axis at n, x being the operand.
template <class Source>
void expect_from(const host_array& z, const host_array& x, int axis, Source source) {
  for (const auto& line : lines_of(x, axis)) {
    const auto count = static_cast<index_t>(line.size());
    for (index_t n = 0; n < count; ++n) {
      const auto from = static_cast<std::size_t>(((source(n, count) % count) + count) % count);
      ASSERT_EQ(z.bits(line[static_cast<std::size_t>(n)]), x.bits(line[from])) << "place " << n << " of " << count;
    }
  }
}

class Rearrange : public BackEndTest {
 protected:
  template <class T, int... E>
  host_array run_like(const ast::module_view& module, const host_array& x) {
    const host_array z(dtype_of<T>, {E...});
    std::vector<compiler::argument> arguments{z.argument(), x.argument()};
    arguments[0].piece = {E...};
    run_module(module, GetParam(), arguments);
    return z;
  }
  template <class T, int Axis, int... E>
  void expect_flipped() {
    SCOPED_TRACE(testing::Message() << "flip axis " << Axis << " of " << testing::PrintToString(std::vector{E...}));
    const host_array x = disordered(dtype_of<T>, {E...});
    const host_array z = run_like<T, E...>(flipped<T, Axis, E...>.module(), x);
    expect_from(z, x, Axis, [](index_t n, index_t count) { return count - 1 - n; });
  }
  template <class T, int Axis, int Shift, int... E>
  void expect_rolled() {
    SCOPED_TRACE(testing::Message() << "roll axis " << Axis << " by " << Shift << " of "
                                    << testing::PrintToString(std::vector{E...}));
    const host_array x = disordered(dtype_of<T>, {E...});
    const host_array z = run_like<T, E...>(rolled<T, Axis, Shift, E...>.module(), x);
    expect_from(z, x, Axis, [](index_t n, index_t) { return n - Shift; });
  }
  template <class T, int Extent, int... Shifts>
  void expect_rolls() {
    (expect_rolled<T, 0, Shifts, Extent>(), ...);
    (expect_rolled<T, 1, Shifts, 3, Extent>(), ...);
  }
  template <class T, int Before, int After, int Rows, int Columns>
  void expect_padded(std::uint64_t one) {
    SCOPED_TRACE(testing::Message() << info(dtype_of<T>).name << " pad " << Before << ", " << After);
    const host_array x = disordered(dtype_of<T>, {Rows, Columns});
    const host_array z(dtype_of<T>, {Before + Rows + After, Columns}), y(dtype_of<T>, {Rows, Before + Columns + After});
    std::vector<compiler::argument> arguments{z.argument(), y.argument(), x.argument(), scalar_bits(one)};
    arguments[0].piece = {Before + Rows + After, Columns};
    arguments[1].piece = {Rows, Before + Columns + After};
    run_module(padded<T, Before, After, Rows, Columns>.module(), GetParam(), arguments);
    const auto expected = [&](index_t row, index_t column) {
      const bool is_inside = row >= 0 && row < Rows && column >= 0 && column < Columns;
      return is_inside ? x.bits(row * Columns + column) : one;
    };
    for (index_t i = 0; i < z.size(); ++i) ASSERT_EQ(z.bits(i), expected(i / Columns - Before, i % Columns)) << i;
    constexpr index_t wide = Before + Columns + After;
    for (index_t i = 0; i < y.size(); ++i) ASSERT_EQ(y.bits(i), expected(i / wide, i % wide - Before)) << i;
  }
};

TEST_P(Rearrange, FlipsEachElementType) {
  const auto check = [&]<class... T>() { (expect_flipped<T, 1, 3, 8>(), ...); };
  check.template operator()<bool, i8, u16, i32, u64, f16, bf16, f32, f64>();
  check.template operator()<f8e4m3, f8e5m2>();
}

TEST_P(Rearrange, FlipsEachAxisAndExtent) {
  expect_flipped<f32, 0, 1>();
  expect_flipped<f32, 0, 2>();
  expect_flipped<f32, 0, 64>();
  expect_flipped<i32, 0, 8, 5>();
  expect_flipped<f16, 1, 2, 4, 3>();
  expect_flipped<u32, 3, 1, 2, 3, 8>();
  expect_flipped<u32, 0, 4, 2, 1, 2>();
  expect_flipped<f32, 2, 1, 2, 8, 3, 2>();
  expect_flipped<f32, 5, 1, 2, 1, 3, 2, 4>();
}

TEST_P(Rearrange, RollsByShiftsOfEitherSignAndAnySize) {
  expect_rolls<f32, 1, 0, 1, -1>();
  expect_rolls<i32, 2, 0, 1, -1, 2, 3>();
  expect_rolls<u8, 8, 0, 1, -1, 2, 3, 4, 5, 6, 7, 8, 13, -8, -11>();
  expect_rolls<bf16, 64, 0, 1, -1, 21, 32, 63, 64, 1000, -2147483647 - 1, 2147483647>();
}

TEST_P(Rearrange, RollsEachElementTypeAndAxis) {
  const auto check = [&]<class... T>() { (expect_rolled<T, 0, 3, 8, 2>(), ...); };
  check.template operator()<bool, i8, i16, u32, i64, f16, f32, f64, f8e4m3>();
  expect_rolled<f32, 2, 5, 3, 2, 8>();
  expect_rolled<f32, 1, -3, 2, 8, 3, 2>();
  expect_rolled<f32, 0, 3, 4, 1, 2, 3, 2>();
  expect_rolled<f64, 3, -1, 1, 2, 1, 8, 2, 3>();
}

TEST_P(Rearrange, PadsOnEachSide) {
  expect_padded<f32, 3, 5, 8, 8>(0x3f800000);
  expect_padded<f32, 0, 0, 2, 4>(0x3f800000);
  expect_padded<i32, 0, 4, 4, 4>(1);
  expect_padded<u8, 4, 0, 4, 4>(1);
  expect_padded<f64, 7, 24, 1, 1>(0x3ff0000000000000);
  expect_padded<f16, 1, 13, 2, 2>(0x3c00);
}

TILEWRIGHT_ON_EVERY_BACK_END(Rearrange);

}  // namespace
}  // namespace tilewright::test
