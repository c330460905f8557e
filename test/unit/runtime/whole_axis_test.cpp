// SPDX-License-Identifier: Apache-2.0
// Launches whose outputs have whole axes: which partitions they take, what is refused, how they come back.
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/graph.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "unit/runtime/runtime_kernels.hpp"

TILEWRIGHT_TEST_UNFOLLOWED_LOANS  // what is lent twice on purpose

namespace tilewright::test {
namespace {

inline constexpr Dim BM{"BM"}, BK{"BK"};

inline constexpr auto row_scan = kernel<"row_scan">([](Block b, Out<i32, BM, dyn> z, In<i32, dyn, dyn> x) {
  auto zt = z.partition(tile<BM, BK>);
  auto before = b.zeros<i32>(tile<BM, 1>);
  for (auto k : range(zt.tiles(1))) {
    auto v = x.load(tile<BM, BK>, b.pid(0), k, pad(0));
    zt.store(0, k, scan_sum<1>(v) + before);
    before += reduce_sum<1>(v);
  }
});
// The scan and its last column, which has one piece for each block too.
inline constexpr auto scan_and_sum =
    kernel<"scan_and_sum">([](Block b, Out<i32, BM, dyn> z, Out<i32, BM> sums, In<i32, dyn, dyn> x) {
      auto zt = z.partition(tile<BM, BK>);
      auto before = b.zeros<i32>(tile<BM, 1>);
      for (auto k : range(zt.tiles(1))) {
        auto v = x.load(tile<BM, BK>, b.pid(0), k, pad(0));
        zt.store(0, k, scan_sum<1>(v) + before);
        before += reduce_sum<1>(v);
      }
      sums.store(reshape(before, tile<BM>));
    });
inline constexpr auto tiles_of_one_row =
    kernel<"tiles_of_one_row">([](Block b, Out<i32, BM, BK> z) { z.store(b.full<i32>(tile<BM, BK>, 1)); });

std::vector<i32> scanned(index_t rows, index_t columns) {
  std::vector<i32> all;
  for (index_t i = 0; i < rows * columns; ++i) {
    all.push_back(static_cast<i32>(i) + (i % columns == 0 ? 0 : all.back()));
  }
  return all;
}

constexpr bool is_rehearsed(Device device) {
  auto z = device.empty<i32>({4, 32});
  const auto x = device.zeros<i32>({4, 32}).share();
  row_scan.with(BK = 16)(z.partition({2, whole_axis}), x).sync();
  return z.shape() == Shape{4, 32};
}
static_assert(is_rehearsed(rehearsal_device()));

class WholeAxis : public testing::TestWithParam<bool> {
 protected:
  static Device host() { return GetParam() ? cpu_device() : interp_device(); }
  static Tensor<i32> empty(index_t rows, index_t columns) { return host().template empty<i32>({rows, columns}); }
  static Shared<i32> counted(index_t rows, index_t columns) {
    return host().template iota<i32>({rows, columns}).share();
  }
};
INSTANTIATE_TEST_SUITE_P(On, WholeAxis, testing::Bool(),
                         [](const auto& tested) { return std::string(tested.param ? "cpu" : "interp"); });

TEST_P(WholeAxis, IsOnePieceOfManyTiles) {
  for (const auto& [rows, columns] : {std::pair<index_t, index_t>{1, 1}, {5, 100}, {16, 16}, {3, 0}, {0, 7}, {2, 15}}) {
    auto z = empty(rows, columns);
    row_scan.with(BK = 16)(z.partition({2, whole_axis}), counted(rows, columns)).sync();
    EXPECT_EQ(z.to_host(), scanned(rows, columns)) << rows << " x " << columns;
  }
}

TEST_P(WholeAxis, ComesBackFromALaunchThatOwnsIt) {
  const auto x = counted(4, 20);
  auto [z, sums, read] =
      scan_and_sum.with(BK = 8)(empty(4, 20).partition({2, whole_axis}), host().empty<i32>({4}).partition({2}), x)
          .sync();
  EXPECT_EQ(z.to_host(), scanned(4, 20));
  EXPECT_EQ(sums.to_host(), (std::vector<i32>{190, 590, 990, 1390}));
  EXPECT_EQ(read.to_host(), x.to_host());
}

// A memo of launches and an image of other facts would give the same rows.
TEST_P(WholeAxis, MayHaveAnotherLengthEachTime) {
  for (const index_t columns : {64, 20, 64, 16, 1, 160}) {
    auto z = empty(2, columns);
    row_scan.with(BK = 16)(z.partition({1, whole_axis}), counted(2, columns)).sync();
    EXPECT_EQ(z.to_host(), scanned(2, columns)) << columns;
  }
}

TEST_P(WholeAxis, MayBeOfASlice) {
  auto z = host().full<i32>({6, 30}, -1);
  row_scan.with(BK = 4)(z.slice(1, 5, 21).partition({4, whole_axis}), counted(6, 16)).sync();
  const std::vector<i32> got = z.to_host(), expected = scanned(6, 16);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t row = i / 30, column = i % 30;
    EXPECT_EQ(got[i], column >= 5 && column < 21 ? expected[row * 16 + column - 5] : -1) << i;
  }
}

TEST_P(WholeAxis, IsReplayedInAGraph) {
  auto z = empty(3, 50);
  const auto x = counted(3, 50);
  Graph graph = capture(host(), [&] { row_scan.with(BK = 16)(z.partition({2, whole_axis}), x).sync(); });
  graph.sync();
  EXPECT_EQ(z.to_host(), scanned(3, 50));
}

TEST_P(WholeAxis, IsRefusedWhereItIsCut) {
  auto z = empty(4, 32);
  const auto cut = usage_of([&] { row_scan.with(BK = 16)(z.partition({2, 32}), counted(4, 32)).sync(); });
  EXPECT_EQ(cut.what, "a piece is cut on an axis that the kernel stores whole");
  EXPECT_EQ(cut.where, "kernel 'row_scan', parameter 0 (Out), axis 1");
  EXPECT_EQ(cut.expected, "whole_axis");
  EXPECT_EQ(cut.got, "32");
  EXPECT_EQ(cut.fix, "give whole_axis there: t.partition({64, whole_axis})");
  const auto missing = usage_of([&] { row_scan.with(BK = 16)(z.partition({2}), counted(4, 32)).sync(); });
  EXPECT_EQ(missing.what, "a partition does not fit its tensor");
}

TEST_P(WholeAxis, IsRefusedOfAPieceThatIsOneTile) {
  auto z = empty(4, 32);
  const auto whole = usage_of([&] { tiles_of_one_row(z.partition({2, whole_axis})).sync(); });
  EXPECT_EQ(whole.what, "a whole axis for a piece that the kernel stores as one tile");
  EXPECT_EQ(whole.where, "kernel 'tiles_of_one_row', parameter 0 (Out), axis 1");
  EXPECT_EQ(whole.expected, "the extent of a tile");
  EXPECT_EQ(whole.got, "whole_axis");
}

TEST_P(WholeAxis, HasOneBlockBesideOtherOutputs) {
  auto z = empty(4, 32);
  const auto other = usage_of([&] {
    auto more = host().empty<i32>({8});
    scan_and_sum.with(BK = 16)(z.partition({2, whole_axis}), more.partition({2}), counted(4, 32)).sync();
  });
  EXPECT_EQ(other.expected, "[2, 1] pieces as parameter 0 has");
}

TEST_P(WholeAxis, AsksEachLaunchThatWhatItReadsIsAsLong) {
  auto z = empty(4, 32);
  const auto shorter = usage_of([&] { row_scan.with(BK = 16)(z.partition({2, whole_axis}), counted(4, 16)).sync(); });
  EXPECT_NE(shorter.what.find("tile index of parameter 1 (In) on axis 1"), std::string::npos) << shorter.what;
}

TEST_P(WholeAxis, MayNotOverlapWhatIsRead) {
  auto z = host().iota<i32>({4, 32});
  const auto found = usage_of([&] { row_scan.with(BK = 16)(z.partition({2, whole_axis}), z.borrow()).sync(); });
  EXPECT_NE(found.what.find("overlap"), std::string::npos) << found.what;
}

}  // namespace
}  // namespace tilewright::test
