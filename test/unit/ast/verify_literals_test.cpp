// SPDX-License-Identifier: Apache-2.0
// Rules of what a kernel writes down: tables of literals, and texts.
#include "unit/ast/damaged_module.hpp"

namespace tilewright::test {
namespace {

void assert_with_text(module_builder& m, std::int32_t number) {
  m.record(op::assertion, {m.constant(dtype::boolean, {}, 1)}, ast::no_type, {number});
}

TEST(Verify, AcceptsTablesAndTexts) {
  module_builder m;
  m.table(dtype::i8, {3}, std::vector<int>{-128, 0, 127});
  m.table(dtype::f32, {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 1e300});
  m.assertion(m.constant(dtype::boolean, {}, 1), "first");
  assert_with_text(m, 0);
  assert_with_text(m, ast::no_text);
  EXPECT_EQ(rules_of(m.view()), "");
}

TEST(Verify, FindsTextsThatDoNotEnd) {
  module_builder m;
  m.assertion(m.constant(dtype::boolean, {}, 1), "first");
  ast::module_view cut = m.view();
  --cut.texts_size;
  EXPECT_EQ(rules_of(cut), "-1: texts end with zero\n");
}

const damaged damaged_literals[] = {
    {"a text is not in the table", [](module_builder& m) { assert_with_text(m, 0); }},
    {"a text is not in the table", [](module_builder& m) { assert_with_text(m, -2); }},
    {"a text is not in the table", [](module_builder& m) { m.record(op::print, {}, ast::no_type, {ast::no_text}); }},
    {"a text is not in the table", [](module_builder& m) { m.record(op::print, {}, ast::no_type, {0}); }},
    {"a printed text has a place for each operand, and no other brace alone",
     [](module_builder& m) { m.print("{}", {}); }},
    {"a printed text has a place for each operand, and no other brace alone",
     [](module_builder& m) { m.print("{{}}", {m.index(1)}); }},
    {"a printed text has a place for each operand, and no other brace alone",
     [](module_builder& m) { m.print("{} }", {m.index(1)}); }},
    {"there is no such rounding",
     [](module_builder& m) {
       m.unary(op::sqrt, m.constant(dtype::f32, {}, 1), static_cast<ast::rounding>(ast::rounding_count));
     }},
    {"the element does not round so",
     [](module_builder& m) {
       m.binary(op::add, m.constant(dtype::f16, {}, 1), m.constant(dtype::f16, {}, 1), ast::rounding::upward);
     }},
    {"the element does not round so",
     [](module_builder& m) { m.binary(op::divide, m.index(4), m.index(2), ast::rounding::downward); }},
    {"the element does not round so",
     [](module_builder& m) { m.unary(op::sqrt, m.constant(dtype::f64, {}, 1), ast::rounding::flushed); }},
    {"the element does not round so",
     [](module_builder& m) { m.unary(op::tanh, m.constant(dtype::f64, {}, 1), ast::rounding::approximate); }},
    {"the op does not round so",
     [](module_builder& m) { m.unary(op::tanh, m.constant(dtype::f32, {}, 1), ast::rounding::downward); }},
    {"the op does not round so",
     [](module_builder& m) { m.unary(op::sqrt, m.constant(dtype::f32, {}, 1), ast::rounding::full_range); }},
    {"a table has rank 1 or more, and two words for each element",
     [](module_builder& m) {
       m.table(dtype::i8, {4}, std::vector<int>{1, 2, 3});
     }},
    {"a table has rank 1 or more, and two words for each element",
     [](module_builder& m) { m.table(dtype::i8, {}, std::vector<int>{1}); }},
    {"the extents of a table are numbers",
     [](module_builder& m) { m.table(dtype::i8, {m.symbol("N")}, std::vector<int>{1}); }},
    {"the literal does not fit its element",
     [](module_builder& m) {
       m.table(dtype::u8, {2}, std::vector<int>{255, 256});
     }},
    {"the code ends inside the record",
     [](module_builder& m) {
       m.record(op::table, {}, m.type(f32, {1}), {3, 0, 0});
     }},
    {"the code ends inside the record",
     [](module_builder& m) {
       m.record(op::table, {}, m.type(f32, {1}), {-2, 0, 0});
     }},
};

class VerifyLiterals : public testing::TestWithParam<damaged> {};

TEST_P(VerifyLiterals, AreFoundBroken) { expect_broken(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Each, VerifyLiterals, testing::ValuesIn(damaged_literals));

}  // namespace
}  // namespace tilewright::test
