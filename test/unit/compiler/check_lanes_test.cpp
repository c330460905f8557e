// SPDX-License-Identifier: Apache-2.0
// The bounds ladder for what is told lane by lane: elements that index tiles choose, and assertions.
#include <gtest/gtest.h>

#include <functional>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using ast::dynamic_extent;
using ast::op;
using test::dense;
using test::tile_value;
using builder = test::module_builder;

tile_value least(builder& m, tile_value a, tile_value b) { return m.binary(op::minimum, a, b); }
tile_value greatest(builder& m, tile_value a, tile_value b) { return m.binary(op::maximum, a, b); }

// ---- Elements by index tiles ----------------------------------------------------------------------------------------
// Block b takes 4 elements of x, which has as many as z unless it is shorter; `choose` gives the operands, the mask last.
struct chosen {
  builder m{"chosen"};
  test::parameter_index z = m.out(dtype::f32, {4}), x = m.in(dtype::f32, {dynamic_extent}),
                        ids = m.in(dtype::i32, {dynamic_extent});
  std::vector<argument> arguments = {dense({10}, {4}), dense({10}), dense({10})};
  bounds_report report;

  tile_value numbers() {
    return m.binary(op::add, m.iota(dtype::index, {4}, 0), m.binary(op::multiply, m.block_id(0), m.index(4)));
  }
  tile_value data(int pad = 0) { return m.load_padded(ids, {4}, {m.block_id(0)}, pad); }
  program checked(const std::vector<tile_value>& operands, bool is_masked = false) {
    m.store(z, m.gather(x, {4}, operands, is_masked));
    program made = bind(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
    check(made, &report);
    return made;
  }
  rung where() const { return report.entries.back().where; }
};

TEST(CheckElements, ProvesClampedIndicesAndCounts) {
  chosen clamped;
  const auto last = clamped.m.binary(op::subtract, clamped.m.extent(clamped.x, 0), clamped.m.index(1));
  const auto index = clamped.m.cast(dtype::index, clamped.data());
  clamped.checked({least(clamped.m, greatest(clamped.m, index, clamped.m.index(0)), last)});
  EXPECT_TRUE(clamped.where() != rung::in_place);
  EXPECT_EQ(clamped.report.entries.back().rule,
            "an element index of parameter 1 (In) on axis 0 stays within the extent");

  chosen masked;
  const auto number = masked.numbers();
  const program made = masked.checked({number, masked.m.compare(op::less, number, masked.m.extent(masked.x, 0))}, true);
  EXPECT_EQ(masked.where(), rung::proved);
  EXPECT_TRUE(made.residual_checks.empty());
}

TEST(CheckElements, ComparesCountsAtTheLaunch) {
  chosen counted;  // 12 lanes for 10 elements
  const program made = counted.checked({counted.numbers()});
  EXPECT_EQ(counted.where(), rung::launch);
  EXPECT_THROW(verify_launch(made, counted.arguments, {3}), usage_error);

  // What the mask says bounds the index by the extent of another tensor.
  for (const index_t elements : {10, 9}) {
    chosen masked;
    masked.arguments[1] = dense({elements});
    const auto number = masked.numbers();
    const program compared =
        masked.checked({number, masked.m.compare(op::less, number, masked.m.extent(masked.ids, 0))}, true);
    EXPECT_EQ(masked.where(), rung::launch);
    if (elements == 10) {
      EXPECT_NO_THROW(verify_launch(compared, masked.arguments, {3}));
    } else {
      EXPECT_THROW(verify_launch(compared, masked.arguments, {3}), usage_error);
    }
  }
}

TEST(CheckElements, LeavesDataToTheKernel) {
  chosen by_data;
  const program made = by_data.checked({by_data.data()});
  EXPECT_EQ(by_data.where(), rung::in_place);
  ASSERT_EQ(made.residual_checks.size(), 1u);
  EXPECT_EQ(made.residual_checks[0].what, residual_check::kind::element_index);
  EXPECT_EQ(made.residual_checks[0].reason, "it depends on data loaded from parameter 2");

  // A mask of data may leave the lanes out that are too many: no launch is refused for them.
  chosen masked;
  const auto real = masked.m.compare(op::greater, masked.data(-1), masked.m.constant(dtype::i32, {}, 0));
  const program left = masked.checked({masked.numbers(), real}, true);
  EXPECT_EQ(masked.where(), rung::in_place);
  EXPECT_NO_THROW(verify_launch(left, masked.arguments, {3}));
}

TEST(CheckElements, RefusesIndicesAndTilesThatMayReachPastTheirTensor) {
  chosen ragged;
  EXPECT_THROW(ragged.checked({ragged.m.load(ragged.ids, {4}, {ragged.m.block_id(0)})}), compile_error);

  builder m("ragged");
  const auto z = m.accum(dtype::i32, {dynamic_extent});
  const auto ids = m.in(dtype::i32, {dynamic_extent});
  m.combine_at(z, m.load(ids, {4}, {m.block_id(1)}), {m.iota(dtype::i32, {4}, 0)});
  argument whole = dense({10}, {10});
  whole.shared_by = 3;
  const auto bound = bind_arguments(m.view(), {whole, dense({10})}, {}, {});
  try {
    (void)bind(m.view(), bound.special);
    FAIL() << "nothing was thrown";
  } catch (const compile_error& e) {
    EXPECT_NE(std::string(e.what()).find("combine_at of a tile"), std::string::npos) << e.what();
  }
}

// ---- Assertions -----------------------------------------------------------------------------------------------------
program checked_assertion(builder& m, index_t rows, bool is_padded,
                          const std::function<tile_value(tile_value)>& condition) {
  const auto z = m.out(dtype::i32, {4});
  const auto x = m.in(dtype::i32, {dynamic_extent});
  const auto tile = is_padded ? m.load_padded(x, {4}, {m.block_id(0)}, 1) : m.load(x, {4}, {m.block_id(0)});
  m.assertion(condition(tile));
  m.store(z, tile);
  const std::vector<argument> arguments = {dense({rows}, {4}), dense({rows})};
  return front(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
}

TEST(CheckAssertion, LeavesToTheKernelWhatIsNotProved) {
  builder data("data"), literal("literal"), counted("counted"), refuted("refuted");
  const auto is_positive = [](builder& m) {
    return [&m](tile_value x) { return m.compare(op::greater, x, m.constant(dtype::i32, {4}, 0)); };
  };
  const program of_data = checked_assertion(data, 8, false, is_positive(data));
  ASSERT_EQ(of_data.residual_checks.size(), 1u);
  EXPECT_EQ(of_data.residual_checks[0].what, residual_check::kind::assertion);
  EXPECT_EQ(of_data.residual_checks[0].rule, "an assertion holds");
  const program of_literal =
      checked_assertion(literal, 8, false, [&](tile_value) { return literal.constant(dtype::boolean, {4}, 1); });
  EXPECT_TRUE(of_literal.residual_checks.empty());
  const program of_blocks = checked_assertion(counted, 8, false, [&](tile_value) {
    return counted.compare(op::greater_equal, counted.block_id(0), counted.index(0));
  });
  EXPECT_TRUE(of_blocks.residual_checks.empty());
  const program never = checked_assertion(
      refuted, 8, false, [&](tile_value) { return refuted.compare(op::less, refuted.block_id(0), refuted.index(0)); });
  EXPECT_EQ(never.residual_checks.size(), 1u);  // fails when it is reached, not before
}

TEST(CheckAssertion, RefusesLanesThatMayReachPastTheirTensor) {
  builder whole("whole"), padded("padded");
  const auto condition = [](builder& m) {
    return [&m](tile_value x) { return m.compare(op::greater, x, m.constant(dtype::i32, {4}, 0)); };
  };
  try {
    (void)checked_assertion(whole, 6, false, condition(whole));
    FAIL() << "nothing was thrown";
  } catch (const compile_error& e) {
    EXPECT_NE(std::string(e.what()).find("not proved: an assertion holds"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("load(i, pad(0))"), std::string::npos) << e.what();
  }
  EXPECT_EQ(checked_assertion(padded, 6, true, condition(padded)).residual_checks.size(), 1u);
}

TEST(CheckAssertion, IsNoCheckOfBoundsToDeny) {
  builder m("data");
  const program made = checked_assertion(
      m, 8, false, [&](tile_value x) { return m.compare(op::greater, x, m.constant(dtype::i32, {4}, 0)); });
  EXPECT_NO_THROW(refuse_residual_checks(made));
}

}  // namespace
}  // namespace tilewright::compiler
