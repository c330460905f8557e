// SPDX-License-Identifier: Apache-2.0
// Where residual checks stand after they left their loops, and what the report says of them.
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

// A sum of tiles of x, whose places come from a list.
struct looped {
  builder m{"looped"};
  test::parameter_index z = m.at(7).out(dtype::f32, {4}), x = m.in(dtype::f32, {dynamic_extent}),
                        list = m.in(dtype::i64, {dynamic_extent});
  tile_value sum = m.constant(dtype::f32, {4}, 0);
  bounds_report report;

  tile_value from_list() { return m.cast(dtype::index, m.reshape(m.load(list, {1}, {m.block_id(0)}), {})); }
  tile_value plus(tile_value a, tile_value b) { return m.binary(op::add, a, b); }
  void add_tile(tile_value place) { m.assign(sum, plus(sum, m.load(x, {4}, {place}))); }
  program checked() {
    m.store(z, sum);
    const std::vector<argument> arguments = {dense({64}, {4}), dense({64}), dense({64})};
    program made = bind(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
    check(made, &report);
    return made;
  }
};

// How many loops and branches stand around each assertion, in the order of the program.
void find_assertions(const block& code, int depth, std::vector<int>& found) {
  for (const instruction& next : code.body) {
    if (next.op == op::assertion) found.push_back(depth);
    for (const block& inner : next.blocks) find_assertions(inner, depth + 1, found);
  }
}
std::vector<int> depths(const program& source) {
  std::vector<int> found;
  find_assertions(source.entry, 0, found);
  return found;
}

TEST(CheckHoist, LeavesEveryLoopThatDoesNotDecide) {
  looped k;
  const auto page = k.from_list();
  k.m.for_begin(k.m.tiles(k.x, 0, 4));
  k.m.for_begin(k.m.tiles(k.x, 0, 4));
  k.m.at(9);
  k.add_tile(k.plus(page, k.m.index(1)));
  k.m.for_end();
  k.m.for_end();
  const program made = k.checked();
  EXPECT_EQ(depths(made), std::vector<int>{0});
  EXPECT_EQ(k.report.count(rung::hoisted), 1);
  EXPECT_EQ(k.report.count(rung::in_place), 0);
  ASSERT_EQ(made.residual_checks.size(), 1u);
  EXPECT_TRUE(made.residual_checks[0].is_hoisted);
  EXPECT_EQ(describe_location(*made.module, made.residual_checks[0].location), "kernel 'looped' at test.hpp:9");
  EXPECT_NE(checks_text(made).find(": hoisted  (a tile index of parameter 1 (In) on axis 0 stays within the tiles: it "
                                   "depends on data loaded from parameter 2)"),
            std::string::npos)
      << checks_text(made);
}

TEST(CheckHoist, StopsBeforeALoopThatDecidesHowOftenTheOtherRuns) {
  looped k;
  const auto page = k.from_list();
  const auto i = k.m.for_begin(k.m.tiles(k.x, 0, 4));
  const auto j = k.m.for_begin(i);
  k.add_tile(k.plus(page, j));
  k.m.for_end();
  k.m.for_end();
  EXPECT_EQ(depths(k.checked()), std::vector<int>{1});
}

TEST(CheckHoist, LeavesALoopButNotTheBranchAroundIt) {
  looped k;
  const auto page = k.from_list();
  k.m.for_begin(k.m.tiles(k.x, 0, 4));
  k.m.if_begin(k.m.compare(op::less, k.m.block_id(0), page));
  k.m.for_begin(k.m.tiles(k.x, 0, 4));
  k.add_tile(page);
  k.m.for_end();
  k.m.if_end();
  k.m.for_end();
  EXPECT_EQ(depths(k.checked()), std::vector<int>{2});
}

// An index of two ranges: which round is the first outside takes both.
TEST(CheckHoist, LeavesOneLoopWhereTwoCount) {
  looped k;
  const auto page = k.from_list();
  const auto i = k.m.for_begin(k.m.tiles(k.x, 0, 4));
  const auto j = k.m.for_begin(k.m.tiles(k.x, 0, 4));
  k.add_tile(k.plus(page, k.plus(i, j)));
  k.m.for_end();
  k.m.for_end();
  EXPECT_EQ(depths(k.checked()), std::vector<int>{1});
}

struct staying_case {
  const char* name;
  void (*record)(looped& k);
};
const staying_case staying_cases[] = {
    {"loaded_inside",
     [](looped& k) {
       const auto i = k.m.for_begin(k.m.tiles(k.list, 0, 1));
       k.add_tile(k.m.cast(dtype::index, k.m.reshape(k.m.load(k.list, {1}, {i}), {})));
       k.m.for_end();
     }},
    {"in_a_branch",
     [](looped& k) {
       const auto page = k.from_list();
       const auto i = k.m.for_begin(k.m.tiles(k.x, 0, 4));
       k.m.if_begin(k.m.compare(op::less, i, k.m.index(2)));
       k.add_tile(page);
       k.m.if_end();
       k.m.for_end();
     }},
    {"not_even_steps",
     [](looped& k) {
       const auto page = k.from_list();
       const auto i = k.m.for_begin(k.m.tiles(k.x, 0, 4));
       k.add_tile(k.plus(page, k.m.binary(op::multiply, i, i)));
       k.m.for_end();
     }},
    {"steps_that_are_data",
     [](looped& k) {
       const auto page = k.from_list();
       const auto i = k.m.for_begin(k.m.index(0), k.m.tiles(k.x, 0, 4), k.m.binary(op::maximum, page, k.m.index(1)));
       k.add_tile(k.plus(page, i));
       k.m.for_end();
     }},
    {"masked_where_it_counts",
     [](looped& k) {
       const auto page = k.from_list();
       const auto i = k.m.for_begin(k.m.tiles(k.x, 0, 4));
       const auto is_first = k.m.compare(op::less, i, k.m.index(1));
       k.m.assign(k.sum, k.plus(k.sum, k.m.gather(k.x, {}, {k.plus(page, i), is_first}, true)));
       k.m.for_end();
     }},
    {"doubled_often",
     [](looped& k) {
       auto place = k.plus(k.from_list(), k.m.for_begin(k.m.tiles(k.x, 0, 4)));
       for (int i = 0; i < 40; ++i) place = k.plus(place, place);
       k.add_tile(place);
       k.m.for_end();
     }},
    {"in_a_while",
     [](looped& k) {
       const auto page = k.from_list();
       const auto left = k.m.copy(k.m.index(3));
       k.m.while_begin();
       k.m.while_condition(k.m.compare(op::greater, left, k.m.index(0)));
       k.add_tile(page);
       k.m.assign(left, k.m.binary(op::subtract, left, k.m.index(1)));
       k.m.while_end();
     }},
};

class CheckHoistStays : public testing::TestWithParam<staying_case> {};

TEST_P(CheckHoistStays, InPlace) {
  looped k;
  GetParam().record(k);
  const program made = k.checked();
  EXPECT_TRUE(depths(made).empty());
  EXPECT_EQ(k.report.count(rung::hoisted), 0);
  EXPECT_EQ(k.report.count(rung::in_place), 1);
}
INSTANTIATE_TEST_SUITE_P(Each, CheckHoistStays, testing::ValuesIn(staying_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

// What its author asserts fails first, if a round before would.
TEST(CheckHoist, DoesNotPassAnAssertion) {
  looped k;
  const auto page = k.from_list();
  const auto i = k.m.for_begin(k.m.tiles(k.x, 0, 4));
  k.m.assertion(k.m.compare(op::less, page, i));
  k.add_tile(page);
  k.m.for_end();
  EXPECT_EQ(depths(k.checked()), std::vector<int>{1});
  EXPECT_EQ(k.report.count(rung::hoisted), 0);
}

// It is still a check that the kernel makes.
TEST(CheckHoist, IsDeniedWithTheOthers) {
  looped k;
  const auto page = k.from_list();
  k.m.for_begin(k.m.tiles(k.x, 0, 4));
  k.add_tile(page);
  k.m.for_end();
  EXPECT_THROW(refuse_residual_checks(k.checked()), compile_error);
}

}  // namespace
}  // namespace tilewright::compiler
