// SPDX-License-Identifier: Apache-2.0
// Each rule of a module is found broken by one damaged module, and a good module breaks none.
#include <random>

#include "support/good_module.hpp"
#include "tilewright/ast/printer.hpp"
#include "unit/ast/damaged_module.hpp"

namespace tilewright::test {
namespace {

TEST(Verify, AcceptsAGoodModule) {
  module_builder m;
  build_good_module(m);
  EXPECT_EQ(rules_of(m.view()), "");
}

// Tiles of 8 columns of a piece of 4 whole rows, stored in a loop that the test spoils.
struct tiled {
  explicit tiled(module_builder& builder) : m(builder) {}

  void store_in_loop(tile_value from, tile_value to, tile_value step) {
    const auto k = m.for_begin(from, to, step);
    m.store_tile(z, v, {k});
    m.for_end();
  }

  module_builder& m;
  parameter_index z = m.out(f32, {4, ast::dynamic_extent});
  tile_value v = m.constant(f32, {4, 8}, 0), zero = m.index(0), one = m.index(1), tiles = m.tiles(z, 1, 8);
};
constexpr const char* loop_rule = "a tile index of store_tile is the variable of a loop over all tiles of its axis";

TEST(Verify, AcceptsTilesOfAWholeAxis) {
  module_builder m;
  tiled t(m);
  t.store_in_loop(t.zero, t.tiles, t.one);
  EXPECT_EQ(rules_of(m.view()), "");
}

TEST(Verify, AcceptsTilesOfAWholeAxisInBranches) {
  module_builder m;
  tiled t(m);
  const auto k = m.for_begin(t.zero, t.tiles, t.one);
  m.if_begin(m.compare(op::equal, k, t.zero));
  m.store_tile(t.z, t.v, {k});
  m.if_else();
  m.store_tile(t.z, t.v, {k});
  m.if_end();
  m.for_end();
  EXPECT_EQ(rules_of(m.view()), "");
}

class VerifyRule : public testing::TestWithParam<damaged> {};

TEST_P(VerifyRule, IsFoundBroken) { expect_broken(GetParam()); }

const damaged damaged_modules[] = {
    {loop_rule, [](module_builder& m) { tiled(m).store_in_loop(m.index(1), m.index(5), m.index(1)); }},
    {loop_rule,
     [](module_builder& m) {
       tiled t(m);
       t.store_in_loop(t.one, t.tiles, t.one);
     }},
    {loop_rule,
     [](module_builder& m) {
       tiled t(m);
       t.store_in_loop(t.zero, t.tiles, m.index(2));
     }},
    {loop_rule,
     [](module_builder& m) {
       tiled t(m);
       t.store_in_loop(t.zero, m.tiles(t.z, 1, 16), t.one);
     }},
    {loop_rule,
     [](module_builder& m) {
       tiled t(m);
       t.store_in_loop(t.zero, m.tiles(t.z, 0, 8), t.one);
     }},
    {loop_rule,
     [](module_builder& m) {
       tiled t(m);
       t.store_in_loop(t.zero, m.tiles(m.in(f32, {ast::dynamic_extent, ast::dynamic_extent}), 1, 8), t.one);
     }},
    {loop_rule,
     [](module_builder& m) {
       tiled t(m);
       m.assign(t.tiles, t.one);
       t.store_in_loop(t.zero, t.tiles, t.one);
     }},
    {loop_rule,
     [](module_builder& m) {
       tiled t(m);
       m.for_begin(t.zero, t.tiles, t.one);
       m.store_tile(t.z, t.v, {t.zero});
       m.for_end();
     }},
    {"store_tile stands in one loop for each whole axis of the piece",
     [](module_builder& m) {
       tiled t(m);
       m.for_begin(m.index(3));
       t.store_in_loop(t.zero, t.tiles, t.one);
       m.for_end();
     }},
    {"store_tile stands in one loop for each whole axis of the piece",
     [](module_builder& m) {
       tiled t(m);
       m.while_begin();
       m.while_condition(m.constant(dtype::boolean, {}, 1));
       t.store_in_loop(t.zero, t.tiles, t.one);
       m.while_end();
     }},
    {"store_tile writes a piece with whole axes",
     [](module_builder& m) { m.store_tile(m.out(f32, {4}), m.constant(f32, {4}, 0), {}); }},
    {"store_tile writes an Out parameter",
     [](module_builder& m) { m.store_tile(m.in_out(f32, {4}), m.constant(f32, {4}, 0), {}); }},
    {"store_tile takes a tile and an index per whole axis",
     [](module_builder& m) {
       tiled t(m);
       m.store_tile(t.z, t.v, {t.zero, t.zero});
     }},
    {"the tile is not of the parameter's type",
     [](module_builder& m) {
       tiled t(m);
       m.store_tile(t.z, m.constant(f32, {5, 8}, 0), {t.zero});
     }},
    {"a tile index is an index of rank 0",
     [](module_builder& m) {
       tiled t(m);
       m.store_tile(t.z, t.v, {t.v});
     }},
    {"the tile is not of the parameter's type",
     [](module_builder& m) {
       m.store(tiled(m).z, m.constant(f32, {4, 8}, 0));
     }},
    {"an operand is no earlier value", [](module_builder& m) { m.record(op::copy, {{0}}, m.type(f32, {})); }},
    {"an operand is no earlier value", [](module_builder& m) { m.record(op::copy, {{-1}}, m.type(f32, {})); }},
    {"an operand is a record without a value",
     [](module_builder& m) {
       const auto a = m.constant(f32, {}, 1);
       m.assign(a, a);
       m.record(op::copy, {{1}}, m.type(f32, {}));
     }},
    {"an operand belongs to a loop or branch that ended",
     [](module_builder& m) {
       m.for_begin(m.index(3));
       const auto inside = m.index(4);
       m.for_end();
       m.copy(inside);
     }},
    {"an operand belongs to a loop or branch that ended",
     [](module_builder& m) {
       const auto i = m.for_begin(m.index(3));
       m.for_end();
       m.copy(i);
     }},
    {"an operand belongs to a loop or branch that ended",
     [](module_builder& m) {
       m.if_begin(m.constant(dtype::boolean, {}, 1));
       const auto inside = m.index(4);
       m.if_else();
       m.copy(inside);
       m.if_end();
     }},
    {"a loop or branch is not closed", [](module_builder& m) { m.for_begin(m.index(3)); }},
    {"for_end closes no loop", [](module_builder& m) { m.for_end(); }},
    {"if_end closes no if_",
     [](module_builder& m) {
       m.for_begin(m.index(3));
       m.if_end();
     }},
    {"if_else belongs to no if_",
     [](module_builder& m) {
       m.if_begin(m.constant(dtype::boolean, {}, 1));
       m.if_else();
       m.if_else();
       m.if_end();
     }},
    {"the op takes another number of operands",
     [](module_builder& m) { m.record(op::add, {m.index(1)}, m.type(dtype::index, {}), {0}); }},
    {"the record's type is missing",
     [](module_builder& m) {
       m.record(op::constant, {}, ast::no_type, {0, 0});
     }},
    {"the record's type is missing", [](module_builder& m) { m.record(op::for_end, {}, m.type(f32, {})); }},
    {"the record's type is missing",
     [](module_builder& m) {
       m.record(op::constant, {}, 99, {0, 0});
     }},
    {"while_condition belongs to no while_",
     [](module_builder& m) { m.while_condition(m.constant(dtype::boolean, {}, 1)); }},
    {"while_condition belongs to no while_",
     [](module_builder& m) {
       m.while_begin();
       m.while_condition(m.constant(dtype::boolean, {}, 1));
       m.while_condition(m.constant(dtype::boolean, {}, 1));
       m.while_end();
     }},
    {"while_end closes no while_ that has a condition",
     [](module_builder& m) {
       m.while_begin();
       m.while_end();
     }},
    {"a loop or branch is not closed", [](module_builder& m) { m.while_begin(); }},
    {"the condition of while_ has rank 0",
     [](module_builder& m) {
       m.while_begin();
       m.while_condition(m.constant(dtype::boolean, {4}, 1));
       m.while_end();
     }},
    {"the op does not take this element",
     [](module_builder& m) {
       m.while_begin();
       m.while_condition(m.index(1));
       m.while_end();
     }},
    {"an operand belongs to a loop or branch that ended",
     [](module_builder& m) {
       m.while_begin();
       const auto asked = m.constant(dtype::boolean, {}, 1);
       m.while_condition(asked);
       m.while_end();
       m.unary(op::bit_not, asked);
     }},
    {"the condition of while_ assigns a variable made before it",
     [](module_builder& m) {
       const auto before = m.copy(m.index(1));
       m.while_begin();
       m.if_begin(m.constant(dtype::boolean, {}, 1));
       m.assign(before, m.index(2));
       m.if_else();
       m.if_end();
       m.while_condition(m.compare(op::less, before, m.index(9)));
       m.while_end();
     }},
    {"the op is unknown", [](module_builder& m) { m.record(static_cast<op>(ast::op_count), {}, ast::no_type); }},
    {"the code ends inside the record",
     [](module_builder& m) {
       m.index(1);
       m.code().pop_back();
     }},
    {"the module states another number of records",
     [](module_builder& m) {
       m.index(1);
       m.code().clear();
     }},
    {"the op does not take this element", [](module_builder& m) { m.unary(op::exp, m.constant(dtype::i32, {}, 1)); }},
    {"the op does not take this element",
     [](module_builder& m) { m.binary(op::bit_and, m.constant(f32, {}, 1), m.constant(f32, {}, 1)); }},
    {"the op does not take this element", [](module_builder& m) { m.iota(f32, {4}, 0); }},
    {"the operands' elements differ",
     [](module_builder& m) { m.binary(op::add, m.constant(f32, {}, 1), m.constant(dtype::f16, {}, 1)); }},
    {"the operands' shapes do not go together",
     [](module_builder& m) { m.binary(op::add, m.constant(f32, {4}, 1), m.constant(f32, {5}, 1)); }},
    {"the operands' shapes do not go together",
     [](module_builder& m) {
       m.binary(op::add, m.constant(f32, {4}, 1), m.constant(f32, {4, 4}, 1));
     }},
    {"the operands' shapes do not go together",
     [](module_builder& m) {
       m.binary(op::add, m.constant(f32, {m.symbol("A")}, 1), m.constant(f32, {m.symbol("B")}, 1));
     }},
    {"the result is not of the operands' joined type",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4}, 1);
       m.record(op::less, {a, a}, m.type(f32, {4}));
     }},
    {"the condition of select is not bool", [](module_builder& m) { m.select(m.index(1), m.index(1), m.index(1)); }},
    {"the axis is not one of the operand's",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4}, 1);
       m.record(op::reduce_sum, {a}, m.type(f32, {1}), {1});
     }},
    {"the result is not the operand with extent 1",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4}, 1);
       m.record(op::argmax, {a}, m.type(f32, {1}), {0});
     }},
    {"the axis is not one of the operand's",
     [](module_builder& m) { m.scan(op::scan_sum, m.constant(f32, {4}, 1), -1); }},
    {"a scan's second attribute is 0 or 1",
     [](module_builder& m) { m.scan(op::scan_max, m.constant(f32, {4}, 1), 0, 2); }},
    {"mma takes tiles of rank 2",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4}, 1);
       m.mma(a, a, a);
     }},
    {"mma takes tiles of rank 2, or three of rank 3: a batch",
     [](module_builder& m) {
       const auto a = m.constant(f32, {2, 4, 4}, 1), b = m.constant(f32, {4, 4}, 1);
       m.mma(a, b, a);
     }},
    {"mma's attribute is 0, or 1 for a fast sum of fp8 in f32",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4, 4}, 1);
       m.mma(a, a, a, 1);
     }},
    {"mma's attribute is 0, or 1 for a fast sum of fp8 in f32",
     [](module_builder& m) {
       const auto a = m.constant(dtype::f8e4m3, {4, 4}, 1);
       m.mma(a, a, m.constant(dtype::f16, {4, 4}, 1), 1);
     }},
    {"mma's attribute is 0, or 1 for a fast sum of fp8 in f32",
     [](module_builder& m) {
       const auto a = m.constant(dtype::f8e4m3, {4, 4}, 1);
       m.mma(a, a, m.constant(f32, {4, 4}, 1), 2);
     }},
    {"tf32 and f8e8m0 are made of f32, and become f32",
     [](module_builder& m) { m.cast(dtype::tf32, m.constant(dtype::f16, {4}, 1)); }},
    {"tf32 and f8e8m0 are made of f32, and become f32",
     [](module_builder& m) { m.cast(dtype::f64, m.constant(dtype::tf32, {4}, 1)); }},
    {"tf32 and f8e8m0 are made of f32, and become f32",
     [](module_builder& m) { m.cast(dtype::tf32, m.constant(dtype::f8e8m0, {4}, 1)); }},
    {"the batches differ",
     [](module_builder& m) {
       const auto a = m.constant(f32, {2, 4, 4}, 1), b = m.constant(f32, {1, 4, 4}, 1);
       m.mma(a, b, a);
     }},
    {"the batches differ",
     [](module_builder& m) {
       const auto a = m.constant(f32, {2, 4, 4}, 1), c = m.constant(f32, {4, 4, 4}, 1);
       m.mma(a, a, c);
     }},
    {"the columns of a are not the rows of b",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4, 4, 5}, 1);
       m.mma(a, a, a);
     }},
    {"c is not rows of a by columns of b",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4, 5, 4}, 1), b = m.constant(f32, {4, 4, 5}, 1);
       m.mma(a, b, m.constant(f32, {4, 4, 5}, 1));
     }},
    {"the columns of a are not the rows of b",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4, 5}, 1);
       m.mma(a, a, a);
     }},
    {"c is not rows of a by columns of b",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4, 4}, 1);
       m.mma(a, a, m.constant(f32, {4, 5}, 1));
     }},
    {"mma sums floats in f32",
     [](module_builder& m) {
       const auto a = m.constant(dtype::bf16, {4, 4}, 1);
       m.mma(a, a, a);
     }},
    {"mma sums floats in f32 (f16 and fp8 also in f16), f64 in f64",
     [](module_builder& m) {
       const auto a = m.constant(dtype::f64, {4, 4}, 1);
       m.mma(a, a, m.constant(f32, {4, 4}, 1));
     }},
    {"bytes in i32",
     [](module_builder& m) {
       const auto a = m.constant(dtype::u8, {4, 4}, 1);
       m.mma(a, a, m.constant(dtype::u32, {4, 4}, 1));
     }},
    {"the elements of a and b differ",
     [](module_builder& m) {
       const auto a = m.constant(dtype::f16, {4, 4}, 1);
       m.mma(a, m.constant(dtype::bf16, {4, 4}, 1), m.constant(f32, {4, 4}, 1));
     }},
    {"mma multiplies floats, i8 or u8",
     [](module_builder& m) {
       const auto a = m.constant(dtype::i32, {4, 4}, 1);
       m.mma(a, a, a);
     }},
    {"permute names an axis twice",
     [](module_builder& m) {
       m.permute(m.constant(f32, {4, 4}, 1), {1, 1});
     }},
    {"permute names an axis that the operand lacks",
     [](module_builder& m) {
       const auto a = m.constant(f32, {4, 4}, 1);
       m.record(op::permute, {a}, m.type(f32, {4, 4}), {0x52});
     }},
    {"reshape keeps the number of elements", [](module_builder& m) { m.reshape(m.constant(f32, {4}, 1), {5}); }},
    {"broadcast repeats extents of 1", [](module_builder& m) { m.broadcast(m.constant(f32, {4}, 1), {5}); }},
    {"two different numbers can never be equal", [](module_builder& m) { m.same_shape(m.constant(f32, {4}, 1), {5}); }},
    {"the result's extent is not the sum",
     [](module_builder& m) { m.cat(m.constant(f32, {4}, 1), m.constant(f32, {4}, 1), 0, {9}); }},
    {"cat joins tiles that differ on one axis only",
     [](module_builder& m) {
       m.cat(m.constant(f32, {4, 2}, 1), m.constant(f32, {4, 3}, 1), 0, {8, 2});
     }},
    {"the piece does not lie inside the operand",
     [](module_builder& m) { m.extract(m.constant(f32, {8}, 1), {4}, {2}); }},
    {"positions past the rank are 0",
     [](module_builder& m) {
       m.extract(m.constant(f32, {8}, 1), {4}, {0, 1});
     }},
    {"a conversion keeps the shape",
     [](module_builder& m) { m.record(op::cast, {m.constant(f32, {8}, 1)}, m.type(dtype::i32, {4})); }},
    {"bitcast keeps the width", [](module_builder& m) { m.bitcast(dtype::i64, m.constant(f32, {8}, 1)); }},
    {"the literal does not fit its element", [](module_builder& m) { m.constant(dtype::i8, {}, 128); }},
    {"the literal does not fit its element", [](module_builder& m) { m.constant(dtype::u32, {}, -1); }},
    {"the literal does not fit its element", [](module_builder& m) { m.constant(dtype::boolean, {}, 2); }},
    {"load reads an In parameter", [](module_builder& m) { m.load(m.out(f32, {4}), {4}, {m.index(0)}); }},
    {"load takes a tile index per axis", [](module_builder& m) { m.load(m.in(f32, {ast::dynamic_extent}), {4}, {}); }},
    {"a tile index is an index of rank 0",
     [](module_builder& m) { m.load(m.in(f32, {ast::dynamic_extent}), {4}, {m.constant(dtype::i64, {}, 0)}); }},
    {"a tile has its tensor's element and rank",
     [](module_builder& m) {
       m.load(m.in(f32, {ast::dynamic_extent}), {4, 4}, {m.index(0)});
     }},
    {"load reads an In parameter",
     [](module_builder& m) {
       m.load_window(m.out(f32, {4}), {4}, {1}, {m.index(0)});
     }},
    {"load takes a tile index per axis",
     [](module_builder& m) {
       m.load_window(m.in(f32, {ast::dynamic_extent}), {4}, {1}, {});
     }},
    {"a stride is a number from 1 on",
     [](module_builder& m) {
       m.load_window(m.in(f32, {ast::dynamic_extent}), {4}, {0}, {m.index(0)});
     }},
    {"a stride is a number from 1 on",
     [](module_builder& m) {
       m.load_window(m.in(f32, {ast::dynamic_extent}), {4}, {ast::symbol_extent(3)}, {m.index(0)});
     }},
    {"0 past the rank",
     [](module_builder& m) {
       m.load_window(m.in(f32, {ast::dynamic_extent}), {4}, {1, 1}, {m.index(0)});
     }},
    {"gather_rows reads an In parameter of rank 2",
     [](module_builder& m) {
       m.gather_rows(m.in(f32, {ast::dynamic_extent}), {4, 4}, m.constant(dtype::index, {4, 1}, 0), m.index(0));
     }},
    {"gather_rows takes one row index per row",
     [](module_builder& m) {
       const auto x = m.in(f32, {ast::dynamic_extent, 4});
       m.gather_rows(x, {4, 4}, m.constant(dtype::index, {5, 1}, 0), m.index(0));
     }},
    {"gather reads an In parameter of rank 1 to 6",
     [](module_builder& m) { m.gather(m.accum(f32, {ast::dynamic_extent}), {}, {m.index(0)}); }},
    {"gather reads an In parameter of rank 1 to 6", [](module_builder& m) { m.gather(m.in(f32, {}), {}, {}); }},
    {"elements are chosen by an index per axis",
     [](module_builder& m) {
       m.gather(m.in(f32, {ast::dynamic_extent, 4}), {}, {m.index(0)});
     }},
    {"elements are chosen by an index per axis",
     [](module_builder& m) { m.gather(m.in(f32, {ast::dynamic_extent}), {}, {m.index(0)}, true); }},
    {"elements are chosen by integers",
     [](module_builder& m) { m.gather(m.in(f32, {ast::dynamic_extent}), {}, {m.constant(f32, {}, 0)}); }},
    {"elements are chosen by integers",
     [](module_builder& m) { m.gather(m.in(f32, {ast::dynamic_extent}), {}, {m.constant(dtype::boolean, {}, 0)}); }},
    {"a mask is bool",
     [](module_builder& m) {
       m.gather(m.in(f32, {ast::dynamic_extent}), {}, {m.index(0), m.index(0)}, true);
     }},
    {"the second attribute of what chooses elements is 0 or 1",
     [](module_builder& m) {
       m.record(op::gather, {m.index(0)}, m.type(f32, {}), {m.in(f32, {ast::dynamic_extent}).position, 2});
     }},
    {"the operands' shapes do not go together",
     [](module_builder& m) {
       const auto x = m.in(f32, {ast::dynamic_extent, ast::dynamic_extent});
       m.gather(x, {4}, {m.constant(dtype::i32, {4}, 0), m.constant(dtype::i32, {5}, 0)});
     }},
    {"the result is not of the operands' joined type",
     [](module_builder& m) { m.gather(m.in(f32, {ast::dynamic_extent}), {5}, {m.constant(dtype::i32, {4}, 0)}); }},
    {"combine_at changes an Accum parameter whose piece is the whole tensor",
     [](module_builder& m) { m.combine_at(m.accum(f32, {4}), m.constant(f32, {4}, 0), {m.index(0)}); }},
    {"combine_at changes an Accum parameter whose piece is the whole tensor",
     [](module_builder& m) { m.combine_at(m.out(f32, {ast::dynamic_extent}), m.constant(f32, {4}, 0), {m.index(0)}); }},
    {"the tile is not of the parameter's element",
     [](module_builder& m) {
       m.combine_at(m.accum(f32, {ast::dynamic_extent}), m.constant(dtype::i32, {4}, 0), {m.index(0)});
     }},
    {"elements are chosen by an index per axis",
     [](module_builder& m) {
       m.combine_at(m.accum(f32, {ast::dynamic_extent}), m.constant(f32, {4}, 0), {m.index(0), m.index(0)});
     }},
    {"the operands' shapes do not go together",
     [](module_builder& m) {
       const auto z = m.accum(f32, {ast::dynamic_extent});
       m.combine_at(z, m.constant(f32, {4}, 0), {m.constant(dtype::i32, {5}, 0)});
     }},
    {"the tile is not of the parameter's type",
     [](module_builder& m) { m.combine(m.accum(f32, {ast::dynamic_extent}), m.constant(f32, {4}, 0)); }},
    {"store writes an Out or InOut parameter",
     [](module_builder& m) { m.store(m.in(f32, {ast::dynamic_extent}), m.constant(f32, {4}, 0)); }},
    {"load_piece reads an InOut parameter", [](module_builder& m) { m.load_piece(m.out(f32, {4})); }},
    {"load_piece reads an InOut parameter", [](module_builder& m) { m.load_piece(m.accum(f32, {4})); }},
    {"store writes an Out or InOut parameter",
     [](module_builder& m) { m.store(m.accum(f32, {4}), m.constant(f32, {4}, 0)); }},
    {"combine changes an Accum parameter",
     [](module_builder& m) { m.combine(m.in_out(f32, {4}), m.constant(f32, {4}, 0)); }},
    {"the tile is not of the parameter's type",
     [](module_builder& m) { m.combine(m.accum(f32, {4}), m.constant(f32, {5}, 0)); }},
    {"the op does not take this element",
     [](module_builder& m) { m.combine(m.accum(f32, {4}), m.constant(dtype::boolean, {4}, 0)); }},
    {"the tile is not of the parameter's type",
     [](module_builder& m) { m.store(m.out(f32, {4}), m.constant(f32, {5}, 0)); }},
    {"scalar reads a Scalar parameter", [](module_builder& m) { m.scalar_value(m.in(f32, {4})); }},
    {"scalar reads a Scalar parameter", [](module_builder& m) { m.record(op::scalar, {}, m.type(f32, {}), {7}); }},
    {"no parameter has that axis", [](module_builder& m) { m.extent(m.in(f32, {ast::dynamic_extent}), 1); }},
    {"no parameter has that axis", [](module_builder& m) { m.extent({12}, 0); }},
    {"a tile extent is a number or a symbol",
     [](module_builder& m) { m.tiles(m.in(f32, {ast::dynamic_extent}), 0, ast::dynamic_extent); }},
    {"a Dim is a number or a symbol", [](module_builder& m) { m.dim_value(ast::symbol_extent(3)); }},
    {"a grid has six axes", [](module_builder& m) { m.block_id(6); }},
    {"a variable keeps its type", [](module_builder& m) { m.assign(m.index(1), m.constant(f32, {}, 1)); }},
    {"the condition of if_ has rank 0",
     [](module_builder& m) {
       m.if_begin(m.constant(dtype::boolean, {4}, 1));
       m.if_end();
     }},
    {"the bounds of a loop have rank 0",
     [](module_builder& m) {
       m.for_begin(m.constant(dtype::index, {4}, 1));
       m.for_end();
     }},
    {"the extents of a tile are numbers from 1 on", [](module_builder& m) { m.constant(f32, {0}, 1); }},
    {"the extents of a tile are numbers from 1 on",
     [](module_builder& m) { m.constant(f32, {ast::dynamic_extent}, 1); }},
    {"an extent names a symbol that the module lacks", [](module_builder& m) { m.type(f32, {ast::symbol_extent(0)}); }},
    {"a piece's extents are numbers", [](module_builder& m) { m.in_out(f32, {ast::dynamic_extent}); }},
    {"a piece's extents are numbers",
     [](module_builder& m) {
       m.accum(f32, {4, ast::dynamic_extent});
     }},
    {"an Accum's elements cannot be combined that way", [](module_builder& m) { m.accum(dtype::f16, {4}); }},
    {"an Accum's elements cannot be combined that way", [](module_builder& m) { m.accum(dtype::i16, {4}); }},
    {"an Accum's elements cannot be combined that way", [](module_builder& m) { m.accum(f32, {4}, combiner::bit_or); }},
    {"an Accum's rank is 0 to 5",
     [](module_builder& m) {
       m.accum(f32, {1, 1, 1, 1, 1, 1});
     }},
    {"a symbol is a name or an expression over names", [](module_builder& m) { m.symbol("2*"); }},
    {"a symbol is a name or an expression over names", [](module_builder& m) { m.symbol("a b"); }},
    {"a symbol is a name or an expression over names", [](module_builder& m) { m.symbol("2)"); }},
    {"a symbol is a name or an expression over names", [](module_builder& m) { m.symbol("99999999999999999999"); }},
    {"a symbol is a name or an expression over names", [](module_builder& m) { m.symbol("floor_div(2,2)"); }},
    {"an expression names symbols that come before it", [](module_builder& m) { m.symbol("2*BX"); }},
    {"an expression names symbols that come before it",
     [](module_builder& m) {
       m.symbol("BX+1");
       m.symbol("BX");
     }},
    {"a combiner is unknown", [](module_builder& m) { m.accum(dtype::i32, {4}, static_cast<combiner>(6)); }},
    {"a Scalar has rank 0", [](module_builder& m) { m.parameter(parameter_kind::scalar, f32, {4}); }},
    {"a type's element is unknown", [](module_builder& m) { m.type(static_cast<dtype>(99), {4}); }},
};

INSTANTIATE_TEST_SUITE_P(Each, VerifyRule, testing::ValuesIn(damaged_modules));

// What the fuzz target searches for long, in short: no word of a module may lead a reader astray.
TEST(Verify, SurvivesDamageToAnyWord) {
  module_builder m;
  build_good_module(m);
  const std::vector<std::int32_t> good = m.code();
  std::mt19937 random(2024);
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    m.code() = good;
    for (int damage = 0; damage <= round % 3; ++damage) {
      const auto word = static_cast<std::int32_t>(random() % 4 == 0 ? random() : random() % 64);
      m.code()[random() % good.size()] = word;
    }
    accepted += ast::verify(m.view()).empty() ? 1 : 0;
    EXPECT_FALSE(ast::to_text(m.view()).empty());
  }
  EXPECT_LT(accepted, 1500);
}

TEST(Verify, ReportsTablesWithNegativeSizes) {
  ast::module_view nothing{};
  nothing.code_size = -1;
  EXPECT_EQ(rules_of(nothing), "-1: a table has a negative size\n");
  EXPECT_EQ(rules_of(ast::module_view{}), "");
}

TEST(Verify, StopsAfterSomeViolations) {
  module_builder m;
  for (int i = 0; i < 1000; ++i) m.constant(f32, {0}, 1);
  EXPECT_EQ(ast::verify(m.view()).size(), 32U);
}

TEST(Verify, WantsALocationFileForEachRecord) {
  module_builder m;
  m.index(1);
  ast::module_view view = m.view();
  const std::int32_t location = ast::location_word(1, 5);
  view.locations = &location;
  EXPECT_EQ(rules_of(view), "0: the location's file is not in the table\n");
}

}  // namespace
}  // namespace tilewright::test
