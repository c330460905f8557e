// SPDX-License-Identifier: Apache-2.0
// The bounds ladder: what is proved from the program, what is left to the launch or to the kernel, and what is refused.
#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using ast::dynamic_extent;
using ast::op;
using test::dense;
using test::module_builder;
using test::scalar_bits;
using test::tile_value;
using builder = module_builder;

// ---- One load at an index, in a kernel over z (one axis, pieces of 4) and x (two axes) ------------------------------
struct ladder_case {
  const char* name;
  std::function<void(builder&, test::parameter_index x)> build;
  std::string expected;  // checks of the launch, "residual" for one of the kernel; "refused: ..." with the message
};

class CheckLadder : public testing::TestWithParam<ladder_case> {};

std::string outcome(builder& m, const std::vector<argument>& arguments) {
  program made = bind(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
  try {
    check(made);
  } catch (const compile_error& e) {
    const std::string& what = e.parts().what;
    EXPECT_NE(std::string(e.what()).find("kernel 'ladder' at test.hpp:7"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("fix: "), std::string::npos) << e.what();
    return "refused: " + what.substr(0, what.find('\n'));
  }
  std::string text, line;
  for (std::istringstream lines(checks_text(made)); std::getline(lines, line);) {
    const std::size_t start = line.find(": ") + 2;
    text += (text.empty() ? "" : "; ") + line.substr(start, line.find("  (") - start);
  }
  return text;
}

TEST_P(CheckLadder, SettlesEachIndexWhereItCan) {
  builder m("ladder");
  m.at(7).out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
  m.scalar(dtype::i32);
  m.scalar(dtype::i64);
  m.in(dtype::i32, {dynamic_extent});
  GetParam().build(m, x);
  EXPECT_EQ(outcome(m, {dense({64}, {4}), dense({64, 64}), scalar_bits(1u << 30), scalar_bits(1u << 30), dense({64})}),
            GetParam().expected);
}

tile_value scalar32(builder& m) { return m.cast(dtype::index, m.scalar_value({2})); }
tile_value scalar64(builder& m) { return m.cast(dtype::index, m.scalar_value({3})); }
void load(builder& m, test::parameter_index x, tile_value i, tile_value j) { m.load(x, {4, 8}, {i, j}); }
tile_value sum(builder& m, tile_value a, tile_value b) { return m.binary(op::add, a, b); }
tile_value least(builder& m, tile_value a, tile_value b) { return m.binary(op::minimum, a, b); }
tile_value greatest(builder& m, tile_value a, tile_value b) { return m.binary(op::maximum, a, b); }
tile_value last_tile(builder& m, test::parameter_index x) {
  return m.binary(op::subtract, m.tiles(x, 1, 8), m.index(1));
}
// Loads tile (k, 0) for k from 0 to x.tiles(0), so that only column 0 is left to the launch.
constexpr const char* column_zero = "0 <= (((extent(1, 1) + 7) floor_div 8) + -1)";

const ladder_case ladder_cases[] = {
    {"block_id_against_tiles", [](builder& m, auto x) { load(m, x, m.block_id(0), last_tile(m, x)); },
     "(grid(0) + -1) <= (((extent(1, 0) + 3) floor_div 4) + -1); 0 <= (((extent(1, 1) + 7) floor_div 8) + -1)"},
    {"loop_to_the_tile_count",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 1, 8));
       load(m, x, m.block_id(0), k);
       m.for_end();
     },
     "(grid(0) + -1) <= (((extent(1, 0) + 3) floor_div 4) + -1) when 0 <= (((extent(1, 1) + 7) floor_div 8) + -1)"},
    {"loop_to_another_tile_count",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       load(m, x, k, k);
       m.for_end();
     },
     "(((extent(1, 0) + 3) floor_div 4) + -1) <= (((extent(1, 1) + 7) floor_div 8) + -1) when 0 <= "
     "(((extent(1, 0) + 3) floor_div 4) + -1)"},
    {"loop_to_the_lesser_of_two",
     [](builder& m, auto x) {
       const auto count = least(m, sum(m, m.block_id(0), m.index(1)), m.tiles(x, 1, 8));
       const auto k = m.for_begin(count);
       load(m, x, m.index(0), k);
       m.for_end();
     },
     "0 <= (((extent(1, 0) + 3) floor_div 4) + -1) when 0 <= ((grid(0) min ((extent(1, 1) + 7) floor_div 8)) + -1)"},
    {"loop_that_starts_later",  // first + k with k < tiles - first: the two firsts cancel out
     [](builder& m, auto x) {
       const auto first = m.block_id(0);
       const auto k = m.for_begin(m.binary(op::subtract, m.tiles(x, 1, 8), first));
       const auto zero = m.index(0);
       load(m, x, least(m, zero, zero), sum(m, first, k));
       m.for_end();
     },
     "0 <= (((extent(1, 0) + 3) floor_div 4) + -1) when 0 <= (((extent(1, 1) + 7) floor_div 8) + -1)"},
    {"grouped_heads",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 1, 8));
       load(m, x, m.binary(op::divide, m.block_id(0), m.index(3)), k);
       m.for_end();
     },
     "(((grid(0) + 2) floor_div 3) + -1) <= (((extent(1, 0) + 3) floor_div 4) + -1) when 0 <= "
     "(((extent(1, 1) + 7) floor_div 8) + -1)"},
    {"remainder_of_a_block_id",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 1, 8));
       load(m, x, m.binary(op::remainder, m.block_id(0), m.tiles(x, 0, 4)), k);
       m.for_end();
     },
     "1 <= ((extent(1, 0) + 3) floor_div 4)"
     " when 0 <= (((extent(1, 1) + 7) floor_div 8) + -1)"},
    {"literal_zero", [](builder& m, auto x) { load(m, x, m.index(0), m.index(0)); },
     std::string("0 <= (((extent(1, 0) + 3) floor_div 4) + -1); ") + column_zero},
    {"negative_literal", [](builder& m, auto x) { load(m, x, m.index(-1), last_tile(m, x)); },
     "refused: broken: a tile index of parameter 1 (In) on axis 0 is not negative"},
    {"windows_by_shifts",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.index(3));
       const auto first = m.binary(op::multiply, m.block_id(0), m.index(4));
       m.load_window(x, {4, 8}, {1, 64}, {sum(m, first, k), m.index(0)});
       m.for_end();
     },
     "((grid(0) * 4) + -2) <= (extent(1, 0) + -1)"},
    {"window_in_front_of_the_tensor",
     [](builder& m, auto x) {
       m.load_window(x, {4, 8}, {1, 8}, {m.index(-1), last_tile(m, x)});
     },
     "refused: broken: a window index of parameter 1 (In) on axis 0 is not negative"},
    {"window_of_data",
     [](builder& m, auto x) {
       const auto id = m.cast(dtype::index, m.reshape(m.load({4}, {1}, {m.block_id(0)}), {}));
       m.load_window(x, {4, 8}, {2, 8}, {id, last_tile(m, x)});
     },
     "(grid(0) + -1) <= (extent(4, 0) + -1); 0 <= (((extent(1, 1) + 7) floor_div 8) + -1); residual"},
    {"past_the_last",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       load(m, x, k, m.tiles(x, 1, 8));
       m.for_end();
     },
     // In a loop that may not run, so the launch decides.
     "((extent(1, 1) + 7) floor_div 8) <= (((extent(1, 1) + 7) floor_div 8) + -1) when 0 <= "
     "(((extent(1, 0) + 3) floor_div 4) + -1)"},
    {"past_the_last_for_sure", [](builder& m, auto x) { load(m, x, m.index(0), m.tiles(x, 1, 8)); },
     "refused: broken: a tile index of parameter 1 (In) on axis 1 stays under the number of tiles"},
    {"scalar_of_32_bits",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       load(m, x, k, scalar32(m));
       m.for_end();
     },
     "0 <= scalar(2) when 0 <= (((extent(1, 0) + 3) floor_div 4) + -1); "
     "scalar(2) <= (((extent(1, 1) + 7) floor_div 8) + -1) when 0 <= (((extent(1, 0) + 3) floor_div 4) + -1)"},
    {"scalar_of_64_bits_may_not_overflow",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       const auto position = m.binary(op::floor_div, sum(m, scalar64(m), m.index(8)), m.index(8));
       load(m, x, k, least(m, greatest(m, position, m.index(0)), last_tile(m, x)));
       m.for_end();
     },
     "0 <= ((((scalar(3) floor_div 8) + 1) max 0) min (((extent(1, 1) + 7) floor_div 8) + -1)) when 0 <= "
     "(((extent(1, 0) + 3) floor_div 4) + -1); "
     "scalar(3) <= 9007199254740992; -9007199254740992 <= scalar(3)"},
    {"condition_in_front",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       const auto j = scalar32(m);
       const auto is_inside =
           m.binary(op::bit_and, m.compare(op::less, j, m.tiles(x, 1, 8)), m.compare(op::greater_equal, j, m.index(0)));
       m.if_begin(is_inside);
       load(m, x, k, j);
       m.if_else();
       m.if_end();
       m.for_end();
     },
     ""},
    {"condition_negated",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       const auto j = scalar32(m);
       m.if_begin(
           m.binary(op::bit_or, m.compare(op::greater_equal, j, m.tiles(x, 1, 8)), m.compare(op::less, j, m.index(0))));
       m.if_else();
       load(m, x, k, j);
       m.if_end();
       m.for_end();
     },
     ""},
    {"required_in_front",  // what is required is compared once, and what it bounds never
     [](builder& m, auto x) {
       const auto j = scalar32(m);
       m.require(m.binary(op::bit_and, m.compare(op::less, j, m.tiles(x, 1, 8)),
                          m.compare(op::greater_equal, j, m.index(0))));
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       load(m, x, k, j);
       m.for_end();
     },
     "scalar(2) <= (((extent(1, 1) + 7) floor_div 8) + -1); 0 <= scalar(2)"},
    {"required_negated",
     [](builder& m, auto x) {
       const auto j = scalar32(m);
       const auto is_outside =
           m.binary(op::bit_or, m.compare(op::greater_equal, j, m.tiles(x, 1, 8)), m.compare(op::less, j, m.index(0)));
       m.require(m.unary(op::bit_not, is_outside));
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       load(m, x, k, j);
       m.for_end();
     },
     "scalar(2) <= (((extent(1, 1) + 7) floor_div 8) + -1); 0 <= scalar(2)"},
    {"required_where_it_holds_anyway",
     [](builder& m, auto x) { m.require(m.compare(op::greater_equal, m.extent(x, 0), m.index(0))); }, ""},
    {"required_equal_and_above",
     [](builder& m, auto x) {
       m.require(m.compare(op::equal, m.extent(x, 0), m.extent(x, 1)));
       m.require(m.compare(op::greater, m.extent(x, 0), m.index(7)));
     },
     "extent(1, 0) <= extent(1, 1); extent(1, 1) <= extent(1, 0); 8 <= extent(1, 0)"},
    {"required_division_without_rest",
     [](builder& m, auto x) {
       m.require(m.compare(op::equal, m.binary(op::remainder, m.extent(x, 1), m.index(64)), m.index(0)));
     },
     "(extent(1, 1) - ((extent(1, 1) floor_div 64) * 64)) <= 0"},
    {"required_in_a_branch_holds_there_alone",
     [](builder& m, auto x) {
       const auto j = scalar32(m);
       m.if_begin(m.compare(op::less, m.index(9), m.extent(x, 0)));
       m.require(m.compare(op::equal, j, m.index(0)));
       m.if_else();
       m.if_end();
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       load(m, x, k, j);
       m.for_end();
     },
     "scalar(2) <= 0 when 0 <= (extent(1, 0) + -10); 0 <= scalar(2) when 0 <= (extent(1, 0) + -10); "
     "0 <= scalar(2) when 0 <= (((extent(1, 0) + 3) floor_div 4) + -1); "
     "scalar(2) <= (((extent(1, 1) + 7) floor_div 8) + -1) when 0 <= (((extent(1, 0) + 3) floor_div 4) + -1)"},
    {"required_of_data",
     [](builder& m, auto) {
       const auto page = m.reshape(m.reduce(op::reduce_max, m.load({4}, {4}, {m.index(0)}), 0), {});
       m.require(m.compare(op::less, page, m.constant(dtype::i32, {}, 9)));
     },
     "0 <= (((extent(4, 0) + 3) floor_div 4) + -1); residual"},
    {"required_of_data_bounds_nothing",  // a block goes on where it fails; the launch is asked what it can judge
     [](builder& m, auto x) {
       const auto page =
           m.cast(dtype::index, m.reshape(m.reduce(op::reduce_max, m.load({4}, {4}, {m.index(0)}), 0), {}));
       m.require(m.binary(op::bit_and, m.compare(op::less, m.index(6), m.extent(x, 0)),
                          m.binary(op::bit_and, m.compare(op::less_equal, m.index(0), page),
                                   m.compare(op::less, page, m.tiles(x, 0, 4)))));
       load(m, x, page, last_tile(m, x));
     },
     "0 <= (((extent(4, 0) + 3) floor_div 4) + -1); 7 <= extent(1, 0); "
     "0 <= (((extent(1, 1) + 7) floor_div 8) + -1); residual; residual"},
    {"required_to_differ", [](builder& m, auto x) { m.require(m.compare(op::not_equal, m.extent(x, 0), m.index(7))); },
     "residual"},
    {"required_either",
     [](builder& m, auto x) {
       m.require(m.binary(op::bit_or, m.compare(op::less, m.extent(x, 0), m.index(7)),
                          m.compare(op::less, m.extent(x, 1), m.index(7))));
     },
     "residual"},
    {"required_what_never_holds",
     [](builder& m, auto x) { m.require(m.compare(op::less, m.extent(x, 0), m.index(0))); },
     "refused: broken: a requirement holds"},
    {"data_of_8_bits",  // a small type bounds an index well enough
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles(x, 0, 4));
       load(m, x, k, m.cast(dtype::index, m.cast(dtype::u8, m.cast(dtype::index, m.scalar_value({3})))));
       m.for_end();
     },
     "255 <= (((extent(1, 1) + 7) floor_div 8) + -1) when 0 <= (((extent(1, 0) + 3) floor_div 4) + -1); "
     "scalar(3) <= 9007199254740992; -9007199254740992 <= scalar(3)"},
    {"data_without_a_clamp",
     [](builder& m, auto x) {
       const auto page = m.reduce(op::reduce_max, m.load({4}, {4}, {m.block_id(0)}), 0);
       load(m, x, m.cast(dtype::index, m.reshape(page, {})), m.index(0));
     },
     "(grid(0) + -1) <= (((extent(4, 0) + 3) floor_div 4) + -1); 0 <= (((extent(1, 1) + 7) floor_div 8) + -1); "
     "residual"},
    {"data_with_half_a_clamp",  // one check of the kernel for both sides, and none of the launch beside it
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles({4}, 0, 4));
       const auto page = m.cast(dtype::index, m.reshape(m.reduce(op::reduce_max, m.load({4}, {4}, {k}), 0), {}));
       load(m, x, greatest(m, page, m.index(0)), m.index(0));
       m.for_end();
     },
     std::string(column_zero) + " when 0 <= (((extent(4, 0) + 3) floor_div 4) + -1); residual"},
    {"past_the_last_where_data_decides",
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles({4}, 0, 4));
       const auto page = m.reshape(m.reduce(op::reduce_max, m.load({4}, {4}, {k}), 0), {});
       m.if_begin(m.compare(op::less, page, m.constant(dtype::i32, {}, 0)));
       load(m, x, m.tiles(x, 0, 4), last_tile(m, x));
       m.if_else();
       m.if_end();
       m.for_end();
     },
     "0 <= (((extent(1, 1) + 7) floor_div 8) + -1) when 0 <= (((extent(4, 0) + 3) floor_div 4) + -1); residual"},
    {"carried_index",
     [](builder& m, auto x) {
       const auto position = m.copy(m.index(0));
       m.for_begin(m.tiles(x, 0, 4));
       load(m, x, m.index(0), least(m, greatest(m, position, m.index(0)), last_tile(m, x)));
       m.assign(position, sum(m, position, m.index(1)));
       m.for_end();
     },
     "0 <= (0 min (((extent(1, 1) + 7) floor_div 8) + -1)) when 0 <= (((extent(1, 0) + 3) floor_div 4) + -1)"},
    {"carried_index_of_a_while_loop",  // data decides how often it goes round, so nothing is known but the condition
     [](builder& m, auto x) {
       const auto position = m.copy(m.index(0));
       m.while_begin();
       m.while_condition(m.compare(op::less, position, m.tiles(x, 0, 4)));
       load(m, x, greatest(m, position, m.index(0)), m.index(0));
       m.assign(position, sum(m, position, m.index(3)));
       m.while_end();
     },
     std::string(column_zero) + "; residual"},
    {"bounded_by_the_condition_of_a_while_loop",
     [](builder& m, auto x) {
       const auto position = m.copy(m.index(0));
       m.while_begin();
       m.while_condition(m.binary(op::bit_and, m.compare(op::less, position, m.tiles(x, 0, 4)),
                                  m.compare(op::less_equal, m.index(0), position)));
       load(m, x, position, m.index(0));
       m.assign(position, sum(m, position, m.index(3)));
       m.while_end();
     },
     column_zero},
    {"the_condition_holds_in_its_body_only",
     [](builder& m, auto x) {
       const auto position = m.copy(m.index(0));
       m.while_begin();
       m.while_condition(m.binary(op::bit_and, m.compare(op::less, position, m.tiles(x, 0, 4)),
                                  m.compare(op::less_equal, m.index(0), position)));
       m.assign(position, sum(m, position, m.index(3)));
       m.while_end();
       load(m, x, position, m.index(0));
     },
     std::string(column_zero) + "; residual"},
    {"division_by_an_extent", [](builder& m, auto x) { m.binary(op::divide, m.block_id(0), m.extent(x, 0)); }, ""},
    {"division_by_a_number", [](builder& m, auto) { m.binary(op::floor_mod, m.block_id(0), m.index(-3)); }, ""},
    {"division_by_zero", [](builder& m, auto) { m.binary(op::divide, m.block_id(0), m.index(0)); },
     "refused: broken: a divisor is not zero"},
    {"division_by_a_scalar", [](builder& m, auto) { m.binary(op::remainder, m.block_id(0), scalar32(m)); },
     "1 <= (scalar(2) max (scalar(2) * -1))"},
    {"division_by_data",
     [](builder& m, auto) {
       const auto data = m.constant(dtype::i32, {4}, 3);
       m.binary(op::divide, data,
                m.load({4}, {4}, {least(m, m.block_id(0), m.binary(op::subtract, m.tiles({4}, 0, 4), m.index(1)))}));
     },
     "0 <= (0 min (((extent(4, 0) + 3) floor_div 4) + -1)); residual"},
    {"division_by_a_loop_variable",  // a launch check would fail at every launch
     [](builder& m, auto) {
       const auto k = m.for_begin(m.index(4));
       m.binary(op::divide, m.block_id(0), k);
       m.for_end();
     },
     "residual"},
    {"remainder_by_data_bounds_nothing",  // by 0 it would be 0, which is not under 0
     [](builder& m, auto x) {
       const auto k = m.for_begin(m.tiles({4}, 0, 4));
       const auto d = m.cast(dtype::index, m.reshape(m.reduce(op::reduce_max, m.load({4}, {4}, {k}), 0), {}));
       const auto count = least(m, greatest(m, d, m.index(0)), m.tiles(x, 0, 4));
       load(m, x, m.binary(op::floor_mod, k, count), m.index(0));
       m.for_end();
     },
     std::string(column_zero) + " when 0 <= (((extent(4, 0) + 3) floor_div 4) + -1); residual; residual"},
    {"division_by_clamped_data",
     [](builder& m, auto) {
       const auto data = m.constant(dtype::i32, {4}, 3);
       const auto k = m.for_begin(m.tiles({4}, 0, 4));
       m.binary(op::divide, data, greatest(m, m.load({4}, {4}, {k}), m.constant(dtype::i32, {}, 1)));
       m.for_end();
     },
     ""},
    {"step_of_zero",
     [](builder& m, auto) {
       m.for_begin(m.index(0), m.index(4), m.index(0));
       m.for_end();
     },
     "refused: broken: the step of a range is at least 1"},
    {"step_from_a_scalar",
     [](builder& m, auto) {
       m.for_begin(m.index(0), m.index(4), scalar32(m));
       m.for_end();
     },
     "1 <= scalar(2)"},
    {"step_from_data",
     [](builder& m, auto) {
       const auto step = m.reshape(m.reduce(op::reduce_max, m.load({4}, {4}, {m.index(0)}), 0), {});
       m.for_begin(m.index(0), m.index(4), m.cast(dtype::index, step));
       m.assertion(m.constant(dtype::boolean, {}, 0));  // else nobody uses the range
       m.for_end();
     },
     "0 <= (((extent(4, 0) + 3) floor_div 4) + -1); residual; residual"},
};
INSTANTIATE_TEST_SUITE_P(Each, CheckLadder, testing::ValuesIn(ladder_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

// ---- The launch rung ------------------------------------------------------------------------------------------------
struct launch {
  program made;
  std::vector<argument> arguments;
  std::vector<index_t> grid;
};

launch gemm_launch(builder& m, index_t rows, index_t inner, index_t columns) {
  const auto z = m.out(dtype::f32, {32, 16});
  const auto x = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
  const auto y = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
  const auto acc = m.constant(dtype::f32, {32, 16}, 0);
  const auto k = m.for_begin(m.tiles(x, 1, 8), true);
  const auto a = m.load_padded(x, {32, 8}, {m.block_id(0), k}, 0);
  const auto b = m.at(40).load_padded(y, {8, 16}, {k, m.block_id(1)}, 0);
  m.assign(acc, m.mma(a, b, acc));
  m.for_end();
  m.store(z, acc);
  launch made;
  made.arguments = {dense({rows, columns}, {32, 16}), dense({rows, inner}), dense({inner, columns})};
  const bound_arguments bound = bind_arguments(m.view(), made.arguments, {}, {});
  made.grid = bound.grid;
  made.made = bind(m.view(), bound.special);
  check(made.made);
  return made;
}

TEST(VerifyLaunch, AcceptsExtentsThatFit) {
  for (const index_t inner : {0, 1, 8, 9, 1000}) {
    builder m("gemm");
    const launch l = gemm_launch(m, 33, inner, 17);
    EXPECT_NO_THROW(verify_launch(l.made, l.arguments, l.grid)) << inner;
  }
}

TEST(VerifyLaunch, AcceptsAGridWithoutBlocks) {
  builder m("gemm");
  const launch l = gemm_launch(m, 0, 8, 17);
  EXPECT_EQ(l.grid, (std::vector<index_t>{0, 2}));
  EXPECT_NO_THROW(verify_launch(l.made, l.arguments, l.grid));
}

TEST(VerifyLaunch, NamesTheLineAndBothValues) {
  builder m("gemm");
  launch l = gemm_launch(m, 64, 80, 32);
  l.arguments[2].extents[0] = 24;  // y has 3 tiles of rows, x has 10 of columns
  try {
    verify_launch(l.made, l.arguments, l.grid);
    FAIL() << "nothing was thrown";
  } catch (const usage_error& e) {
    EXPECT_EQ(e.parts().what,
              "broken for these arguments: a tile index of parameter 2 (In) on axis 0 stays under the number of tiles");
    EXPECT_EQ(e.parts().where, "kernel 'gemm' at test.hpp:40");
    EXPECT_EQ(e.parts().expected, "at most 2");
    EXPECT_EQ(e.parts().got, "9, with Out [64, 32], In [64, 80], In [24, 32]");
  }
}

// What is too small is told as such: the limit first, then what was given.
TEST(VerifyLaunch, NamesTheLeastWhereThereIsOne) {
  builder m("scalar");
  m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {dynamic_extent});
  m.load(x, {4}, {m.cast(dtype::index, m.scalar_value(m.scalar(dtype::i32)))});
  const std::vector<argument> arguments = {dense({8}, {4}), dense({12}), scalar_bits(0xfffffffd)};
  const bound_arguments bound = bind_arguments(m.view(), arguments, {}, {});
  program made = bind(m.view(), bound.special);
  check(made);
  try {
    verify_launch(made, arguments, bound.grid);
    FAIL() << "nothing was thrown";
  } catch (const usage_error& e) {
    EXPECT_EQ(e.parts().expected, "at least 0");
    EXPECT_EQ(e.parts().got, "-3, with Out [8], In [12], Scalar");
  }
}

TEST(VerifyLaunch, ReadsScalarsWithTheirSign) {
  builder m("scalar");
  m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {dynamic_extent});
  m.load(x, {4}, {m.cast(dtype::index, m.scalar_value(m.scalar(dtype::i32)))});
  const std::vector<argument> arguments = {dense({8}, {4}), dense({12}), scalar_bits(0xffffffff)};
  const bound_arguments bound = bind_arguments(m.view(), arguments, {}, {});
  program made = bind(m.view(), bound.special);
  check(made);
  EXPECT_THROW(verify_launch(made, arguments, bound.grid), usage_error) << "-1";
  EXPECT_NO_THROW(verify_launch(made, {arguments[0], arguments[1], scalar_bits(2)}, bound.grid));
  EXPECT_THROW(verify_launch(made, {arguments[0], arguments[1], scalar_bits(3)}, bound.grid), usage_error);
}

TEST(VerifyLaunch, ReportsArithmeticPast64Bits) {
  builder m("overflow");
  m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {dynamic_extent});
  const auto s = m.cast(dtype::index, m.scalar_value(m.scalar(dtype::i32)));
  const auto square = m.binary(op::multiply, s, s);
  m.load(x, {4}, {m.binary(op::multiply, square, square)});
  const std::vector<argument> arguments = {dense({8}, {4}), dense({12}), scalar_bits(0x7fffffff)};
  const bound_arguments bound = bind_arguments(m.view(), arguments, {}, {});
  program made = bind(m.view(), bound.special);
  check(made);
  EXPECT_THROW(verify_launch(made, arguments, bound.grid), usage_error);
  EXPECT_NO_THROW(verify_launch(made, {arguments[0], arguments[1], scalar_bits(1)}, bound.grid));
}

}  // namespace
}  // namespace tilewright::compiler
