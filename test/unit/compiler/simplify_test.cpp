// SPDX-License-Identifier: Apache-2.0
// Rewrites as pairs: a program before, and what is left of it after.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using ast::dynamic_extent;
using ast::op;
using test::dense;
using test::module_builder;
using test::tile_value;
using builder = module_builder;

// The body of a simplified kernel without its parameters' lines. Parameters: 0 z Out i32 (4), 1 y InOut i32 (4),
// 2 x In i32 (any), 3 f In f32 (any), 4 s Scalar i32, 5 o Out f32 (4).
struct simplify_case {
  const char* name;
  std::function<void(builder&)> build;
  const char* expected;
};

std::string simplified(const std::function<void(builder&)>& build) {
  builder m("k");
  m.out(dtype::i32, {4});
  m.in_out(dtype::i32, {4});
  m.in(dtype::i32, {dynamic_extent});
  m.in(dtype::f32, {dynamic_extent});
  m.scalar(dtype::i32);
  m.out(dtype::f32, {4});
  build(m);
  const std::vector<argument> arguments = {dense({64}, {4}), dense({64}, {4}),        dense({64}),
                                           dense({64}),      test::scalar_bits(1000), dense({64}, {4})};
  program made = bind(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
  simplify(made);
  EXPECT_EQ(made.narrow.size(), made.values.size());
  const std::string text = to_text(made);
  return text.substr(text.find("  %"));
}

class Simplify : public testing::TestWithParam<simplify_case> {};

TEST_P(Simplify, Gives) { EXPECT_EQ("\n" + simplified(GetParam().build), GetParam().expected); }

tile_value load(builder& m) { return m.load({2}, {4}, {m.block_id(0)}); }
tile_value load_f(builder& m) { return m.load({3}, {4}, {m.block_id(0)}); }
tile_value of(builder& m, std::int64_t number) { return m.constant(dtype::i32, {4}, number); }
tile_value of_f(builder& m, double number) { return m.constant(dtype::f32, {4}, number); }
// A load joined with a constant: made one after the other, so that every compiler numbers them alike.
tile_value sequenced(builder& m, op which, std::int64_t number) {
  const auto a = load(m);
  return m.binary(which, a, of(m, number));
}
tile_value sequenced_f(builder& m, op which, double number) {
  const auto a = load_f(m);
  return m.binary(which, a, of_f(m, number));
}
void put(builder& m, tile_value a) { m.store({0}, a); }
void put_f(builder& m, tile_value a) { m.store({5}, a); }

// What is left when all is a constant, or x itself.
#define CONSTANT(text) "\n  %0: i32[4] = constant " text "\n  store %0 0\n"
#define CONSTANT_F(text) "\n  %0: f32[4] = constant " text "\n  store %0 5\n"
#define LOAD "\n  %0: index narrow = block_id 0\n  %1: i32[4] = load %0 2 0\n"
#define LOAD_F "\n  %0: index narrow = block_id 0\n  %1: f32[4] = load %0 3 0\n"
#define UNCHANGED LOAD "  store %1 0\n"
#define UNCHANGED_F LOAD_F "  store %1 5\n"

constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const simplify_case simplify_cases[] = {
    // ---- Constants
    {"integers_wrap", [](builder& m) { put(m, m.binary(op::add, of(m, 2147483647), of(m, 1))); },
     CONSTANT("-2147483648")},
    {"least_over_minus_one_wraps", [](builder& m) { put(m, m.binary(op::divide, of(m, least), of(m, -1))); },
     CONSTANT("-2147483648")},
    {"division_truncates", [](builder& m) { put(m, m.binary(op::divide, of(m, -7), of(m, 2))); }, CONSTANT("-3")},
    {"floor_division_rounds_down", [](builder& m) { put(m, m.binary(op::floor_div, of(m, -7), of(m, 2))); },
     CONSTANT("-4")},
    {"remainder_takes_the_sign_of_a", [](builder& m) { put(m, m.binary(op::remainder, of(m, -7), of(m, 2))); },
     CONSTANT("-1")},
    {"floor_mod_takes_the_sign_of_b", [](builder& m) { put(m, m.binary(op::floor_mod, of(m, -7), of(m, 2))); },
     CONSTANT("1")},
    {"shift_past_the_width_is_zero", [](builder& m) { put(m, m.binary(op::shift_left, of(m, 1), of(m, 32))); },
     CONSTANT("0")},
    {"right_shift_past_the_width_is_the_sign",
     [](builder& m) { put(m, m.binary(op::shift_right, of(m, -5), of(m, 99))); }, CONSTANT("-1")},
    {"nan_becomes_integer_zero", [](builder& m) { put(m, m.cast(dtype::i32, of_f(m, nan))); }, CONSTANT("0")},
    {"float_to_integer_saturates", [](builder& m) { put(m, m.cast(dtype::i32, of_f(m, 1e10))); },
     CONSTANT("2147483647")},
    {"f16_rounds", [](builder& m) { put_f(m, m.cast(dtype::f32, m.cast(dtype::f16, of_f(m, 2049.0)))); },
     CONSTANT_F("2048")},
    {"f16_sums_round",
     [](builder& m) {
       const auto sum = m.binary(op::add, m.constant(dtype::f16, {4}, 2048.0), m.constant(dtype::f16, {4}, 1.0));
       put_f(m, m.cast(dtype::f32, sum));
     },
     CONSTANT_F("2048")},
    {"minimum_takes_the_nan", [](builder& m) { put_f(m, m.binary(op::minimum, of_f(m, nan), of_f(m, 1))); },
     CONSTANT_F("nan")},
    {"minimum_takes_minus_zero", [](builder& m) { put_f(m, m.binary(op::minimum, of_f(m, 0.0), of_f(m, -0.0))); },
     CONSTANT_F("-0")},
    {"comparison_with_nan",
     [](builder& m) { put(m, m.select(m.compare(op::less, of_f(m, nan), of_f(m, 1)), of(m, 3), of(m, 4))); },
     CONSTANT("4")},
    {"bits_of_a_float", [](builder& m) { put(m, m.bitcast(dtype::i32, of_f(m, 1.0))); }, CONSTANT("1065353216")},
    {"shapes_of_a_splat",
     [](builder& m) {
       const auto wide = m.broadcast(m.constant(dtype::i32, {}, 9), {2, 8});
       put(m, m.reshape(m.extract(m.transpose(wide), {2, 2}, {1, 0}), {4}));
     },
     CONSTANT("9")},
    {"greatest_of_a_splat", [](builder& m) { put(m, m.broadcast(m.reduce(op::reduce_max, of(m, 5), 0), {4})); },
     CONSTANT("5")},
    // ---- Identities
    {"add_zero", [](builder& m) { put(m, m.binary(op::add, of(m, 0), load(m))); }, UNCHANGED},
    {"multiply_by_one", [](builder& m) { put(m, m.binary(op::multiply, load(m), of(m, 1))); }, UNCHANGED},
    {"multiply_by_zero", [](builder& m) { put(m, m.binary(op::multiply, load(m), of(m, 0))); }, CONSTANT("0")},
    {"subtract_itself",
     [](builder& m) {
       const auto x = load(m);
       put(m, m.binary(op::subtract, x, x));
     },
     CONSTANT("0")},
    {"and_all_ones", [](builder& m) { put(m, m.binary(op::bit_and, load(m), of(m, -1))); }, UNCHANGED},
    {"cast_to_itself", [](builder& m) { put(m, m.cast(dtype::i32, load(m))); }, UNCHANGED},
    {"select_of_equals",
     [](builder& m) {
       const auto x = load(m);
       put(m, m.select(m.compare(op::less, x, of(m, 3)), x, x));
     },
     UNCHANGED},
    {"float_add_zero_stays",  // -0 + 0 is +0
     [](builder& m) { put_f(m, sequenced_f(m, op::add, 0)); },
     LOAD_F "  %2: f32[4] = constant 0\n  %3: f32[4] = add %1, %2\n  store %3 5\n"},
    {"float_subtract_zero", [](builder& m) { put_f(m, m.binary(op::subtract, load_f(m), of_f(m, 0))); }, UNCHANGED_F},
    {"float_multiply_by_zero_stays",  // a NaN stays a NaN
     [](builder& m) { put_f(m, sequenced_f(m, op::multiply, 0)); },
     LOAD_F "  %2: f32[4] = constant 0\n  %3: f32[4] = multiply %1, %2\n  store %3 5\n"},
    // ---- Equal values and stores
    {"equal_values_merge",
     [](builder& m) {
       const auto a = sequenced(m, op::add, 3), b = sequenced(m, op::add, 3);
       put(m, m.binary(op::multiply, a, b));
     },
     LOAD "  %2: i32[4] = constant 3\n  %3: i32[4] = add %1, %2\n  %4: i32[4] = multiply %3, %3\n  store %4 0\n"},
    {"loads_of_an_output_merge",
     [](builder& m) {
       const auto a = m.load_piece({1}), b = m.load_piece({1});
       put(m, m.binary(op::add, a, b));
     },
     "\n  %0: i32[4] = load_piece 1\n  %1: i32[4] = add %0, %0\n  store %1 0\n"},
    {"a_store_keeps_loads_apart",
     [](builder& m) {
       const auto a = m.load_piece({1});
       m.store({1}, of(m, 1));
       put(m, m.binary(op::add, a, m.load_piece({1})));
     },
     "\n  %0: i32[4] = load_piece 1\n  %1: i32[4] = constant 1\n  store %1 1\n  %2: i32[4] = load_piece 1\n"
     "  %3: i32[4] = add %0, %2\n  store %3 0\n"},
    {"a_store_in_a_loop_keeps_loads_apart",
     [](builder& m) {
       const auto before = m.load_piece({1});
       m.for_begin(m.tiles({2}, 0, 4));
       m.store({1}, m.binary(op::add, m.load_piece({1}), before));
       m.for_end();
       put(m, m.load_piece({1}));
     },
     "\n  %0: i32[4] = load_piece 1\n  %1: index narrow = tiles 2 0 4\n  %2: index narrow = constant 0\n"
     "  %3: index narrow = constant 1\n  for %4 = %2 to %1 step %3\n    %5: i32[4] = load_piece 1\n"
     "    %6: i32[4] = add %5, %0\n    store %6 1\n  %7: i32[4] = load_piece 1\n  store %7 0\n"},
    {"branches_do_not_share_with_each_other",
     [](builder& m) {
       const auto i = m.block_id(0);
       m.if_begin(m.compare(op::less, i, m.index(3)));
       put(m, load(m));
       m.if_else();
       m.store({1}, load(m));
       m.if_end();
     },
     "\n  %0: index narrow = block_id 0\n  %1: index narrow = constant 3\n  %2: bool = less %0, %1\n  if %2\n"
     "    %3: i32[4] = load %0 2 0\n    store %3 0\n  else\n    %4: i32[4] = load %0 2 0\n    store %4 1\n"},
    // ---- Dead code and control flow
    {"unused_values_go",
     [](builder& m) {
       const auto x = load(m);
       m.unary(op::negate, m.binary(op::multiply, x, x));
       put(m, x);
     },
     UNCHANGED},
    {"a_known_branch_is_taken",
     [](builder& m) {
       const auto x = m.copy(load(m));
       m.if_begin(m.compare(op::less, m.index(3), m.index(2)));
       m.assign(x, of(m, 0));
       m.if_else();
       m.if_end();
       put(m, x);
     },
     UNCHANGED},
    {"a_branch_known_from_ranges_is_taken",
     [](builder& m) {
       const auto x = m.copy(load(m));
       m.if_begin(m.compare(op::less, m.block_id(0), m.index(0)));
       m.assign(x, of(m, 0));
       m.if_else();
       m.if_end();
       put(m, x);
     },
     UNCHANGED},
    {"a_loop_that_never_runs_goes",
     [](builder& m) {
       const auto x = m.copy(load(m));
       m.for_begin(m.index(0));
       m.assign(x, of(m, 0));
       m.for_end();
       put(m, x);
     },
     UNCHANGED},
    {"a_loop_that_runs_once_is_its_body",
     [](builder& m) {
       const auto x = m.copy(load(m));
       m.for_begin(m.index(0), m.index(5), m.index(7));
       m.assign(x, m.binary(op::add, x, of(m, 2)));
       m.for_end();
       put(m, x);
     },
     LOAD "  %2: i32[4] = constant 2\n  %3: i32[4] = add %1, %2\n  store %3 0\n"},
    {"a_carried_value_that_nothing_reads_goes",
     [](builder& m) {
       const auto sum = m.copy(of(m, 0)), unused = m.copy(of(m, 1));
       const auto k = m.for_begin(m.tiles({2}, 0, 4));
       m.assign(sum, m.binary(op::add, sum, m.load({2}, {4}, {k})));
       m.assign(unused, m.binary(op::multiply, unused, sum));
       m.for_end();
       put(m, sum);
     },
     "\n  %0: i32[4] = constant 0\n  %1: index narrow = tiles 2 0 4\n  %2: index narrow = constant 0\n"
     "  %3: index narrow = constant 1\n  %8: i32[4] = for %4 = %2 to %1 step %3 carrying %5 = %0\n"
     "    %6: i32[4] = load %4 2 0\n    %7: i32[4] = add %5, %6\n    yield %7\n  store %8 0\n"},
    {"a_carried_value_that_never_changes_is_its_start",
     [](builder& m) {
       const auto sum = m.copy(of(m, 0)), factor = m.copy(of(m, 3));
       const auto k = m.for_begin(m.tiles({2}, 0, 4));
       m.assign(sum, m.binary(op::add, sum, m.binary(op::multiply, m.load({2}, {4}, {k}), factor)));
       m.assign(factor, m.binary(op::add, factor, of(m, 0)));
       m.for_end();
       put(m, m.binary(op::add, sum, factor));
     },
     "\n  %0: i32[4] = constant 0\n  %1: i32[4] = constant 3\n  %2: index narrow = tiles 2 0 4\n"
     "  %3: index narrow = constant 0\n  %4: index narrow = constant 1\n"
     "  %10: i32[4] = for %5 = %3 to %2 step %4 carrying %6 = %0\n    %7: i32[4] = load %5 2 0\n"
     "    %8: i32[4] = multiply %7, %1\n    %9: i32[4] = add %6, %8\n    yield %9\n"
     "  %11: i32[4] = add %10, %1\n  store %11 0\n"},
    {"a_loop_that_only_computes_goes",
     [](builder& m) {
       const auto sum = m.copy(of(m, 0));
       m.for_begin(m.tiles({2}, 0, 4));
       m.assign(sum, m.binary(op::add, sum, of(m, 1)));
       m.for_end();
       put(m, load(m));
     },
     UNCHANGED},
    {"a_while_loop_that_nothing_reads_goes",
     [](builder& m) {
       const auto x = load(m), unused = m.copy(of(m, 1)), rounds = m.copy(m.index(0));
       m.while_begin();
       m.while_condition(m.compare(op::less, rounds, m.index(5)));
       m.assign(unused, m.binary(op::multiply, unused, x));
       m.assign(rounds, m.binary(op::add, rounds, m.index(1)));
       m.while_end();
       put(m, x);
     },
     UNCHANGED},
    {"a_while_loop_carries_what_changes_and_is_read",
     [](builder& m) {
       const auto x = load(m), unused = m.copy(of(m, 1)), factor = m.copy(of(m, 3)), rounds = m.copy(m.index(0));
       m.while_begin();
       m.while_condition(m.compare(op::less, rounds, m.index(5)));
       m.assign(unused, m.binary(op::multiply, unused, x));
       m.assign(x, m.binary(op::multiply, x, factor));
       m.assign(factor, m.binary(op::add, factor, of(m, 0)));
       m.assign(rounds, m.binary(op::add, rounds, m.index(1)));
       m.while_end();
       put(m, x);
     },
     LOAD "  %2: i32[4] = constant 3\n  %3: index narrow = constant 0\n"
          "  %11: i32[4], %12: index = while carrying %4 = %1, %5 = %3\n"
          "    %6: index narrow = constant 5\n    %7: bool = less %5, %6\n    while_condition %7\n"
          "    %8: i32[4] = multiply %4, %2\n    %9: index narrow = constant 1\n    %10: index = add %5, %9\n"
          "    yield %8, %10\n  store %11 0\n"},
    // ---- Narrow indices
    {"narrow_where_the_launch_says_so",
     [](builder& m) {
       const auto s = m.cast(dtype::index, m.scalar_value({4}));
       const auto i = m.block_id(0);
       const auto near = m.binary(op::add, m.binary(op::multiply, i, m.index(4)), s);
       put(m, m.cast(dtype::i32, m.broadcast(m.reshape(m.binary(op::multiply, near, near), {1}), {4})));
     },
     "\n  %0: i32 = scalar 4\n  %1: index narrow = cast %0\n  %2: index narrow = block_id 0\n"
     "  %3: index narrow = constant 4\n  %4: index narrow = multiply %2, %3\n  %5: index narrow = add %4, %1\n"
     "  %6: index = multiply %5, %5\n  %7: index[1] = reshape %6\n  %8: index[4] = broadcast %7\n"
     "  %9: i32[4] = cast %8\n  store %9 0\n"},
};
INSTANTIATE_TEST_SUITE_P(Each, Simplify, testing::ValuesIn(simplify_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(SimplifyFacts, AnAxisOfOnePieceHasBlockZeroOnly) {
  builder m("k");
  const auto z = m.out(dtype::f32, {4, 8});
  const auto x = m.in(dtype::f32, {dynamic_extent, 8});
  m.store(z, m.load(x, {4, 8}, {m.block_id(0), m.block_id(1)}));
  program made = bind(m.view(), bind_arguments(m.view(), {dense({64, 8}, {4, 8}), dense({64, 8})}, {}, {}).special);
  simplify(made);
  EXPECT_NE(to_text(made).find("  %1: index narrow = constant 0\n  %2: f32[4, 8] = load %0, %1 1 0\n"),
            std::string::npos)
      << to_text(made);
}

TEST(SimplifyFacts, FixedExtentsAreNumbers) {
  builder m("k");
  const auto n = m.symbol("N");
  const auto z = m.out(dtype::index, {4});
  const auto x = m.in(dtype::f32, {n});
  m.store(z, m.broadcast(m.reshape(m.binary(op::add, m.extent(x, 0), m.tiles(x, 0, 4)), {1}), {4}));
  program made = bind(m.view(), bind_arguments(m.view(), {dense({4}, {4}), dense({10})}, {}, {}).special);
  simplify(made);
  EXPECT_NE(to_text(made).find("constant 13"), std::string::npos) << to_text(made);
}

// A walk over what whole tiles leave: none where the tiles divide the axis, else as many as there are.
TEST(SimplifyFacts, AnExtentOverATileThatDividesItIsTheNumberOfTiles) {
  const auto text = [](index_t extent) {
    builder m("k");
    const auto z = m.out(dtype::index, {4});
    const auto x = m.in(dtype::f32, {dynamic_extent});
    const auto whole = m.binary(op::divide, m.extent(x, 0), m.constant(dtype::index, {}, 4));
    const auto count = m.tiles(x, 0, 4);
    m.store(z, m.broadcast(m.reshape(m.binary(op::subtract, count, whole), {1}), {4}));
    program made = bind(m.view(), bind_arguments(m.view(), {dense({4}, {4}), dense({extent})}, {}, {}).special);
    simplify(made);
    return to_text(made);
  };
  EXPECT_NE(text(64).find("constant 0"), std::string::npos) << text(64);
  EXPECT_EQ(text(64).find("= divide"), std::string::npos) << text(64);
  EXPECT_NE(text(62).find("= divide"), std::string::npos) << text(62);
}

TEST(SimplifyFacts, ALoopFromAValueToItselfIsNone) {
  builder m("k");
  const auto z = m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {dynamic_extent});
  const auto count = m.tiles(x, 0, 4);
  const auto sum = m.copy(m.constant(dtype::f32, {4}, 0.0));
  m.for_begin(count, count, m.constant(dtype::index, {}, 1));
  m.assign(sum, m.binary(op::add, sum, m.load(x, {4}, {m.block_id(0)})));
  m.for_end();
  m.store(z, sum);
  program made = bind(m.view(), bind_arguments(m.view(), {dense({4}, {4}), dense({64})}, {}, {}).special);
  simplify(made);
  EXPECT_EQ(to_text(made).find("for"), std::string::npos) << to_text(made);
}

}  // namespace
}  // namespace tilewright::compiler
