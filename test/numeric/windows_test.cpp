// SPDX-License-Identifier: Apache-2.0
// Loads of windows against loops, on every back end: strides under, of and over the tile, tensors of any length and
// layout, pads, and indices that are outside.
#include "numeric/checked_run_test.hpp"

namespace tilewright::test {
namespace {

using ast::dynamic_extent;
using compiler::fault_status;

class Windows : public CheckedRunTest {};

host_array numbered(dtype element, const std::vector<index_t>& shape) {
  host_array made(element, shape);
  for (index_t i = 0; i < made.size(); ++i) made.set(i, element == dtype::boolean ? 1 : i % 120 + 1);
  return made;
}

index_t ceil_div(index_t a, index_t b) { return (a + b - 1) / b; }

struct window_case {
  std::int32_t tile, stride;
};
constexpr window_case window_cases[] = {{1, 1}, {4, 1}, {8, 3}, {8, 8},  {3, 1},
                                        {3, 2}, {4, 7}, {1, 5}, {5, 64}, {16, 2}};

// Row i of z is window i of x, of which there are as many as begin inside.
TEST_P(Windows, BeginAtMultiplesOfTheirStride) {
  for (const dtype element : {dtype::f32, dtype::f16, dtype::i64, dtype::boolean}) {
    for (const auto& [tile, stride] : window_cases) {
      for (const index_t length : {0, 1, 2, 7, 16, 33}) {
        SCOPED_TRACE(testing::Message() << info(element).name << " " << tile << " by " << stride << " of " << length);
        module_builder m("windows");
        const auto z = m.out(element, {1, tile});
        const auto x = m.in(element, {dynamic_extent});
        m.store(z, m.reshape(m.load_window(x, {tile}, {stride}, {m.block_id(0)}), {1, tile}));
        const index_t windows = ceil_div(length, stride);
        const host_array from = numbered(element, {length}), out(element, {windows, tile});
        launch(m, {output(out, {1, tile}), from.argument()});
        EXPECT_TRUE(made_.residual_checks.empty());
        for (index_t n = 0; n < out.size(); ++n) {
          const index_t at = n / tile * stride + n % tile;
          EXPECT_EQ(out.bits(n), at < length ? from.bits(at) : 0) << n;
        }
      }
    }
  }
}

// Both axes, of views that lie in any way; each element under its tile is that of the tensor, or the pad.
TEST_P(Windows, OfTwoAxesTakeAPad) {
  const host_array base = numbered(dtype::i32, {9, 14});
  const host_array views[] = {base, base.view({14, 9}, {1, 14}, 0), base.view({9, 7}, {14, 2}, 1),
                              base.view({5, 1}, {14, 1}, 3), base.view({3, 14}, {-28, 1}, 112)};
  for (const auto& [tile, stride] : window_cases) {
    for (const host_array& from : views) {
      const index_t rows = from.extents()[0], columns = from.extents()[1];
      SCOPED_TRACE(testing::Message() << tile << " by " << stride << " of " << rows << " x " << columns);
      module_builder m("windows");
      const auto z = m.out(dtype::i32, {2, 1, 1, tile});
      const auto x = m.in(dtype::i32, {dynamic_extent, dynamic_extent});
      const auto part = m.load_window_padded(x, {2, tile}, {3, stride}, {m.block_id(1), m.block_id(2)}, -5);
      m.store(z, m.reshape(part, {2, 1, 1, tile}));
      const index_t down = ceil_div(rows, 3), right = ceil_div(columns, stride);
      const host_array out(dtype::i32, {2, down, right, tile});
      launch(m, {output(out, {2, 1, 1, tile}), from.argument()});
      for (index_t n = 0; n < out.size(); ++n) {
        const index_t row = n / tile / right % down * 3 + n / tile / right / down;
        const index_t column = n / tile % right * stride + n % tile;
        const bool is_inside = row < rows && column < columns;
        EXPECT_EQ(out.get<i32>(n), is_inside ? from.get<i32>(row * columns + column) : -5) << n;
      }
    }
  }
}

// Windows of one tensor beside its tiles: what one of them says of the extent must not speak for the others.
TEST_P(Windows, GoWithTilesOfTheSameTensor) {
  for (const index_t length : {8, 12, 24}) {
    module_builder m("both");
    const auto z = m.out(dtype::f32, {4});
    const auto x = m.in(dtype::f32, {dynamic_extent});
    const auto whole = m.load(x, {4}, {m.block_id(0)}), far = m.load_window(x, {4}, {4}, {m.block_id(0)});
    const auto step = m.binary(ast::op::multiply, m.block_id(0), m.index(4));
    const auto shifted = m.load_window(x, {4}, {1}, {step}), odd = m.load_window(x, {4}, {6}, {m.index(1)});
    m.store(z, m.binary(ast::op::add, m.binary(ast::op::add, whole, shifted), m.binary(ast::op::subtract, odd, far)));
    const host_array from = numbered(dtype::f32, {length}), out(dtype::f32, {length});
    launch(m, {output(out, {4}), from.argument()});
    for (index_t n = 0; n < length; ++n) {
      const double second = 6 + n % 4 < length ? from.get<float>(6 + n % 4) : 0;
      EXPECT_EQ(out.get<float>(n), from.get<float>(n) + second) << n;
    }
  }
}

// Data gives the index: the first one outside is named with the number of windows, and its window is zeros
// (on a GPU the nearest one, ADR 19).
TEST_P(Windows, AnIndexOutsideIsNamed) {
  for (const std::int64_t bad : {5, -1, 1000}) {
    module_builder m("chosen");
    const auto z = m.out(dtype::i32, {4});
    const auto x = m.in(dtype::i32, {dynamic_extent});
    const auto ids = m.in(dtype::i64, {dynamic_extent});
    const auto id = m.cast(dtype::index, m.reshape(m.load(ids, {1}, {m.block_id(0)}), {}));
    m.store(z, m.load_window(x, {4}, {2}, {id}));
    const host_array from = numbered(dtype::i32, {9}), list(dtype::i64, {3}, std::vector<i64>{4, bad, 0}),
                     out(dtype::i32, {12});
    launch(m, {output(out, {4}), from.argument(), list.argument()});
    if (!compiler::is_gpu(GetParam().where)) {
      EXPECT_EQ(out.values<i32>(), (std::vector<i32>{9, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}));
    }
    ASSERT_EQ(status_.state, fault_status::written);
    const std::string told = compiler::fault_of(made_, status_).what();
    EXPECT_NE(told.find("a window index of parameter 1 (In) on axis 0 stays within the windows"), std::string::npos);
    EXPECT_NE(told.find("got: " + std::to_string(bad)), std::string::npos) << told;
    EXPECT_NE(told.find("0 to 4"), std::string::npos) << told;
  }
}

// A loop over all windows, each of which the launch proves; sums of what slides past the end count its pad.
TEST_P(Windows, SlidingSumsMeetEachElement) {
  for (const index_t length : {1, 5, 40}) {
    module_builder m("sliding");
    const auto z = m.out(dtype::f32, {1});
    const auto x = m.in(dtype::f32, {dynamic_extent});
    const auto total = m.constant(dtype::f32, {1}, 0);
    const auto i = m.for_begin(m.tiles(x, 0, 2));
    const auto window = m.load_window_padded(x, {6}, {2}, {i}, 0);
    m.assign(total, m.binary(ast::op::add, total, m.reduce(ast::op::reduce_sum, window, 0)));
    m.for_end();
    m.store(z, total);
    const host_array from = numbered(dtype::f32, {length}), out(dtype::f32, {1});
    launch(m, {output(out, {1}), from.argument()});
    EXPECT_TRUE(made_.residual_checks.empty());
    double expected = 0;
    for (index_t at = 0; at < length; ++at) {
      expected += from.get<float>(at) * static_cast<double>(std::min<index_t>(at / 2, 2) + 1);
    }
    EXPECT_EQ(out.get<float>(0), expected);
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(Windows);

}  // namespace
}  // namespace tilewright::test
