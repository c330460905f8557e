// SPDX-License-Identifier: Apache-2.0
// Kernels whose extents are expressions over Dims, on every back end: tiles joined, split and merged, counts of loops,
// at extents of 1, odd ones and pieces that reach past the tensor. Elements are moved, so the results are exact.
#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

constexpr Dim BM{"BM"}, BN{"BN"};

using DimArithmetic = BackEndTest;

compiler::argument in_pieces(const host_array& z, const std::vector<index_t>& piece) {
  compiler::argument made = z.argument();
  for (std::size_t axis = 0; axis < piece.size(); ++axis) made.piece[axis] = piece[axis];
  return made;
}

// Elements first, first + 1, ...
host_array counted(const std::vector<index_t>& extents, int first) {
  host_array made(dtype::i32, extents);
  for (index_t i = 0; i < made.size(); ++i) made.set(i, first + static_cast<int>(i));
  return made;
}

constexpr auto joined = kernel<"joined">([](Block b, Out<i32, 2 * BM, BN> z, In<i32, dyn, dyn> x, In<i32, dyn, dyn> y) {
  z.store(cat<0>(x.load(tile<BM, BN>, b.pid(0), b.pid(1)), y.load(tile<BM, BN>, b.pid(0), b.pid(1))));
});

TEST_P(DimArithmetic, JoinsPiecesOfTwoTensors) {
  for (const index_t bm : {1, 3, 4}) {
    for (const index_t bn : {1, 5, 8}) {
      for (const index_t missing : {0, 1}) {
        SCOPED_TRACE(testing::PrintToString(std::vector<index_t>{bm, bn, missing}));
        const host_array x = counted({3 * bm, 2 * bn}, 0), y = counted({3 * bm, 2 * bn}, 1000);
        const host_array z(dtype::i32, {6 * bm - missing, 2 * bn - missing});
        run_module(joined.module(), GetParam(), {in_pieces(z, {2 * bm, bn}), x.argument(), y.argument()}, {{"BM", bm}});
        for (index_t i = 0; i < z.size(); ++i) {
          const index_t row = i / z.extents()[1], column = i % z.extents()[1], in_piece = row % (2 * bm);
          const index_t source = row / (2 * bm) * bm + in_piece % bm;
          const host_array& from = in_piece < bm ? x : y;
          ASSERT_EQ(z.get<int>(i), from.get<int>(source * 2 * bn + column)) << "element " << i;
        }
      }
    }
  }
}

constexpr auto rounds = kernel<"rounds">([](Block b, Out<i32, ceil_div(BN, 4), BM - 1> z) {
  auto count = b.zeros<i32>(tile<ceil_div(BN, 4), BM - 1>);
  for ([[maybe_unused]] auto k : b.range(b.size(tile<ceil_div(BN, 4)>))) count += 1;
  z.store(count + b.iota<i32>(tile<1, BM - 1>));
});

TEST_P(DimArithmetic, RoundsUpAndSubtracts) {
  for (const index_t bn : {1, 3, 4, 5, 8, 9}) {
    for (const index_t bm : {2, 3, 9}) {
      const index_t count = (bn + 3) / 4;
      const host_array z(dtype::i32, {count, bm - 1});
      run_module(rounds.module(), GetParam(), {in_pieces(z, {count, bm - 1})}, {{"BM", bm}, {"BN", bn}});
      for (index_t i = 0; i < z.size(); ++i) ASSERT_EQ(z.get<int>(i), count + i % (bm - 1)) << "element " << i;
    }
  }
}

constexpr auto flattened = kernel<"flattened">([](Out<i32, BM * BN> z, In<i32, BM, BN> x) {
  z.store(reshape(transpose(x.load(tile<BM, BN>, 0, 0)), tile<BM * BN>));
});
constexpr auto unflattened = kernel<"unflattened">([](Out<i32, BM, BN> z, In<i32, BN * BM> x) {
  z.store(transpose(reshape(x.load(tile<BM * BN>, 0), tile<BN, BM>)));
});

TEST_P(DimArithmetic, MakesOneAxisOfTwoAndBack) {
  for (const index_t bm : {1, 3, 8}) {
    for (const index_t bn : {1, 5, 16}) {
      const host_array x = counted({bm, bn}, 7), flat(dtype::i32, {bm * bn}), back(dtype::i32, {bm, bn});
      run_module(flattened.module(), GetParam(), {in_pieces(flat, {bm * bn}), x.argument()});
      for (index_t i = 0; i < flat.size(); ++i) ASSERT_EQ(flat.get<int>(i), x.get<int>(i % bm * bn + i / bm));
      run_module(unflattened.module(), GetParam(), {in_pieces(back, {bm, bn}), flat.argument()});
      for (index_t i = 0; i < x.size(); ++i) ASSERT_EQ(back.get<int>(i), x.get<int>(i));
    }
  }
}

// The left halves of all rows, then the right ones.
constexpr auto halves = kernel<"halves">([](Out<i32, 2 * BM, BN / 2> z, In<i32, BM, BN> x) {
  auto split = reshape(x.load(tile<BM, BN>, 0, 0), tile<BM, 2, BN / 2>);
  z.store(reshape(permute<1, 0, 2>(split), tile<2 * BM, BN / 2>));
});
constexpr auto whole = kernel<"whole">([](Out<i32, BM, BN> z, In<i32, 2 * BM, BN / 2> x) {
  auto part = x.load(tile<2 * BM, BN / 2>, 0, 0);
  z.store(cat<1>(extract<0, 0>(part, tile<BM, BN / 2>), extract<1, 0>(part, tile<BM, BN / 2>), tile<BM, BN>));
});

TEST_P(DimArithmetic, SplitsAxesAndMergesThem) {
  for (const index_t bm : {1, 3, 8}) {
    for (const index_t bn : {2, 6, 16}) {
      const host_array x = counted({bm, bn}, 3), split(dtype::i32, {2 * bm, bn / 2}), back(dtype::i32, {bm, bn});
      run_module(halves.module(), GetParam(), {in_pieces(split, {2 * bm, bn / 2}), x.argument()});
      for (index_t i = 0; i < split.size(); ++i) {
        const index_t row = i / (bn / 2), column = i % (bn / 2);
        ASSERT_EQ(split.get<int>(i), x.get<int>(row % bm * bn + row / bm * (bn / 2) + column)) << "element " << i;
      }
      run_module(whole.module(), GetParam(), {in_pieces(back, {bm, bn}), split.argument()});
      for (index_t i = 0; i < x.size(); ++i) ASSERT_EQ(back.get<int>(i), x.get<int>(i));
    }
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(DimArithmetic);

}  // namespace
}  // namespace tilewright::test
