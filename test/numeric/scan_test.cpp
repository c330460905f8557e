// SPDX-License-Identifier: Apache-2.0
// Running sums, products, greatest and least on every back end, from either end of every axis of odd and even shapes.
#include <algorithm>

#include "numeric/axis_lines.hpp"
#include "numeric/back_end_test.hpp"

namespace tilewright::test {
namespace {

using ast::op;

constexpr float infinity = HUGE_VALF;
const float nan = std::nanf("");

constexpr op scans[] = {op::scan_sum, op::scan_product, op::scan_max, op::scan_min};

struct scanned {
  op which;
  int axis;
  bool is_reverse;
  host_array result;
};

// Every scan of an array, from both ends of each axis, by one program.
std::vector<scanned> all_scans(const back_end& where, const host_array& a) {
  const value_type tile = tile_of(a);
  program_builder p(tile.rank);
  const value_id x = p.load(p.in(tile.element, tile.rank), tile, std::vector<value_id>(a.extents().size(), p.index(0)));
  const std::vector<std::int32_t> piece(tile.extents.begin(), tile.extents.begin() + tile.rank);
  std::vector<scanned> all;
  std::vector<compiler::argument> arguments = {a.argument()};
  for (const op which : scans) {
    for (int axis = 0; axis < tile.rank; ++axis) {
      for (const bool is_reverse : {false, true}) {
        p.store(p.out(tile.element, piece), p.value(which, tile, {x}, {axis, is_reverse ? 1 : 0}));
        all.push_back({which, axis, is_reverse, host_array(tile.element, a.extents())});
        arguments.push_back(all.back().result.argument());
      }
    }
  }
  run(p.result(), where, arguments, std::vector<index_t>(a.extents().size(), 1));
  return all;
}

// Whether `bits` are the elements of `so_far` combined in some order.
testing::AssertionResult is_scan(op which, const host_array& a, std::span<const index_t> so_far, std::uint64_t bits) {
  const auto less = [&](index_t x, index_t y) {
    return decode(a.element(), a.bits(x)) < decode(a.element(), a.bits(y));
  };
  if (which == op::scan_sum) return is_sum(a, so_far, bits);
  if (which == op::scan_product) return is_product(a, so_far, bits);
  const auto chosen = which == op::scan_max ? std::max_element(so_far.begin(), so_far.end(), less)
                                            : std::min_element(so_far.begin(), so_far.end(), less);
  return is_same(a.element(), bits, a.bits(*chosen));
}

class Scan : public BackEndTest {
 protected:
  // A row, as a line of a tile.
  static host_array of_row(op which, dtype element, const std::vector<float>& row, bool is_reverse) {
    const auto count = static_cast<std::int32_t>(row.size());
    return compute_tile(GetParam(), which, type_of(element, {count}), {host_array(element, {count}, row)},
                        {0, is_reverse ? 1 : 0});
  }
};

// Sums and products of floats within their bound, all else exact.
TEST_P(Scan, IsOfWhatStandsBeforeAlongEveryAxis) {
  const std::vector<std::vector<index_t>> some = {{1}, {37}, {1000}, {1, 37}, {33, 4}, {2, 3, 7}};
  for (const dtype element : numbers) {
    for (const auto& shape : some) {
      const host_array a = random_array(element, shape, 11);
      for (const scanned& each : all_scans(GetParam(), a)) {
        SCOPED_TRACE(testing::Message() << ast::info(each.which).name << " of " << info(element).name
                                        << testing::PrintToString(shape) << " axis " << each.axis
                                        << (each.is_reverse ? " reverse" : ""));
        for (std::vector<index_t> line : lines_of(a, each.axis)) {
          if (each.is_reverse) std::reverse(line.begin(), line.end());
          for (std::size_t k = 0; k < line.size(); ++k) {
            const auto so_far = std::span<const index_t>(line).first(k + 1);
            EXPECT_TRUE(is_scan(each.which, a, so_far, each.result.bits(line[k]))) << "element " << line[k];
          }
        }
      }
    }
  }
}

// ---- Stated cases --------------------------------------------------------------------------------------------------
struct stated_scan {
  op which;
  bool is_reverse;
  std::vector<float> values, results;
};
const stated_scan stated[] = {
    {op::scan_sum, false, {1, 2, 3, 4, 5}, {1, 3, 6, 10, 15}},
    {op::scan_sum, true, {1, 2, 3, 4, 5}, {15, 14, 12, 9, 5}},
    {op::scan_product, false, {1, 2, 3, 4, 5}, {1, 2, 6, 24, 120}},
    {op::scan_product, true, {1, 2, 3, 4, 5}, {120, 120, 60, 20, 5}},
    {op::scan_max, false, {3, 1, 4, 1, 5}, {3, 3, 4, 4, 5}},
    {op::scan_max, true, {3, 1, 4, 1, 0}, {4, 4, 4, 1, 0}},
    {op::scan_min, false, {3, 1, 4, 0, 5}, {3, 1, 1, 0, 0}},
    {op::scan_min, true, {3, 1, 4, 2, 5}, {1, 1, 2, 2, 5}},
    // A NaN counts from where it stands on.
    {op::scan_sum, false, {1, nan, 3}, {1, nan, nan}},
    {op::scan_sum, true, {1, nan, 3}, {nan, nan, 3}},
    {op::scan_product, false, {2, 3, nan}, {2, 6, nan}},
    {op::scan_max, false, {1, nan, 3}, {1, nan, nan}},
    {op::scan_max, true, {1, nan, 3}, {nan, nan, 3}},
    {op::scan_min, false, {1, nan, 3}, {1, nan, nan}},
    {op::scan_min, true, {nan, 1, 3}, {nan, 1, 3}},
    {op::scan_sum, false, {infinity, 1, -infinity}, {infinity, infinity, nan}},
    {op::scan_sum, true, {-infinity, 1, 2}, {-infinity, 3, 2}},
    {op::scan_product, false, {infinity, -2, 0}, {infinity, -infinity, nan}},
    {op::scan_max, false, {-infinity, -infinity, -5}, {-infinity, -infinity, -5}},
    {op::scan_max, true, {infinity, 1, -infinity}, {infinity, 1, -infinity}},
    {op::scan_min, false, {infinity, infinity, 5}, {infinity, infinity, 5}},
    // Signs of zero: the first element as it is, then as of the operation.
    {op::scan_sum, false, {-0.0F, -0.0F, 1}, {-0.0F, -0.0F, 1}},
    {op::scan_sum, true, {0.0F, -0.0F, -0.0F}, {0.0F, -0.0F, -0.0F}},
    {op::scan_product, false, {-0.0F, 2, -1}, {-0.0F, -0.0F, 0.0F}},
    {op::scan_max, false, {-0.0F, 0.0F, -0.0F}, {-0.0F, 0.0F, 0.0F}},
    {op::scan_max, true, {-0.0F, -0.0F, -0.0F}, {-0.0F, -0.0F, -0.0F}},
    {op::scan_min, false, {0.0F, -0.0F, 0.0F}, {0.0F, -0.0F, -0.0F}},
    {op::scan_min, true, {0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F}},
    {op::scan_max, false, {-5}, {-5}},
    {op::scan_min, true, {7}, {7}},
};

TEST_P(Scan, GivesWhatIsStated) {
  for (const dtype element : {dtype::f16, dtype::bf16, dtype::f32, dtype::f64}) {
    for (const stated_scan& row : stated) {
      SCOPED_TRACE(testing::Message() << ast::info(row.which).name << (row.is_reverse ? " reverse" : "") << " of "
                                      << info(element).name << testing::PrintToString(row.values));
      const host_array got = of_row(row.which, element, row.values, row.is_reverse);
      for (std::size_t i = 0; i < row.results.size(); ++i) {
        EXPECT_TRUE(is_same(element, got.bits(static_cast<index_t>(i)), encode(element, row.results[i])))
            << "element " << i;
      }
    }
  }
}

// In f32 and rounded once each: in f16 itself the sum of ones would stop at 2048.
TEST_P(Scan, OfNarrowFloatsDoesNotStall) {
  const host_array sums = of_row(op::scan_sum, dtype::f16, std::vector<float>(4096, 1), false);
  EXPECT_EQ(sums.get<double>(2048), 2048);  // 2049 lies between two
  EXPECT_EQ(sums.get<double>(4095), 4096);
  const host_array back = of_row(op::scan_sum, dtype::bf16, std::vector<float>(1024, 1), true);
  EXPECT_EQ(back.get<double>(0), 1024);
  EXPECT_EQ(back.get<double>(1023), 1);
}

// Rows of a tensor that is narrower than its tile: lanes past the edge are worth what the load says, from both ends.
TEST_P(Scan, PaddedLanesCountWithTheirValue) {
  const struct {
    op which;
    float pad;
  } rows[] = {{op::scan_sum, 0}, {op::scan_product, 1}, {op::scan_max, -infinity}, {op::scan_min, infinity}};
  for (const auto& row : rows) {
    for (const index_t extent : {0, 1, 3, 5, 7, 8}) {
      for (const std::int64_t reverse : {0, 1}) {
        SCOPED_TRACE(testing::Message() << ast::info(row.which).name << " of " << extent << " reverse " << reverse);
        program_builder p;
        const int x = p.in(dtype::f32, 1), z = p.out(dtype::f32, {8});
        const value_id lanes =
            p.load_padded(x, type_of(dtype::f32, {8}), {p.index(0)}, p.constant(type_of(dtype::f32), row.pad));
        p.store(z, p.value(row.which, type_of(dtype::f32, {8}), {lanes}, {0, reverse}));
        const host_array around(dtype::f32, {16}, std::vector<float>(16, nan)), result(dtype::f32, {8});
        host_array a = around.view({extent}, {1}, 4);
        for (index_t i = 0; i < extent; ++i) a.set(i, 2.0F);
        run_here(p.result(), {a.argument(), result.argument()}, {1});
        for (index_t i = 0; i < 8; ++i) {
          const index_t count = std::max<index_t>(0, reverse != 0 ? extent - i : std::min(extent, i + 1));
          const float sum = 2 * static_cast<float>(count), product = std::exp2(static_cast<float>(count));
          const float expected = row.which == op::scan_sum       ? sum
                                 : row.which == op::scan_product ? product
                                 : count > 0                     ? 2.0F
                                                                 : row.pad;
          EXPECT_EQ(result.get<float>(i), expected) << "element " << i;
        }
      }
    }
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(Scan);

}  // namespace
}  // namespace tilewright::test
