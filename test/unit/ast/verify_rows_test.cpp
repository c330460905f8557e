// SPDX-License-Identifier: Apache-2.0
// Rows that unique indices place: each rule of them is found broken by one damaged module.
#include "unit/ast/damaged_module.hpp"

namespace tilewright::test {
namespace {

// Rows of a Scatter, placed by the block's own tile of unique indices, which the test spoils.
struct scattered {
  explicit scattered(module_builder& builder) : m(builder) {}

  void store(tile_value rows) { m.store_rows(z, v, rows, p); }
  void store_loaded(tile_value place, double pad) { store(m.reshape(m.load_padded(p, {4}, {place}, pad), {4, 1})); }

  module_builder& m;
  parameter_index z = m.scatter(f32, {4, 8}), p = m.unique(dtype::i32), q = m.unique(dtype::i32);
  tile_value v = m.constant(f32, {4, 8}, 0);
};
constexpr const char* rows_rule = "the rows of store_rows are the block's own tile of the unique indices";

TEST(Verify, AcceptsRowsByTheBlocksOwnIndices) {
  module_builder m;
  scattered s(m);
  m.if_begin(m.compare(op::equal, m.block_id(0), m.index(0)));
  s.store(m.own_rows(s.p, 4));
  m.if_else();
  s.store(m.own_rows(s.p, 4));
  m.if_end();
  EXPECT_EQ(rules_of(m.view()), "");
}

class VerifyRows : public testing::TestWithParam<damaged> {};

TEST_P(VerifyRows, AreFoundBroken) { expect_broken(GetParam()); }

const damaged damaged_rows[] = {
    {rows_rule,
     [](module_builder& m) {
       scattered(m).store(m.constant(dtype::i32, {4, 1}, 0));
     }},
    {rows_rule, [](module_builder& m) { scattered(m).store_loaded(m.block_id(1), -1); }},
    {rows_rule, [](module_builder& m) { scattered(m).store_loaded(m.index(0), -1); }},
    {rows_rule, [](module_builder& m) { scattered(m).store_loaded(m.block_id(0), 0); }},
    {rows_rule,
     [](module_builder& m) {
       scattered s(m);
       s.store(m.reshape(m.load(s.p, {4}, {m.block_id(0)}), {4, 1}));
     }},
    {rows_rule,
     [](module_builder& m) {
       scattered s(m);
       s.store(m.own_rows(s.q, 4));
     }},
    {rows_rule,
     [](module_builder& m) {
       scattered s(m);
       const auto block = m.block_id(0);
       m.assign(block, m.index(0));
       s.store_loaded(block, -1);
     }},
    {rows_rule,
     [](module_builder& m) {
       scattered s(m);
       const auto rows = m.own_rows(s.p, 4);
       m.assign(rows, m.constant(dtype::i32, {4, 1}, 0));
       s.store(rows);
     }},
    {"the rows of a Scatter are placed by one Unique parameter",
     [](module_builder& m) {
       scattered s(m);
       s.store(m.own_rows(s.p, 4));
       m.store_rows(s.z, s.v, m.own_rows(s.q, 4), s.q);
     }},
    {"store_rows writes a Scatter parameter",
     [](module_builder& m) {
       scattered s(m);
       m.store_rows(m.out(f32, {4, 8}), s.v, m.own_rows(s.p, 4), s.p);
     }},
    {"store_rows writes to rows that a Unique parameter names",
     [](module_builder& m) {
       scattered s(m);
       const auto ids = m.in(dtype::i32, {ast::dynamic_extent});
       m.store_rows(s.z, s.v, m.own_rows(ids, 4), ids);
     }},
    {"store_rows takes one row index per row of its tile",
     [](module_builder& m) {
       scattered s(m);
       s.store(m.own_rows(s.p, 3));
     }},
    {"the tile is not of the parameter's type",
     [](module_builder& m) {
       scattered s(m);
       m.store_rows(s.z, m.constant(f32, {4, 4}, 0), m.own_rows(s.p, 4), s.p);
     }},
    {"store writes an Out or InOut parameter",
     [](module_builder& m) {
       m.store(m.scatter(f32, {4, 8}), m.constant(f32, {4, 8}, 0));
     }},
    {"load_piece reads an InOut parameter",
     [](module_builder& m) {
       m.load_piece(m.scatter(f32, {4, 8}));
     }},
    {"a Scatter has rank 2", [](module_builder& m) { m.scatter(f32, {4}); }},
    {"a piece's extents are numbers",
     [](module_builder& m) {
       m.scatter(f32, {4, ast::dynamic_extent});
     }},
    {"a Unique has i32 or i64 indices on one dynamic axis", [](module_builder& m) { m.unique(dtype::u32); }},
    {"a Unique has i32 or i64 indices on one dynamic axis",
     [](module_builder& m) { m.parameter(parameter_kind::unique, dtype::i32, {8}); }},
};
INSTANTIATE_TEST_SUITE_P(Each, VerifyRows, testing::ValuesIn(damaged_rows));

}  // namespace
}  // namespace tilewright::test
