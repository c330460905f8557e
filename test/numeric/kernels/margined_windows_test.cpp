// SPDX-License-Identifier: Apache-2.0
// Windows that begin in front of their tensor, on every back end, against a loop: what is outside on either side is the
// pad, nothing there is read, and the kernel checks no index.
#include "numeric/kernels/kernel_test.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim BN{"BN"}, STRIDE{"STRIDE"}, MARGIN{"MARGIN"};

// Window i is row i of z.
template <class T, int Tile, int Stride, int Margin>
constexpr auto margined = kernel<"margined">([](Block b, Out<T, 1, Tile> z, In<T, dyn> x) {
  auto seen = x.windows(tile<Tile>, stride<Stride>, margin<Margin>);
  z.store(reshape(seen.load(b.pid(0), pad(7)), tile<1, Tile>));
});
constexpr auto by_dims = kernel<"by_dims">([](Block b, Out<f32, 1, BN> z, In<f32, dyn> x) {
  auto seen = x.windows(tile<BN>, stride<STRIDE>, margin<MARGIN>);
  z.store(reshape(seen.load(b.pid(0), pad(7)), tile<1, BN>));
});
// On three axes, the first without a margin; window (a, b, c) is z(a, b, c).
constexpr auto of_axes = kernel<"of_axes">([](Block b, Out<i32, 1, 1, 1, 2, 4> z, In<i32, dyn, dyn, dyn> x) {
  auto seen = x.windows(tile<1, 2, 4>, stride<1, 1, 4>, margin<0, 1, 3>);
  z.store(reshape(seen.load(b.pid(0), b.pid(1), b.pid(2), pad(-1)), tile<1, 1, 1, 2, 4>));
});
// Windows that data chooses: none is refused.
constexpr auto chosen = kernel<"chosen">([](Block b, Out<f32, 1, 4> z, In<f32, dyn> x, In<i64, dyn> ids) {
  auto id = to_index(reshape(ids.load(tile<1>, b.pid(0)), tile<>));
  z.store(reshape(x.windows(tile<4>, stride<2>, margin<1>).load(id, pad(7)), tile<1, 4>));
});

class MarginedWindows : public KernelTest {
 protected:
  static constexpr index_t windows = 9;  // some of them wholly behind the tensor

  template <class T>
  static std::vector<T> numbered(index_t count) {
    std::vector<T> made;
    for (index_t i = 0; i < count; ++i) made.push_back(from_f64<T>(static_cast<double>(i + 10)));
    return made;
  }
  template <class T>
  static void expect_windows(const std::vector<T>& got, const std::vector<T>& x, index_t extent, index_t stride,
                             index_t margin) {
    for (std::size_t n = 0; n < got.size(); ++n) {
      const auto lane = static_cast<index_t>(n);
      const index_t at = lane / extent * stride - margin + lane % extent;
      const bool is_inside = at >= 0 && at < static_cast<index_t>(x.size());
      ASSERT_EQ(to_f64(got[n]), is_inside ? to_f64(x[static_cast<std::size_t>(at)]) : 7) << n;
    }
  }
  template <class T, int Tile, int Stride, int Margin>
  static void check() {
    for (const index_t length : {0, 1, 6, 21}) {
      SCOPED_TRACE(testing::Message() << Tile << " by " << Stride << " from -" << Margin << " of " << length);
      const std::vector<T> x = numbered<T>(length);
      const auto z = output(margined<T, Tile, Stride, Margin>.with(deny_residual)(
          poisoned<T>({windows, Tile}).partition({1, Tile}), upload(x)));
      expect_windows(z, x, Tile, Stride, Margin);
    }
  }
};
TILEWRIGHT_ON_EACH_BACK_END(MarginedWindows);

TEST_P(MarginedWindows, HaveThePadOnBothSides) {
  check<f32, 4, 1, 2>();
  check<f32, 3, 2, 3>();
  check<i64, 8, 3, 20>();
  check<f16, 4, 4, 0>();
  check<f8e4m3, 2, 5, 1>();
  check<u8, 1, 1, 1>();
}

TEST_P(MarginedWindows, TakeTheirStrideAndMarginFromDims) {
  const std::vector<f32> x = numbered<f32>(11);
  const auto z = output(
      by_dims.with(STRIDE = 2, MARGIN = 3, deny_residual)(poisoned<f32>({windows, 4}).partition({1, 4}), upload(x)));
  expect_windows(z, x, 4, 2, 3);
}

TEST_P(MarginedWindows, HaveAMarginOnEachAxis) {
  constexpr index_t depth = 2, rows = 3, columns = 9, down = 5, right = 4;
  const std::vector<i32> x = numbered<i32>(depth * rows * columns);
  const auto z = output(of_axes.with(deny_residual)(
      poisoned<i32>({depth, down, right, 2, 4}).partition({1, 1, 1, 2, 4}), upload(x, {depth, rows, columns})));
  for (std::size_t n = 0; n < z.size(); ++n) {
    const auto lane = static_cast<index_t>(n);
    const index_t plane = lane / (down * right * 8), row = lane / (right * 8) % down - 1 + lane / 4 % 2;
    const index_t column = lane / 8 % right * 4 - 3 + lane % 4;
    const bool is_inside = row >= 0 && row < rows && column >= 0 && column < columns;
    const index_t at = (plane * rows + row) * columns + column;
    ASSERT_EQ(z[n], is_inside ? x[static_cast<std::size_t>(at)] : -1) << n;
  }
}

TEST_P(MarginedWindows, OfAnyIndexAreRead) {
  const auto far = std::numeric_limits<i64>::max();
  const std::vector<i64> ids = {0, -1, 2, -1000, 1000, far, -far - 1, far / 2};
  const auto z = output(
      chosen.with(deny_residual)(poisoned<f32>({8, 4}).partition({1, 4}), upload(numbered<f32>(5)), upload(ids)));
  EXPECT_EQ(std::vector<f32>(z.begin(), z.begin() + 12), (std::vector<f32>{7, 10, 11, 12, 7, 7, 7, 10, 13, 14, 7, 7}));
  EXPECT_EQ(std::vector<f32>(z.begin() + 12, z.begin() + 20), std::vector<f32>(8, 7.0f));
}

}  // namespace
}  // namespace tilewright::test
