// SPDX-License-Identifier: Apache-2.0
// Checks of tiles that reach past their tensor: the lanes inside are checked, and nobody is blamed for the others. Also
// checks of steps and requirements that data decides. On every back end.
#include "numeric/checked_run_test.hpp"

namespace tilewright::test {
namespace {

using ast::dynamic_extent;
using ast::op;
using compiler::fault_status;

class RealLanes : public CheckedRunTest {
 protected:
  // What is wrong and what was got, or nothing.
  std::string fault() const {
    if (status_.state == fault_status::none) return "";
    const auto told = compiler::fault_of(made_, status_).parts();
    return told.what.substr(told.what.find(": ") + 2) + ", not " + told.expected + ": " + told.got;
  }
};

host_array list_of(const std::vector<int>& numbers) {
  return {dtype::i32, {static_cast<index_t>(numbers.size())}, numbers};
}

// Lists that end inside a tile of 4 (5 lanes on a GPU round up to 8), with at most one number that is wrong.
struct list_case {
  std::vector<int> numbers;
  std::int32_t width;
  int wrong = 0;  // where `has_wrong`
  bool has_wrong = false;
};
const list_case list_cases[] = {{{3}, 4},          {{3, 1, 2, 6, 5, 4}, 4},          {{3, 1, 2, 6, 5, 4, 1}, 5},
                                {{3, 1, 2, 6}, 4}, {{3, 1, 2, 6, 9, 4}, 4, 9, true}, {{3, 1, 2, 6, 1, 0}, 5, 0, true}};

// A lane past the end would be 0, one less than the first row.
TEST_P(RealLanes, OfRowsAreChecked) {
  for (const list_case& tested : list_cases) {
    module_builder m("rows");
    const auto z = m.out(dtype::f32, {tested.width, 2});
    const auto x = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
    const auto ids = m.in(dtype::i32, {dynamic_extent});
    const auto one = m.constant(dtype::i32, {}, 1);
    const auto rows = m.binary(op::subtract, m.load(ids, {tested.width}, {m.block_id(0)}), one);
    m.store(z, m.gather_rows(x, {tested.width, 2}, m.reshape(rows, {tested.width, 1}), m.index(0)));
    const auto count = static_cast<index_t>(tested.numbers.size());
    const host_array out(dtype::f32, {count, 2}), list = list_of(tested.numbers);
    host_array table(dtype::f32, {6, 2});
    for (index_t i = 0; i < table.size(); ++i) table.set(i, i);
    launch(m, {output(out, {tested.width, 2}), table.argument(), list.argument()});
    EXPECT_EQ(made_.residual_checks.size(), 1u);
    const std::string wrong = "a row index of parameter 1 (In) on axis 0 stays within the rows, not 0 to 5: ";
    EXPECT_EQ(fault(), tested.has_wrong ? wrong + std::to_string(tested.wrong - 1) : "");
    for (index_t i = 0; i < out.size(); ++i) {
      const int row = tested.numbers[static_cast<std::size_t>(i / 2)] - 1;
      EXPECT_EQ(out.get<int>(i), row < 0 || row > 5 ? 0 : row * 2 + i % 2) << i;
    }
  }
}

TEST_P(RealLanes, OfDivisorsAreChecked) {
  for (const list_case& tested : list_cases) {
    module_builder m("division");
    const auto z = m.out(dtype::i32, {tested.width});
    const auto d = m.in(dtype::i32, {dynamic_extent});
    const auto divisor = m.load(d, {tested.width}, {m.block_id(0)});
    m.store(z, m.binary(op::divide, m.constant(dtype::i32, {}, 12), divisor));
    const host_array out(dtype::i32, {static_cast<index_t>(tested.numbers.size())}), list = list_of(tested.numbers);
    launch(m, {output(out, {tested.width}), list.argument()});
    EXPECT_EQ(made_.residual_checks.size(), 1u);
    const bool has_zero = tested.has_wrong && tested.wrong == 0;
    EXPECT_EQ(fault(), has_zero ? "a divisor is not zero, not any other number: 0" : "");
    for (index_t i = 0; i < out.size(); ++i) {
      EXPECT_EQ(out.get<int>(i), 12 / std::max(tested.numbers[static_cast<std::size_t>(i)], 1)) << i;
    }
  }
}

// Windows of 4 that begin 2 apart: the last one holds one number, and the others' lanes are further back than 4 apart.
TEST_P(RealLanes, OfWindowsAreChecked) {
  for (const int zero_at : {-1, 3, 4}) {
    module_builder m("windows");
    const auto z = m.out(dtype::i32, {4});
    const auto d = m.in(dtype::i32, {dynamic_extent});
    const auto divisor = m.load_window(d, {4}, {2}, {m.block_id(0)});
    m.store(z, m.binary(op::divide, m.constant(dtype::i32, {}, 12), divisor));
    std::vector<int> numbers = {1, 2, 3, 4, 6};
    if (zero_at >= 0) numbers[static_cast<std::size_t>(zero_at)] = 0;
    const host_array out(dtype::i32, {12}), list = list_of(numbers);
    launch(m, {output(out, {4}), list.argument()});
    EXPECT_EQ(made_.residual_checks.size(), 1u);
    EXPECT_EQ(fault(), zero_at >= 0 ? "a divisor is not zero, not any other number: 0" : "");
    for (index_t i = 0; i < out.size(); ++i) {
      const index_t at = i / 4 * 2 + i % 4;
      const int number = at < list.size() ? numbers[static_cast<std::size_t>(at)] : 0;
      EXPECT_EQ(out.get<int>(i), 12 / std::max(number, 1)) << i;
    }
  }
}

// Where one of two operands ends, the sum is of the other and of 0: it counts wherever it passes.
TEST_P(RealLanes, ThatPassKeepTheirValue) {
  const std::vector<int> shorter = {1, 1, 1, 1, 1}, longer = {1, 2, 3, 5, 1, 2, 3, 0};
  const auto expected_sum = [&](index_t i) {
    return (i < 5 ? shorter[static_cast<std::size_t>(i)] : 0) + longer[static_cast<std::size_t>(i)];
  };
  for (const op which : {op::divide, op::gather_rows, op::gather}) {
    SCOPED_TRACE(ast::info(which).name);
    module_builder m("sums");
    const auto z = m.out(dtype::i32, {4, 1});
    const auto table = m.in(dtype::i32, {dynamic_extent, dynamic_extent});
    const auto x = m.in(dtype::i32, {dynamic_extent}), y = m.in(dtype::i32, {dynamic_extent});
    const auto tile_of = [&](auto list) { return m.reshape(m.load(list, {4}, {m.block_id(0)}), {4, 1}); };
    const auto sum = m.binary(op::add, tile_of(x), tile_of(y));
    if (which == op::divide) m.store(z, m.binary(op::divide, m.constant(dtype::i32, {}, 12), sum));
    if (which == op::gather_rows) m.store(z, m.gather_rows(table, {4, 1}, sum, m.index(0)));
    if (which == op::gather) m.store(z, m.gather(table, {4, 1}, {sum, m.constant(dtype::i32, {}, 0)}, false));
    const host_array out(dtype::i32, {8, 1});
    host_array numbers(dtype::i32, {7, 1});
    for (index_t i = 0; i < numbers.size(); ++i) numbers.set(i, 100 + i);
    launch(m, {output(out, {4, 1}), numbers.argument(), list_of(shorter).argument(), list_of(longer).argument()});
    EXPECT_EQ(made_.residual_checks.size(), 1u);
    EXPECT_EQ(fault(), "");
    for (index_t i = 0; i < out.size(); ++i) {
      const int sum_here = expected_sum(i);
      EXPECT_EQ(out.get<int>(i), which == op::divide ? 12 / std::max(sum_here, 1) : 100 + sum_here) << i;
    }
  }
}

// The piece of an InOut, which has no pad, and a tile with two axes that was turned.
TEST_P(RealLanes, OfAssertionsAreChecked) {
  for (const int wrong : {-1, 0, 20, 34}) {
    module_builder m("asserted");
    const auto z = m.in_out(dtype::i32, {4, 3});
    const auto old = m.load_piece(z);
    const auto turned = m.permute(old, {1, 0});
    m.assertion(m.compare(op::greater, turned, m.constant(dtype::i32, {}, 0)));
    m.store(z, m.binary(op::add, old, m.constant(dtype::i32, {}, 1)));
    std::vector<int> numbers(35, 3);
    if (wrong >= 0) numbers[static_cast<std::size_t>(wrong)] = -2;
    const host_array out(dtype::i32, {5, 7}, numbers);
    launch(m, {output(out, {4, 3})});
    EXPECT_EQ(made_.residual_checks.size(), 1u);
    EXPECT_EQ(status_.state != fault_status::none, wrong >= 0) << wrong;
    if (wrong >= 0) {
      const int row = wrong / 7 % 4, column = wrong % 7 % 3;
      EXPECT_EQ(status_.values[0], column * 4 + row);
    }
    EXPECT_EQ(out.get<int>(1), 4);
  }
}

// Of an index that is proved, behind a choice, no lane is told apart, nor has to be.
TEST_P(RealLanes, OfAnIndexThatIsProvedStay) {
  module_builder m("proved");
  const auto z = m.out(dtype::i32, {4});
  const auto x = m.in(dtype::i32, {dynamic_extent, 4});
  const auto row_of = m.in(dtype::i32, {dynamic_extent}), columns = m.in(dtype::i32, {dynamic_extent});
  const auto number = [&](int n) { return m.constant(dtype::i32, {}, n); };
  const auto column = m.load(columns, {4}, {m.block_id(0)});
  const auto chosen = m.select(m.compare(op::less, column, number(9)), column, number(1));
  const auto within = m.binary(op::minimum, m.binary(op::maximum, chosen, number(0)), number(3));
  m.store(z, m.gather(x, {4}, {m.load(row_of, {1}, {m.index(0)}), within}, false));
  const host_array out(dtype::i32, {6});
  host_array from(dtype::i32, {2, 4});
  for (index_t i = 0; i < from.size(); ++i) from.set(i, i + 1);
  const host_array row = list_of({1}), list = list_of({3, 2, 1, 0, 7, -7});
  launch(m, {output(out, {4}), from.argument(), row.argument(), list.argument()});
  EXPECT_EQ(made_.residual_checks.size(), 1u);
  EXPECT_EQ(fault(), "");
  EXPECT_EQ(out.values<int>(), (std::vector<int>{8, 7, 6, 5, 8, 5}));
}

// Lanes past either list choose nothing, whatever a mask of data says there.
TEST_P(RealLanes, OfIndicesAreChecked) {
  for (const bool is_masked : {false, true}) {
    for (const int wrong : {-1, 0, 5}) {
      module_builder m("gather");
      const auto z = m.out(dtype::f32, {4, 4});
      const auto x = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
      const auto rows = m.in(dtype::i32, {dynamic_extent}), columns = m.in(dtype::i32, {dynamic_extent});
      const auto one = m.constant(dtype::i32, {}, 1);
      const auto row = m.reshape(m.load(rows, {4}, {m.block_id(0)}), {4, 1});
      const auto column = m.reshape(m.load(columns, {4}, {m.block_id(1)}), {1, 4});
      std::vector<tile_value> operands = {m.binary(op::subtract, row, one), m.binary(op::subtract, column, one)};
      if (is_masked) operands.push_back(m.compare(op::less, row, m.constant(dtype::i32, {}, 4)));
      m.store(z, m.gather(x, {4, 4}, operands, is_masked));
      std::vector<int> of_rows = {1, 2, 3, 4, 1, 2}, of_columns = {5, 4, 3, 2, 1};
      if (wrong >= 0) of_rows[static_cast<std::size_t>(wrong)] = -7;
      const host_array out(dtype::f32, {6, 5}), left = list_of(of_rows), right = list_of(of_columns);
      host_array from(dtype::f32, {4, 5});
      for (index_t i = 0; i < from.size(); ++i) from.set(i, i + 1);
      launch(m, {output(out, {4, 4}), from.argument(), left.argument(), right.argument()});
      EXPECT_EQ(made_.residual_checks.size(), 2u);
      EXPECT_EQ(
          fault(),
          wrong < 0 ? "" : "an element index of parameter 1 (In) on axis 0 stays within the extent, not 0 to 3: -8");
      for (index_t i = 0; i < out.size(); ++i) {
        const int r = of_rows[static_cast<std::size_t>(i / 5)], c = of_columns[static_cast<std::size_t>(i % 5)];
        EXPECT_EQ(out.get<int>(i), r < 0 || (is_masked && r >= 4) ? 0 : (r - 1) * 5 + c) << i;
      }
    }
  }
}

// Lanes that a sum of lines leaves are those of the other axis.
TEST_P(RealLanes, AreFollowedThroughReductionsAndProducts) {
  for (const int zero : {-1, 4}) {
    module_builder m("followed");
    const auto z = m.out(dtype::i32, {4, 1});
    const auto x = m.in(dtype::i32, {dynamic_extent, dynamic_extent});
    const auto tile = m.load(x, {4, 2}, {m.block_id(0), m.index(0)});
    const auto sums = m.reduce(op::reduce_sum, tile, 1);
    m.store(z, m.binary(op::divide, m.constant(dtype::i32, {}, 60), sums));
    std::vector<int> numbers(12, 2);
    if (zero >= 0) numbers[8] = numbers[9] = 0;
    const host_array out(dtype::i32, {6, 1}), from(dtype::i32, {6, 2}, numbers);
    launch(m, {output(out, {4, 1}), from.argument()});
    EXPECT_EQ(fault(), zero >= 0 ? "a divisor is not zero, not any other number: 0" : "");
    for (index_t i = 0; i < 6; ++i) EXPECT_EQ(out.get<int>(i), i == zero ? 60 : 15);
  }
}

// ---- Steps and requirements -----------------------------------------------------------------------------------------
// The inner range's step is loaded before the outer one, so that it is checked once; or in it, where it stands.
TEST_P(RealLanes, AStepOfDataIsChecked) {
  for (const bool is_outside : {true, false}) {
    for (const std::int64_t step : {-3L, 0L, 1L, 3L, 9L, 1L << 62, INT64_MAX}) {
      SCOPED_TRACE(testing::Message() << "step " << step << (is_outside ? " outside" : " inside"));
      module_builder m("steps");
      const auto z = m.out(dtype::i32, {1});
      const auto steps = m.in(dtype::i64, {dynamic_extent});
      const auto load = [&](tile_value at) { return m.cast(dtype::index, m.reshape(m.load(steps, {1}, {at}), {})); };
      const auto sum = m.copy(m.constant(dtype::i32, {}, 0));
      const auto before = load(m.index(0));
      const auto outer = m.for_begin(m.index(2));
      m.for_begin(m.index(0), m.index(7), is_outside ? before : load(outer));
      m.assign(sum, m.binary(op::add, sum, m.constant(dtype::i32, {}, 1)));
      m.for_end();
      m.for_end();
      m.store(z, m.reshape(sum, {1}));
      const host_array out(dtype::i32, {1}), list(dtype::i64, {2}, std::vector<std::int64_t>{step, step});
      launch(m, {output(out, {1}), list.argument()});
      ASSERT_EQ(made_.residual_checks.size(), 1u);
      EXPECT_EQ(made_.residual_checks[0].is_hoisted, is_outside);
      const bool fails = step < 1;
      EXPECT_EQ(fault(), fails ? "the step of a range is at least 1, not 1 or more: " + std::to_string(step) : "");
      EXPECT_EQ(out.get<int>(0), fails ? 0 : 2 * (6 / step + 1));
    }
  }
}

TEST_P(RealLanes, ARequirementOfDataIsChecked) {
  for (const int number : {3, 8, 12}) {
    module_builder m("required");
    const auto z = m.out(dtype::i32, {1});
    const auto x = m.in(dtype::i32, {dynamic_extent});
    const auto count = m.reshape(m.load(x, {1}, {m.block_id(0)}), {});
    m.require(m.binary(op::bit_and, m.compare(op::greater, m.extent(x, 0), m.index(0)),
                       m.compare(op::less, count, m.constant(dtype::i32, {}, 8))));
    m.store(z, m.reshape(count, {1}));
    const host_array out(dtype::i32, {1}), list = list_of({number});
    launch(m, {output(out, {1}), list.argument()});
    ASSERT_EQ(made_.residual_checks.size(), 1u);
    EXPECT_EQ(fault(), number < 8 ? "" : "a requirement holds, not true: false");
    EXPECT_EQ(out.get<int>(0), number);
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(RealLanes);

}  // namespace
}  // namespace tilewright::test
