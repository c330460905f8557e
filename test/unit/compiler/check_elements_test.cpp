// SPDX-License-Identifier: Apache-2.0
// Elements by index tiles on the bounds ladder: what a mask proves, and what is left to the launch or to the kernel.
#include <gtest/gtest.h>

#include <algorithm>

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

// Block b takes 4 elements of x. The operands are an index, and behind it the mask if there is one.
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

TEST(CheckElements, BoundsATableByItsElements) {
  for (const int most : {9, 10}) {  // of an extent of 10, known here
    chosen listed;
    listed.x = listed.m.in(dtype::f32, {10});
    listed.arguments.push_back(dense({10}));
    listed.checked({listed.m.table(dtype::i32, {4}, std::vector<int>{3, 0, most, 1})});
    EXPECT_EQ(listed.where() == rung::proved, most < 10);
  }
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

// The elements of an iota wrap, and the absolute value of a u64 is itself: -128, and 2^64 - 1, are no count of lanes.
TEST(CheckElements, KnowsThatNarrowNumbersWrap) {
  for (const dtype element : {dtype::i8, dtype::u8, dtype::i16}) {
    builder m("wraps");
    const auto z = m.out(dtype::f32, {512}), x = m.in(dtype::f32, {512});
    m.store(z, m.gather(x, {512}, {m.iota(element, {512}, 0)}));
    program made = bind(m.view(), bind_arguments(m.view(), {dense({512}, {512}), dense({512})}, {}, {}).special);
    check(made);
    EXPECT_EQ(made.residual_checks.empty(), element != dtype::i8) << info(element).name;
  }

  chosen magnitude;
  const auto index = magnitude.data();
  const auto absolute = magnitude.m.unary(op::absolute, magnitude.m.cast(dtype::u64, index));
  const auto is_low = magnitude.m.compare(op::less_equal, index, magnitude.m.constant(dtype::i32, {}, 0));
  EXPECT_EQ(magnitude.checked({absolute, is_low}, true).residual_checks.size(), 1u);
}

// No launch is refused for lanes that the rest of a mask leaves out.
TEST(CheckElements, TakesABoundOfTheLaunchOnlyFromAWholeMask) {
  chosen partly;
  partly.arguments[2] = dense({12});
  const auto number = partly.numbers(), counted = partly.m.compare(op::less, number, partly.m.extent(partly.ids, 0));
  const auto keep =
      partly.m.compare(op::less, partly.m.cast(dtype::f32, partly.data()), partly.m.constant(dtype::f32, {}, 3));
  partly.checked({number, partly.m.binary(op::bit_and, keep, counted)}, true);
  EXPECT_EQ(partly.where(), rung::in_place);
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

TEST(CheckElements, MasksLanesThatMayReachPastTheirTensor) {
  chosen ragged;
  const program made = ragged.checked({ragged.m.load(ragged.ids, {4}, {ragged.m.block_id(0)})});
  ASSERT_EQ(made.residual_checks.size(), 1u);
  const instruction& access = *std::find_if(made.entry.body.begin(), made.entry.body.end(),
                                            [](const instruction& next) { return next.op == op::gather; });
  EXPECT_EQ(access.operands.size(), 2u);
  EXPECT_EQ(access.attributes[1], 1);
}

TEST(CheckElements, RefusesTilesThatMayReachPastTheirTensor) {
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

}  // namespace
}  // namespace tilewright::compiler
