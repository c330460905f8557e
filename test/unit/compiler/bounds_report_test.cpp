// SPDX-License-Identifier: Apache-2.0
// What the bounds ladder reports: the rung of each obligation, why a check stayed and how to do without it; and what
// becomes of a kernel that denies residual checks.
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
using test::scalar_bits;
using test::tile_value;
using builder = test::module_builder;

// A kernel over z (pieces of 4), x and a list of integers, and a 64-bit scalar.
struct ladder {
  builder m{"ladder"};
  test::parameter_index z = m.at(7).out(dtype::f32, {4});
  test::parameter_index x = m.in(dtype::f32, {dynamic_extent});
  test::parameter_index list = m.in(dtype::i32, {dynamic_extent});
  test::parameter_index wide = m.scalar(dtype::i64);

  tile_value from_list() { return m.cast(dtype::index, m.reshape(m.load(list, {1}, {m.block_id(0)}), {})); }
  tile_value wide_scalar() { return m.cast(dtype::index, m.scalar_value(wide)); }
  void load_x(tile_value i) { m.load(x, {4}, {i}); }

  program checked(bounds_report* report = nullptr) {
    const std::vector<argument> arguments = {dense({64}, {4}), dense({64}), dense({64}), scalar_bits(1u << 30)};
    program made = bind(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
    check(made, report);
    return made;
  }
  bounds_report report() {
    bounds_report told;
    checked(&told);
    return told;
  }
};

TEST(BoundsReport, SaysOfEachObligationWhereItWasSettled) {
  ladder k;
  const auto i = k.m.for_begin(k.m.tiles(k.x, 0, 4));
  k.load_x(i);
  k.m.for_end();
  k.load_x(k.m.block_id(0));
  k.load_x(k.from_list());
  const bounds_report told = k.report();
  EXPECT_EQ(told.count(rung::proved), 2) << "the step of the range, and the index that counts";
  EXPECT_EQ(told.count(rung::launch), 2) << "tile block_id of x, and of the list";
  EXPECT_EQ(told.count(rung::in_place), 1);
  const bounds_entry &step = told.entries.front(), &last = told.entries.back();
  EXPECT_EQ(step.rule, "the step of a range is at least 1");
  EXPECT_EQ(step.reason, "");
  EXPECT_EQ(step.fix, "");
  EXPECT_EQ(told.entries[2].rule, "a tile index of parameter 1 (In) on axis 0 stays within the tiles");
  EXPECT_EQ(told.entries[2].reason, "(grid(0) + -1) <= (((extent(1, 0) + 3) floor_div 4) + -1)");
  EXPECT_EQ(last.rule, "a tile index of parameter 1 (In) on axis 0 stays within the tiles");
  EXPECT_EQ(last.reason, "it depends on data loaded from parameter 2");
  EXPECT_NE(last.fix.find("min(i, x.tiles(axis) - 1)"), std::string::npos);
  EXPECT_EQ(std::string(name_of(step.where)) + ", " + name_of(told.entries[2].where) + ", " + name_of(last.where),
            "static, launch, in place");
}

TEST(BoundsReport, ChangesNothing) {
  ladder k;
  k.load_x(k.from_list());
  k.load_x(k.m.binary(op::divide, k.wide_scalar(), k.from_list()));
  bounds_report told;
  EXPECT_EQ(checks_text(k.checked(&told)), checks_text(k.checked()));
  EXPECT_EQ(to_text(k.checked(&told)), to_text(k.checked()));
}

// What TILEWRIGHT_DUMP=checks prints.
TEST(BoundsReport, IsInTheTextOfTheChecks) {
  ladder k;
  k.load_x(k.from_list());
  const std::string text = checks_text(k.checked());
  EXPECT_NE(
      text.find("kernel 'ladder' at test.hpp:7: residual  (a tile index of parameter 1 (In) on axis 0 stays within "
                "the tiles: it depends on data loaded from parameter 2)"),
      std::string::npos)
      << text;
}

TEST(BoundsReport, SaysWhatARequirementProves) {
  ladder k;
  const auto wide = k.wide_scalar();
  k.m.require(k.m.compare(op::greater_equal, wide, k.m.index(0)));
  k.m.require(k.m.compare(op::less, wide, k.m.tiles(k.x, 0, 4)));
  k.load_x(wide);
  const bounds_report told = k.report();
  ASSERT_EQ(told.entries.size(), 4u);
  EXPECT_EQ(told.entries[0].where, rung::launch);
  EXPECT_EQ(told.entries[1].where, rung::launch);
  EXPECT_EQ(told.entries[2].where, rung::proved);
  EXPECT_EQ(told.entries[2].reason, "given what the kernel requires");
  EXPECT_EQ(told.entries[3].rule, "scalar parameter 3 stays within 2^53");
}

TEST(BoundsReport, SaysOfStepsRequirementsAndAssertionsWhatTheKernelChecks) {
  ladder k;
  const auto number = k.from_list();
  k.m.for_begin(k.m.index(0), k.m.index(4), number);
  k.m.for_end();
  k.m.require(k.m.compare(op::less, number, k.m.index(9)));
  k.m.require(k.m.compare(op::not_equal, k.m.extent(k.x, 0), k.m.index(7)));
  k.m.assertion(k.m.compare(op::less, number, k.m.index(9)));
  k.m.assertion(k.m.compare(op::less, k.m.index(8), k.m.index(9)));
  const bounds_report told = k.report();
  ASSERT_EQ(told.entries.size(), 6u) << "and the place in the list";
  const std::vector<bounds_entry> left(told.entries.begin() + 1, told.entries.begin() + 5);
  const char* expected[][2] = {{"the step of a range is at least 1", "it depends on data loaded from parameter 2"},
                               {"a requirement holds", "it depends on data loaded from parameter 2"},
                               {"a requirement holds", "no launch judges the result of not_equal"},
                               {"an assertion holds", "its author asks for it"}};
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].where, rung::in_place);
    EXPECT_EQ(left[i].rule, expected[i][0]);
    EXPECT_EQ(left[i].reason, expected[i][1]);
    EXPECT_NE(left[i].fix, "");
  }
  EXPECT_EQ(told.entries.back().where, rung::proved);
}

struct reason_case {
  const char* name;
  std::function<tile_value(ladder&)> index;
  const char* reason;
};
const reason_case reason_cases[] = {
    {"data", [](ladder& k) { return k.from_list(); }, "it depends on data loaded from parameter 2"},
    {"data_behind_arithmetic",
     [](ladder& k) {
       return k.m.binary(op::add, k.m.block_id(0), k.m.binary(op::minimum, k.from_list(), k.m.index(3)));
     },
     "it depends on data loaded from parameter 2"},
    {"data_behind_a_loop",
     [](ladder& k) {
       const auto i = k.m.for_begin(k.from_list());
       return k.m.binary(op::add, i, k.m.index(0));
     },
     "it depends on data loaded from parameter 2"},
    {"carried",
     [](ladder& k) {
       const auto carried = k.m.copy(k.m.index(0));
       k.m.for_begin(k.m.tiles(k.x, 0, 4));
       k.m.assign(carried, k.m.binary(op::add, carried, k.m.index(1)));
       k.m.for_end();
       return carried;
     },
     "it depends on a value that a loop carries"},
    {"unfollowed", [](ladder& k) { return k.m.binary(op::bit_xor, k.m.block_id(0), k.m.index(1)); },
     "nothing bounds the result of bit_xor, a value of type index"},
    {"narrowed", [](ladder& k) { return k.m.cast(dtype::index, k.m.cast(dtype::i32, k.wide_scalar())); },
     "nothing bounds the result of cast, a value of type i32"},
};

class BoundsReason : public testing::TestWithParam<reason_case> {};

TEST_P(BoundsReason, NamesTheFirstCause) {
  ladder k;
  const auto index = GetParam().index(k);
  k.load_x(index);
  if (std::string(GetParam().name) == "data_behind_a_loop") k.m.for_end();
  const program made = k.checked();
  ASSERT_EQ(made.residual_checks.size(), 1u);
  EXPECT_EQ(made.residual_checks[0].reason, GetParam().reason);
}
INSTANTIATE_TEST_SUITE_P(Each, BoundsReason, testing::ValuesIn(reason_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Past the last tile where data alone decide whether the line is reached: a launch may not be refused for it.
TEST(BoundsReport, GivesTheReasonOfWhatEveryLaunchWouldBeRefusedFor) {
  ladder k;
  k.m.if_begin(k.m.compare(op::less, k.from_list(), k.m.index(3)));
  k.load_x(k.m.tiles(k.x, 0, 4));
  k.m.if_end();
  const program made = k.checked();
  ASSERT_EQ(made.residual_checks.size(), 1u);
  EXPECT_EQ(made.residual_checks[0].reason, "the bounds that a launch can tell would refuse every launch");
}

TEST(RefuseResidualChecks, NamesRuleLineReasonAndFix) {
  ladder k;
  const auto page = k.from_list();
  k.m.at(9).load(k.x, {4}, {page});
  try {
    refuse_residual_checks(k.checked());
    FAIL() << "nothing was thrown";
  } catch (const compile_error& refused) {
    EXPECT_EQ(refused.parts().what,
              "a check is left to the kernel, which denies residual checks: a tile index of parameter 1 (In) on axis 0 "
              "stays within the tiles");
    EXPECT_EQ(refused.parts().where, "kernel 'ladder' at test.hpp:9");
    EXPECT_EQ(refused.parts().got, "it depends on data loaded from parameter 2");
    EXPECT_NE(refused.parts().fix.find("clamp the index"), std::string::npos);
  }
}

TEST(RefuseResidualChecks, NamesStepsAndRequirements) {
  ladder stepped, required;
  stepped.m.for_begin(stepped.m.index(0), stepped.m.index(4), stepped.from_list());
  stepped.m.for_end();
  EXPECT_THROW(refuse_residual_checks(stepped.checked()), compile_error);
  required.m.require(required.m.compare(op::less, required.from_list(), required.m.index(9)));
  EXPECT_THROW(refuse_residual_checks(required.checked()), compile_error);
}

TEST(RefuseResidualChecks, LetsPassWhatTheLaunchSettles) {
  ladder k;
  const auto last = k.m.binary(op::subtract, k.m.tiles(k.x, 0, 4), k.m.index(1));
  k.load_x(k.m.binary(op::minimum, k.m.binary(op::maximum, k.from_list(), k.m.index(0)), last));
  EXPECT_NO_THROW(refuse_residual_checks(k.checked()));
}

}  // namespace
}  // namespace tilewright::compiler
