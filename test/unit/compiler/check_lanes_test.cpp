// SPDX-License-Identifier: Apache-2.0
// Rows and divisors of data on the bounds ladder, in tiles that are whole, padded, clamped or reach past their tensor.
#include <gtest/gtest.h>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "support/program_builder.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using ast::dynamic_extent;
using ast::op;
using test::dense;
using test::parameter_index;
using test::tile_value;
using builder = test::module_builder;

tile_value least(builder& m, tile_value a, tile_value b) { return m.binary(op::minimum, a, b); }
tile_value greatest(builder& m, tile_value a, tile_value b) { return m.binary(op::maximum, a, b); }

void build_embedding(builder& m, bool is_clamped, bool is_padded = false) {
  const auto z = m.out(dtype::f32, {4, 8});
  const auto table = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
  const auto ids = m.in(dtype::i32, {dynamic_extent, 1});
  const std::vector<tile_value> place = {m.block_id(0), m.index(0)};
  auto rows = m.cast(dtype::index, is_padded ? m.load_padded(ids, {4, 1}, place, 0) : m.load(ids, {4, 1}, place));
  if (is_clamped) {
    rows = greatest(m, rows, m.index(0));
    rows = least(m, rows, m.binary(op::subtract, m.extent(table, 0), m.index(1)));
  }
  m.store(z, m.gather_rows(table, {4, 8}, rows, m.block_id(1)));
}

TEST(CheckGather, ProvesClampedRows) {
  builder m("embedding");
  build_embedding(m, true);
  const std::vector<argument> arguments = {dense({6, 16}, {4, 8}), dense({100, 16}), dense({6, 1})};
  const bound_arguments bound = bind_arguments(m.view(), arguments, {}, {});
  program made = bind(m.view(), bound.special);
  check(made);
  EXPECT_NO_THROW(verify_launch(made, arguments, bound.grid));
  // An empty table has no row to clamp to.
  std::vector<argument> empty = arguments;
  empty[1].extents[0] = 0;
  program of_empty = bind(m.view(), bind_arguments(m.view(), empty, {}, {}).special);
  check(of_empty);
  EXPECT_THROW(verify_launch(of_empty, empty, bound.grid), usage_error);
}

program checked_embedding(builder& m, bool is_padded, index_t tokens) {
  build_embedding(m, false, is_padded);
  const std::vector<argument> arguments = {dense({tokens, 16}, {4, 8}), dense({100, 16}), dense({tokens, 1})};
  program made = bind(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
  check(made);
  return made;
}

// bind refuses the reduction already, of a kernel that somebody wrote.
TEST(CheckGather, RefusesRowsReducedAcrossTheEdge) {
  test::program_builder p(2);
  const int z = p.out(dtype::i64, {2, 1}), table = p.in(dtype::i64, 2), x = p.in(dtype::i64, 2);
  const value_id pairs = p.load(x, test::type_of(dtype::i64, {2, 2}));
  const value_id last = p.value(op::reduce_max, test::type_of(dtype::i64, {2, 1}), {pairs}, {1});
  const value_id rows = p.value(op::cast, test::type_of(dtype::index, {2, 1}), {last});
  p.store(z, p.value(op::gather_rows, test::type_of(dtype::i64, {2, 1}), {rows, p.index(0)}, {table}));
  program made = p.result();
  EXPECT_THROW(check(made), compile_error);
}

// Their lanes lie elsewhere than those that were loaded, as bind would refuse too.
TEST(CheckDivision, RefusesDivisorsMovedAcrossTheEdge) {
  const auto pair = test::type_of(dtype::i32, {2}), list = test::type_of(dtype::i32, {4});
  const auto square = test::type_of(dtype::i32, {2, 2}), pairs = test::type_of(dtype::i32, {8});
  struct moved {
    op how;
    value_type into;
    std::vector<std::int64_t> attributes;
  };
  for (const moved& tested : {moved{op::extract, pair, {1}}, moved{op::reshape, square, {}}, moved{op::cat, pairs, {0}},
                              moved{op::scan_sum, list, {0, 0}}}) {
    SCOPED_TRACE(ast::info(tested.how).name);
    std::vector<std::int32_t> piece;
    for (int axis = 0; axis < tested.into.rank; ++axis) piece.push_back(tested.into.extents[static_cast<size_t>(axis)]);
    test::program_builder p(1);
    const int z = p.out(dtype::i32, piece), x = p.in(dtype::i32, 1);
    std::vector<value_id> loaded = {p.load(x, list)};
    if (tested.how == op::cat) loaded.push_back(loaded[0]);
    const value_id divisor = p.value(tested.how, tested.into, loaded, tested.attributes);
    p.store(z, p.value(op::divide, tested.into, {p.constant(test::type_of(dtype::i32), 12), divisor}));
    program made = p.result();
    EXPECT_THROW(check(made), compile_error);
  }
}

TEST(CheckGather, LeavesRowsThatNothingBoundsToTheKernel) {
  builder whole("embedding"), padded("embedding");
  for (const program& made : {checked_embedding(whole, false, 8), checked_embedding(padded, true, 6)}) {
    ASSERT_EQ(made.residual_checks.size(), 1u);
    EXPECT_EQ(made.residual_checks[0].what, residual_check::kind::row_index);
    EXPECT_EQ(made.residual_checks[0].rule, "a row index of parameter 1 (In) on axis 0 stays within the rows");
  }
}

// Lanes past the end of ids hold no id, so that nobody could say what is wrong with them: the others are checked.
TEST(CheckGather, LeavesUnboundedRowsThatMayReachPastTheirTensorToTheKernel) {
  builder m("embedding");
  const program made = checked_embedding(m, false, 6);
  ASSERT_EQ(made.residual_checks.size(), 1u);
  EXPECT_EQ(made.residual_checks[0].what, residual_check::kind::row_index);
  EXPECT_EQ(made.residual_checks[0].reason, "it depends on data loaded from parameter 2");
}

// Nothing is done to rows that a bound, a pad or a whole tile makes good.
TEST(CheckGather, TellsRealLanesOnlyWhereItHasTo) {
  builder ragged("embedding"), padded("embedding"), whole("embedding"), clamped("embedding");
  EXPECT_NE(to_text(checked_embedding(ragged, false, 6)).find("iota"), std::string::npos);
  EXPECT_EQ(to_text(checked_embedding(padded, true, 6)).find("iota"), std::string::npos);
  EXPECT_EQ(to_text(checked_embedding(whole, false, 8)).find("iota"), std::string::npos);
  build_embedding(clamped, true);
  const std::vector<argument> arguments = {dense({6, 16}, {4, 8}), dense({100, 16}), dense({6, 1})};
  program made = bind(clamped.view(), bind_arguments(clamped.view(), arguments, {}, {}).special);
  check(made);
  EXPECT_EQ(to_text(made).find("iota"), std::string::npos);
}

program checked_division(builder& m, index_t extent, bool is_carried, bool is_padded) {
  const auto z = m.out(dtype::i32, {4});
  const auto d = m.in(dtype::i32, {dynamic_extent});
  const auto loaded = [&] {
    return is_padded ? m.load_padded(d, {4}, {m.block_id(0)}, 1) : m.load(d, {4}, {m.block_id(0)});
  };
  const auto divisor = m.copy(loaded());
  if (is_carried) {
    m.for_begin(m.tiles(d, 0, 4));
    m.assign(divisor, m.binary(op::add, divisor, loaded()));
    m.for_end();
  }
  m.store(z, m.binary(op::divide, m.constant(dtype::i32, {4}, 12), divisor));
  const std::vector<argument> arguments = {dense({extent}, {4}), dense({extent})};
  program made = bind(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
  check(made);
  return made;
}

TEST(CheckDivision, LeavesDivisorsThatMayReachPastTheirTensorToTheKernel) {
  for (const bool is_padded : {false, true}) {
    builder m("division");
    EXPECT_EQ(checked_division(m, 6, false, is_padded).residual_checks.size(), 1u);
  }
}

// Which lanes of a carried tile are real, no code after the loop can tell.
TEST(CheckDivision, RefusesCarriedDivisorsThatMayReachPastTheirTensor) {
  builder refused("refused"), padded("padded"), whole("whole");
  try {
    (void)checked_division(refused, 6, true, false);
    FAIL() << "nothing was thrown";
  } catch (const compile_error& e) {
    EXPECT_EQ(e.parts().what, "not proved: a divisor is not zero");
    EXPECT_EQ(e.parts().got, "a tile that may reach past its tensor, behind a loop, branch, select, |, cat or gather");
    EXPECT_NE(e.parts().fix.find("load(i, pad(0))"), std::string::npos) << e.what();
  }
  EXPECT_EQ(checked_division(padded, 6, true, true).residual_checks.size(), 1u);
  EXPECT_EQ(checked_division(whole, 8, true, false).residual_checks.size(), 1u);
}

// What the author chooses for a lane past one tensor counts, though its neighbour in the choice is nobody's.
TEST(CheckDivision, RefusesDivisorsThatAreChosenAmongLanesPastTheirTensor) {
  using chosen = tile_value (*)(builder&, tile_value loaded, parameter_index data);
  const chosen choices[] = {
      [](builder& m, tile_value loaded, parameter_index) {
        const auto is_first = m.compare(op::less, m.iota(dtype::index, {4}, 0), m.index(2));
        return m.select(is_first, loaded, m.constant(dtype::i32, {4}, 5));
      },
      [](builder& m, tile_value loaded, parameter_index) {
        return m.binary(op::bit_or, loaded, m.constant(dtype::i32, {4}, 4));
      },
      [](builder& m, tile_value loaded, parameter_index) {
        const auto two = m.reshape(loaded, {1, 4});
        return m.reshape(m.extract(m.cat(two, two, 0, {2, 4}), {1, 4}, {1, 0}), {4});
      },
      [](builder& m, tile_value loaded, parameter_index data) {
        const auto is_small = m.compare(op::less, loaded, m.constant(dtype::i32, {}, 2));
        return m.gather(data, {4}, {m.iota(dtype::i32, {4}, 0), is_small}, true);
      },
  };
  for (const chosen choice : choices) {
    for (const bool is_padded : {false, true}) {
      builder m("division");
      const auto z = m.out(dtype::i32, {4});
      const auto d = m.in(dtype::i32, {dynamic_extent});
      const std::vector<tile_value> place = {m.block_id(0)};
      const auto divisor = choice(m, is_padded ? m.load_padded(d, {4}, place, 1) : m.load(d, {4}, place), d);
      m.store(z, m.binary(op::divide, m.constant(dtype::i32, {4}, 12), divisor));
      const std::vector<argument> arguments = {dense({6}, {4}), dense({6})};
      program made = bind(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
      if (is_padded) {
        EXPECT_NO_THROW(check(made));
      } else {
        EXPECT_THROW(check(made), compile_error) << to_text(made);
      }
    }
  }
}

}  // namespace
}  // namespace tilewright::compiler
