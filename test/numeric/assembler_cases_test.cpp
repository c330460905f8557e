// SPDX-License-Identifier: Apache-2.0
// Programs that NVIDIA's assembler (13.4.92) made wrong code of, or none, when they were written plainly: random ones,
// made small (docs/gpu.md). On every back end they give the interpreter's bits and touch nothing else.
#include "numeric/back_end_test.hpp"
#include "support/fuzz/comparison.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using compiler::program;

tensor_form dense_form(const std::vector<index_t>& extents, std::uint32_t seed) {
  tensor_form made;
  made.data_seed = seed;
  std::copy(extents.begin(), extents.end(), made.extents.begin());
  make_dense(made, static_cast<int>(extents.size()));
  return made;
}

class AssemblerCases : public BackEndTest {
 protected:
  // With all facts of a launch, as only then the assembler knows of alignment.
  static void expect_the_interpreters(const program& source, const std::vector<tensor_form>& tensors,
                                      std::vector<index_t> grid = {1, 1}) {
    fuzz_case tested;
    tested.source = source;
    tested.launch = {.grid = std::move(grid), .tensors = tensors};
    tested.has_facts = true;
    const compiler::target where = GetParam().where;
    if (compiler::is_gpu(where)) {
      if (baked_target()) GTEST_SKIP() << "compare_on wants values";
      expect_same(compare_on(test_gpu(), tested));
    } else {
      expect_same(compare(tested, run_on_host(where)));
    }
  }

 private:
  static void expect_same(const outcome& found) { EXPECT_EQ(found.what, outcome::kind::same) << found.reason; }
};

// A load that is moved below the reshape reads vectors across the ends of rows.
TEST_P(AssemblerCases, RowsThatAReshapeJoinsAreReadAsTheyLie) {
  program_builder p(1);
  const int x = p.in(dtype::i8, 3), z = p.out(dtype::i8, {2});
  const value_id pad = p.constant(type_of(dtype::i8), 0), zero = p.index(0);
  const value_id rows = p.load_padded(x, type_of(dtype::i8, {4, 1, 16}), {zero, zero, zero}, pad);
  const value_id joined = p.value(op::reshape, type_of(dtype::i8, {64}), {rows});
  p.store(z, p.value(op::extract, type_of(dtype::i8, {2}), {joined}, {12, 0, 0, 0, 0, 0}));
  expect_the_interpreters(p.result(), {dense_form({4, 1, 16}, 7), dense_form({2}, 8)}, {1});
}

// ... and under the mask of their first element.
TEST_P(AssemblerCases, ColumnsOutsideStayZeroWhenAReshapeJoinsThem) {
  program_builder p(2);
  const int x = p.in(dtype::i32, 2), z = p.out(dtype::f32, {1});
  const value_id zero = p.index(0);
  const value_id rows = p.load(x, type_of(dtype::i32, {2, 16}), {zero, zero});
  const value_id columns = p.value(op::permute, type_of(dtype::i32, {16, 2}), {rows}, {1});
  const value_id numbers = p.value(op::cast, type_of(dtype::f32, {16, 2}), {columns});
  const value_id joined = p.value(op::reshape, type_of(dtype::f32, {32}), {numbers});
  p.store(z, p.value(op::extract, type_of(dtype::f32, {1}), {joined}, {17, 0, 0, 0, 0, 0}));
  expect_the_interpreters(p.result(), {dense_form({1, 16}, 7), dense_form({1}, 8)});
}

TEST_P(AssemblerCases, ABranchGivesRowsThatWereJoinedAndRepeated) {
  program_builder p(2);
  const int x = p.in(dtype::bf16, 4), y = p.in(dtype::u8, 2), z = p.out(dtype::bf16, {2, 2, 16, 8});
  const value_type whole = type_of(dtype::bf16, {2, 2, 16, 8});
  const value_id zero = p.index(0), pad = p.constant(type_of(dtype::u8), 0);
  const value_id wide = p.load(x, whole, {zero, zero, zero, zero});
  const value_id small = p.load_padded(y, type_of(dtype::u8, {4, 4}), {zero, zero}, pad);
  const value_id yes = p.constant(type_of(dtype::boolean), 1);
  const auto chosen = p.branch(
      yes,
      [&] {
        const value_id numbers = p.value(op::cast, type_of(dtype::bf16, {4, 4}), {small});
        const value_id row = p.value(op::reshape, type_of(dtype::bf16, {1, 16}), {numbers});
        const value_id rows = p.value(op::broadcast, type_of(dtype::bf16, {32, 16}), {row});
        return std::vector{p.value(op::reshape, whole, {rows})};
      },
      [&] { return std::vector{wide}; });
  p.store(z, chosen[0]);
  expect_the_interpreters(p.result(),
                          {dense_form({1, 1, 1, 1}, 5), dense_form({1, 4}, 6), dense_form({2, 2, 16, 8}, 7)});
}

// A load beside rows that were joined gets their layout: a thread holds every second element, and reads neighbours.
TEST_P(AssemblerCases, APieceBesideRowsThatWereJoinedIsReadAsItLies) {
  program_builder p(2);
  const int x = p.in(dtype::i32, 1), z = p.in_out(dtype::i32, {2, 4});
  const value_id pair = p.load(x, type_of(dtype::i32, {2}), {p.index(0)});
  const value_id row = p.value(op::reshape, type_of(dtype::i32, {1, 2}), {pair});
  const value_id rows = p.value(op::broadcast, type_of(dtype::i32, {4, 2}), {row});
  const value_id joined = p.value(op::reshape, type_of(dtype::i32, {8}), {rows});
  const value_id cut = p.value(op::reshape, type_of(dtype::i32, {2, 4}), {joined});
  const value_id before = p.value(op::load_piece, type_of(dtype::i32, {2, 4}), {}, {z});
  p.store(z, p.value(op::add, type_of(dtype::i32, {2, 4}), {cut, before}));
  expect_the_interpreters(p.result(), {dense_form({2}, 5), dense_form({4, 12}, 6)}, {2, 3});
}

// TMA writes whole groups of 16 bytes, along the axis with steps of one.
TEST_P(AssemblerCases, ColumnsOfAnOutputThatEndInsideAGroupKeepWhatFollows) {
  program_builder p(2);
  const int z = p.out(dtype::i32, {4, 8});
  p.store(z, p.constant(type_of(dtype::i32, {4, 8}), 3));
  tensor_form columns = dense_form({10, 24}, 5);
  columns.strides = {1, 16};
  columns.count = 23 * 16 + 10;
  expect_the_interpreters(p.result(), {columns}, {3, 3});
}

TEST_P(AssemblerCases, APieceIsReadAsItWasStored) {
  program_builder p(1);
  const int x = p.in(dtype::i16, 1), z = p.in_out(dtype::i16, {16}), again = p.out(dtype::i16, {16});
  p.store(z, p.load(x, type_of(dtype::i16, {16})));
  p.store(again, p.value(op::load_piece, type_of(dtype::i16, {16}), {}, {z}));
  expect_the_interpreters(p.result(), {dense_form({9}, 5), dense_form({9}, 6), dense_form({16}, 7)}, {1});
}

TEST_P(AssemblerCases, TheAngleOfTheOriginIsKnownBeforeTheKernelRuns) {
  for (const double x : {0.0, -0.0}) {
    for (const dtype element : {dtype::f16, dtype::f32, dtype::f64}) {
      program_builder p(1);
      const int z = p.out(element, {4});
      const value_id one = p.value(op::extent, type_of(dtype::index), {}, {z, 0});
      const value_id y =
          p.value(op::cast, type_of(element), {p.value(op::greater, type_of(dtype::boolean), {one, one})});
      const value_id angle = p.value(op::atan2, type_of(element), {y, p.constant(type_of(element), x)});
      p.store(z, p.value(op::broadcast, type_of(element, {4}), {angle}));
      expect_the_interpreters(p.result(), {dense_form({4}, 5)}, {1});
    }
  }
}

TEST_P(AssemblerCases, RoundsOfAWhileTradePlaces) {
  program_builder p(1);
  const value_type tile = type_of(dtype::f32, {64});
  const int x = p.in(dtype::f32, 1), y = p.in(dtype::f32, 1), z = p.out(dtype::f32, {64});
  const value_id zero = p.index(0), one = p.index(1), rounds = p.index(5);
  const value_id start = p.load(x, tile, {zero}), other = p.load(y, tile, {zero});
  const auto last = p.while_loop(
      {zero, start, other},
      [&](const std::vector<value_id>& now) {
        return p.value(op::less, type_of(dtype::boolean), {now[0], rounds});
      },
      [&](const std::vector<value_id>& now) {
        const auto halved = p.loop(zero, p.index(3), one, {now[1]}, [&](value_id, const std::vector<value_id>& inner) {
          return std::vector{p.like(op::multiply, {inner[0], p.constant(tile, 0.5)})};
        });
        return std::vector{p.like(op::add, {now[0], one}), now[2], halved[0]};
      });
  p.store(z, p.like(op::maximum, {last[1], last[2]}));
  expect_the_interpreters(p.result(), {dense_form({64}, 5), dense_form({64}, 6), dense_form({64}, 7)}, {1});
}

// A square tile was transposed once too often or too seldom.
TEST_P(AssemblerCases, RoundsOfALoopTransposeASquare) {
  for (const index_t rounds : {0, 1, 2, 3, 4}) {
    for (const std::int32_t side : {2, 4, 32}) {
      program_builder p(1);
      const value_type tile = type_of(dtype::bf16, {side, side});
      const int x = p.in(dtype::bf16, 2), z = p.out(dtype::bf16, {side, side});
      const value_id zero = p.index(0);
      const auto last = p.loop(zero, p.index(rounds), p.index(1), {p.load(x, tile, {zero, zero})},
                               [&](value_id, const std::vector<value_id>& now) {
                                 return std::vector{p.value(op::permute, tile, {now[0]}, {1})};
                               });
      p.store(z, last[0]);
      expect_the_interpreters(p.result(), {dense_form({side, side}, 5), dense_form({side, side}, 6)}, {1});
    }
  }
}

TEST_P(AssemblerCases, RoundsOfALoopTradePlaces) {
  program_builder p(2);
  const value_type tile = type_of(dtype::i32, {4, 8});
  const int x = p.in(dtype::i32, 2), y = p.in(dtype::i32, 2), z = p.out(dtype::i32, {4, 8});
  const value_id zero = p.index(0);
  const auto last = p.loop(zero, p.index(3), p.index(1), {p.load(x, tile, {zero, zero}), p.load(y, tile, {zero, zero})},
                           [&](value_id, const std::vector<value_id>& now) {
                             return std::vector{now[1], p.like(op::add, {now[0], now[0]})};
                           });
  p.store(z, p.like(op::subtract, {last[0], last[1]}));
  expect_the_interpreters(p.result(), {dense_form({4, 8}, 5), dense_form({4, 8}, 6), dense_form({4, 8}, 7)});
}

TEST_P(AssemblerCases, TheBitsOfAnF16AreTrueAsABf16) {
  program_builder p(2);
  const int x = p.in(dtype::i8, 1), z = p.out(dtype::boolean, {1, 1});
  const value_id read = p.load(x, type_of(dtype::i8, {1}), {p.index(0)});
  const value_id number = p.value(op::cast, type_of(dtype::f16, {1}), {read});
  const value_id square = p.value(op::reshape, type_of(dtype::f16, {1, 1}), {number});
  const value_id bits = p.value(op::bitcast, type_of(dtype::bf16, {1, 1}), {square});
  p.store(z, p.value(op::cast, type_of(dtype::boolean, {1, 1}), {bits}));
  expect_the_interpreters(p.result(), {dense_form({1}, 5), dense_form({1, 1}, 6)});
}

TILEWRIGHT_ON_EVERY_BACK_END(AssemblerCases);

}  // namespace
}  // namespace tilewright::test
