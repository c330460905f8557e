// SPDX-License-Identifier: Apache-2.0
// Assertions on the bounds ladder: what is proved, what the kernel checks, and what is refused.
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

TEST(CheckAssertion, IsOfLanesThatDoNotReachPastTheirTensor) {
  builder whole("whole"), padded("padded");
  const auto condition = [](builder& m) {
    return [&m](tile_value x) { return m.compare(op::greater, x, m.constant(dtype::i32, {4}, 0)); };
  };
  EXPECT_EQ(checked_assertion(whole, 6, false, condition(whole)).residual_checks.size(), 1u);
  EXPECT_EQ(checked_assertion(padded, 6, true, condition(padded)).residual_checks.size(), 1u);
}

TEST(CheckAssertion, KeepsWhatItsAuthorSaysOfIt) {
  builder m("data");
  const auto z = m.out(dtype::i32, {4});
  const auto x = m.in_out(dtype::i32, {4});
  const auto tile = m.load_piece(x), zero = m.constant(dtype::i32, {4}, 0);
  m.assertion(m.compare(op::greater, tile, zero), "tokens count from 1");
  m.assertion(m.compare(op::not_equal, tile, zero));
  m.store(z, tile);
  m.store(x, tile);
  const std::vector<argument> arguments = {dense({8}, {4}), dense({8}, {4})};
  const program made = front(m.view(), bind_arguments(m.view(), arguments, {}, {}).special);
  ASSERT_EQ(made.residual_checks.size(), 2u);
  EXPECT_EQ(made.residual_checks[0].text, "tokens count from 1");
  EXPECT_EQ(made.residual_checks[1].text, "");
  EXPECT_NE(to_text(made).find(" \"tokens count from 1\" residual [0]\n"), std::string::npos) << to_text(made);
  EXPECT_EQ(fault_of(made, {.check = 0, .values = {2, 0, 0}}).parts().what,
            "an assertion failed in a kernel: tokens count from 1");
  EXPECT_EQ(fault_of(made, {.check = 1, .values = {2, 0, 0}}).parts().what, "an assertion failed in a kernel");
}

TEST(CheckAssertion, IsNoCheckOfBoundsToDeny) {
  builder m("data");
  const program made = checked_assertion(
      m, 8, false, [&](tile_value x) { return m.compare(op::greater, x, m.constant(dtype::i32, {4}, 0)); });
  EXPECT_NO_THROW(refuse_residual_checks(made));
}

}  // namespace
}  // namespace tilewright::compiler
