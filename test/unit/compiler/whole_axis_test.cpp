// SPDX-License-Identifier: Apache-2.0
// Outputs with whole axes in the compiler: grid, facts, proofs of their tile indices, and that no pass loses a store.
#include <gtest/gtest.h>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using ast::dynamic_extent;
using test::dense;

// Pieces of 4 whole rows, stored 8 columns at a time; the test says at which index.
struct rows {
  test::module_builder m{"rows"};
  test::parameter_index z = m.out(dtype::f32, {4, dynamic_extent});
  test::tile_value v = m.constant(dtype::f32, {4, 8}, 3);
  test::tile_value k = m.for_begin(m.tiles(z, 1, 8));

  void store(test::tile_value index) {
    m.store_tile(z, v, {index});
    m.for_end();
  }
  bound_arguments bound(index_t columns, index_t piece = whole_axis) {
    return bind_arguments(m.view(), {dense({64, columns}, {4, piece})}, {}, {});
  }
  program made(index_t columns) { return front(m.view(), bound(columns).special); }
};

TEST(WholeAxis, HasOneBlockAndFactsOfItsTiles) {
  rows r;
  r.store(r.k);
  EXPECT_EQ(r.bound(100).grid, (std::vector<index_t>{16, 1}));
  EXPECT_EQ(r.bound(0).grid, (std::vector<index_t>{16, 1}));
  const auto facts = [&](index_t columns) { return r.bound(columns).special.facts[0]; };
  EXPECT_TRUE(facts(96).divides[1]);
  EXPECT_FALSE(facts(100).divides[1]);
  EXPECT_TRUE(facts(7).single_tile[1]);
  EXPECT_FALSE(facts(9).single_tile[1]);
  EXPECT_FALSE(facts(0).single_tile[1]);
  EXPECT_EQ(r.bound(112).special, r.bound(96 * 1024).special) << "a longer row is no other image";
  EXPECT_THROW(r.bound(100, 8), usage_error);
}

TEST(WholeAxis, NeedsNoCheckOfItsTileIndex) {
  rows r;
  r.store(r.k);
  program bound = bind(r.m.view(), r.bound(100).special);
  bounds_report told;
  check(bound, &told);
  EXPECT_EQ(told.count(rung::proved), 2) << "the step of the range, and the tile index";
  EXPECT_EQ(told.entries.size(), 2u);
  EXPECT_EQ(told.entries[1].rule, "a tile index of parameter 0 (Out) on axis 1 stays within the tiles");
  EXPECT_TRUE(bound.checks.empty());
  EXPECT_TRUE(bound.residual_checks.empty());
}

TEST(WholeAxis, IsNeverLeftToTheKernelToCheck) {
  rows data;
  const auto list = data.m.in(dtype::i32, {dynamic_extent});
  data.store(data.m.cast(dtype::index, data.m.reshape(data.m.load(list, {1}, {data.m.index(0)}), {})));
  const std::vector<argument> arguments = {dense({64, 100}, {4, whole_axis}), dense({8})};
  EXPECT_THROW(front(data.m.view(), bind_arguments(data.m.view(), arguments, {}, {}).special), compile_error);
  rows past;
  past.store(past.m.binary(ast::op::add, past.m.index(1), past.k));
  EXPECT_THROW(past.made(100), compile_error);
}

TEST(WholeAxis, StaysStoredInOneTileAndInMany) {
  rows r;
  r.store(r.k);
  EXPECT_NE(to_text(r.made(100)).find("f32[4, whole]"), std::string::npos) << to_text(r.made(100));
  const program many = r.made(100);
  ASSERT_EQ(many.entry.body.back().op, ast::op::for_begin);
  EXPECT_EQ(many.entry.body.back().blocks[0].body.back().op, ast::op::store_tile);
  const program one = r.made(5);  // the loop is gone
  EXPECT_EQ(one.entry.body.back().op, ast::op::store_tile);
  ASSERT_EQ(one.entry.body.back().operands.size(), 2u);
}

}  // namespace
}  // namespace tilewright::compiler
