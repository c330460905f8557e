// SPDX-License-Identifier: Apache-2.0
// Residual checks that the compiler takes out of loops: they fail where one of the loop's rounds would, with the same
// values, and nowhere else. On every back end of this build.
#include <optional>
#include <random>

#include "numeric/checked_run_test.hpp"

namespace tilewright::test {
namespace {

using ast::dynamic_extent;
using compiler::fault_status;

class HoistedCheck : public CheckedRunTest {
 protected:
  // "got least greatest", or nothing.
  std::string fault() const {
    if (status_.state == fault_status::none) return "";
    EXPECT_EQ(status_.state, fault_status::written);
    std::string text;
    for (const std::int64_t value : status_.values) text += (text.empty() ? "" : " ") + std::to_string(value);
    return text;
  }
  int hoisted() const {
    return static_cast<int>(std::count_if(made_.residual_checks.begin(), made_.residual_checks.end(),
                                          [](const auto& check) { return check.is_hoisted; }));
  }
};

tile_value element(module_builder& m, parameter_index from, std::int64_t at) {
  return m.cast(dtype::index, m.reshape(m.load(from, {1}, {m.index(at)}), {}));
}

std::vector<float> counted(index_t count) {
  std::vector<float> values;
  for (index_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i + 1));
  return values;
}

// z is the sum of tiles factor * j + offset of x, for j from first up to last by step; x has `tiles` of them.
struct counted_case {
  std::int64_t first, last, step, factor, offset;
};
constexpr std::int64_t tiles = 10;

std::optional<std::int64_t> first_outside(const counted_case& tested) {
  for (std::int64_t j = tested.first; j < tested.last; j += tested.step) {
    const std::int64_t tile = tested.factor * j + tested.offset;
    if (tile < 0 || tile >= tiles) return tile;
  }
  return {};
}

float sum_of(const counted_case& tested) {
  float sum = 0;
  for (std::int64_t j = tested.first; j < tested.last; j += tested.step) {
    sum += static_cast<float>(tested.factor * j + tested.offset + 1);
  }
  return sum;
}

// The range has its bounds, and the index its offset, from data.
void record_counted(module_builder& m, const counted_case& tested) {
  const auto z = m.out(dtype::f32, {1});
  const auto x = m.in(dtype::f32, {dynamic_extent});
  const auto list = m.in(dtype::i64, {3});
  const auto sum = m.constant(dtype::f32, {1}, 0);
  const auto first = element(m, list, 0), last = element(m, list, 1), offset = element(m, list, 2);
  const auto j = m.for_begin(first, last, m.index(tested.step));
  const auto place = m.binary(ast::op::add, m.binary(ast::op::multiply, m.index(tested.factor), j), offset);
  m.assign(sum, m.binary(ast::op::add, sum, m.load(x, {1}, {place})));
  m.for_end();
  m.store(z, sum);
}

TEST_P(HoistedCheck, OfAnIndexThatCountsTellsTheFirstOneOutside) {
  std::mt19937 numbers(20261203);
  const auto draw = [&](std::int64_t least, std::int64_t greatest) {
    return std::uniform_int_distribution<std::int64_t>(least, greatest)(numbers);
  };
  int faults = 0, idle = 0;
  for (int round = 0; round < 60; ++round) {
    const std::int64_t factor = std::array<std::int64_t, 4>{1, 2, -1, -3}[static_cast<std::size_t>(round) % 4];
    const counted_case tested{draw(-2, 4), draw(-1, 8), draw(1, 3), factor, draw(-1, 1) + (factor < 0 ? 9 : 0)};
    SCOPED_TRACE(testing::Message() << "from " << tested.first << " to " << tested.last << " by " << tested.step
                                    << ", tile " << factor << " * j + " << tested.offset);
    module_builder m("counted");
    record_counted(m, tested);
    const host_array out(dtype::f32, {1}), values(dtype::f32, {tiles}, counted(tiles)),
        list(dtype::i64, {3}, std::vector<std::int64_t>{tested.first, tested.last, tested.offset});
    launch(m, {output(out, {1}), values.argument(), list.argument()});
    EXPECT_EQ(hoisted(), 1);
    const auto outside = first_outside(tested);
    EXPECT_EQ(fault(), outside ? std::to_string(*outside) + " 0 9" : "");
    if (!outside) {
      EXPECT_EQ(out.get<float>(0), sum_of(tested));
    }
    faults += outside ? 1 : 0;
    idle += tested.first >= tested.last ? 1 : 0;
  }
  EXPECT_GT(faults, 10);
  EXPECT_GT(idle, 5);
}

// The rounds are so many that no index could be counted through, and its arithmetic would wrap.
TEST_P(HoistedCheck, HoldsForRangesOfAnyLength) {
  struct wide_case {
    counted_case range;
    const char* fault;
  };
  for (const wide_case& tested :
       {wide_case{{0, INT64_MAX, 1, 1, 0}, "10 0 9"}, wide_case{{0, INT64_C(1) << 62, 1, 4, 0}, "12 0 9"},
        wide_case{{INT64_MIN, INT64_MAX, 1, 1, 0}, "-9223372036854775808 0 9"},
        wide_case{{INT64_MIN, INT64_MAX, 1, 1, INT64_MIN}, "10 0 9"}, wide_case{{INT64_MAX, INT64_MIN, 1, 1, 0}, ""}}) {
    module_builder m("wide");
    record_counted(m, tested.range);
    const host_array out(dtype::f32, {1}), values(dtype::f32, {tiles}, counted(tiles)),
        list(dtype::i64, {3}, std::vector<std::int64_t>{tested.range.first, tested.range.last, tested.range.offset});
    launch(m, {output(out, {1}), values.argument(), list.argument()});
    EXPECT_EQ(fault(), tested.fault);
  }
}

TEST_P(HoistedCheck, FindsNoTileInAnEmptyTensor) {
  for (const std::int64_t last : {0, 2}) {
    module_builder m("empty");
    record_counted(m, {0, last, 1, 1, 0});
    const host_array out(dtype::f32, {1}), values(dtype::f32, {0}),
        list(dtype::i64, {3}, std::vector<std::int64_t>{0, last, 0});
    launch(m, {output(out, {1}), values.argument(), list.argument()});
    EXPECT_EQ(fault(), last == 0 ? "" : "0 0 -1");
    EXPECT_EQ(out.get<float>(0), 0);
  }
}

// Out of both loops, whose rounds are data; if either has none, no tile is asked for.
TEST_P(HoistedCheck, LeavesAllTheLoopsThatDoNotMatterToIt) {
  for (const std::int64_t page : {2, 10, -1}) {
    for (const std::int64_t rounds : {0, 1, 3}) {
      for (const std::int64_t inner : {-1, 2}) {
        SCOPED_TRACE(testing::Message() << "page " << page << ", " << rounds << " times " << inner);
        module_builder m("nested");
        const auto z = m.out(dtype::f32, {1});
        const auto x = m.in(dtype::f32, {dynamic_extent});
        const auto list = m.in(dtype::i64, {3});
        const auto sum = m.constant(dtype::f32, {1}, 0);
        const auto place = element(m, list, 0), outer_end = element(m, list, 1), inner_end = element(m, list, 2);
        m.for_begin(outer_end);
        m.for_begin(inner_end);
        m.assign(sum, m.binary(ast::op::add, sum, m.load(x, {1}, {m.binary(ast::op::add, place, m.index(0))})));
        m.for_end();
        m.for_end();
        m.store(z, sum);
        const host_array out(dtype::f32, {1}), values(dtype::f32, {tiles}, counted(tiles)),
            numbers(dtype::i64, {3}, std::vector<std::int64_t>{page, rounds, inner});
        launch(m, {output(out, {1}), values.argument(), numbers.argument()});
        EXPECT_EQ(hoisted(), 1);
        const bool fails = page != 2 && rounds > 0 && inner > 0;
        EXPECT_EQ(fault(), fails ? std::to_string(page) + " 0 9" : "");
        if (page == 2) {
          EXPECT_EQ(out.get<float>(0), inner > 0 ? static_cast<float>(3 * rounds * inner) : 0);
        }
      }
    }
  }
}

// A branch that is not taken asks for nothing, whatever stands outside of its loop.
TEST_P(HoistedCheck, StaysInItsBranch) {
  for (const std::int64_t least : {1, 5}) {
    module_builder m("branch");
    const auto z = m.out(dtype::f32, {1});
    const auto x = m.in(dtype::f32, {dynamic_extent});
    const auto list = m.in(dtype::i64, {2});
    const auto sum = m.constant(dtype::f32, {1}, 0);
    const auto place = element(m, list, 0), limit = element(m, list, 1);
    const auto i = m.for_begin(m.index(4));
    m.if_begin(m.compare(ast::op::greater_equal, i, limit));
    m.for_begin(limit);
    m.assign(sum, m.binary(ast::op::add, sum, m.load(x, {1}, {place})));
    m.for_end();
    m.if_end();
    m.for_end();
    m.store(z, sum);
    const host_array out(dtype::f32, {1}), values(dtype::f32, {tiles}, counted(tiles)),
        numbers(dtype::i64, {2}, std::vector<std::int64_t>{77, least});
    launch(m, {output(out, {1}), values.argument(), numbers.argument()});
    EXPECT_EQ(hoisted(), 1);
    EXPECT_EQ(fault(), least < 4 ? "77 0 9" : "");
  }
}

TEST_P(HoistedCheck, StaysWhereALoopCarriesTheIndexOrNobodyUsesTheTile) {
  module_builder m("carried");
  const auto z = m.out(dtype::f32, {1});
  const auto x = m.in(dtype::f32, {dynamic_extent});
  const auto list = m.in(dtype::i64, {2});
  const auto sum = m.constant(dtype::f32, {1}, 0);
  const auto place = m.copy(element(m, list, 0)), outside = element(m, list, 1);
  m.for_begin(m.tiles(x, 0, 1));
  m.assign(sum, m.binary(ast::op::add, sum, m.load(x, {1}, {place})));
  m.assign(place, m.binary(ast::op::subtract, place, m.index(1)));
  m.load(x, {1}, {outside});
  m.for_end();
  m.store(z, sum);
  const host_array out(dtype::f32, {1}), values(dtype::f32, {tiles}, counted(tiles)),
      numbers(dtype::i64, {2}, std::vector<std::int64_t>{8, 1000});
  launch(m, {output(out, {1}), values.argument(), numbers.argument()});
  EXPECT_EQ(hoisted(), 0);
  EXPECT_EQ(fault(), "-1 0 9");
}

// ---- Tiles of indices and divisors, five lanes of which some are bad ------------------------------------------------
struct lanes_case {
  std::vector<int> numbers;
  const char *rows, *elements, *masked, *divisors;  // the faults
};
const lanes_case lanes_cases[] = {{{1, 2, 3, 4, 6}, "", "", "", ""},
                                  {{1, 0, 3, 4, 6}, "", "", "", "0 0 0"},
                                  {{1, 2, 7, 4, -9}, "7 0 6", "7 0 6", "7 0 6", ""},
                                  {{1, 2, 3, 4, -9}, "-9 0 6", "-9 0 6", "", ""}};

TEST_P(HoistedCheck, OfTilesTellsTheFirstLaneOutside) {
  for (const lanes_case& tested : lanes_cases) {
    for (const std::int64_t rounds : {0, 2}) {
      for (int kind = 0; kind < 4; ++kind) {
        SCOPED_TRACE(testing::Message() << "kind " << kind << ", " << rounds << " rounds");
        module_builder m("lanes");
        const auto z = m.out(dtype::i32, {5, 1});
        const auto x = m.in(dtype::i32, {dynamic_extent, dynamic_extent});
        const auto list = m.in(dtype::i32, {5, 1});
        const auto count = m.in(dtype::i64, {1});
        const auto lanes = m.load(list, {5, 1}, {m.index(0), m.index(0)});
        const auto zero = m.constant(dtype::i32, {5, 1}, 0);
        const auto mask = m.compare(ast::op::greater, lanes, m.constant(dtype::i32, {}, -9));
        const auto column = m.constant(dtype::i32, {5, 1}, 0);
        const auto sum = m.copy(zero);
        m.for_begin(element(m, count, 0));
        const auto read =
            kind == 0   ? m.gather_rows(x, {5, 1}, lanes, m.index(0))
            : kind == 1 ? m.gather(x, {5, 1}, {lanes, column})
            : kind == 2 ? m.gather(x, {5, 1}, {lanes, column, mask}, true)
                        : m.binary(ast::op::divide, m.binary(ast::op::add, sum, m.constant(dtype::i32, {}, 60)), lanes);
        m.assign(sum, m.binary(ast::op::add, sum, read));
        m.for_end();
        m.store(z, sum);
        const host_array out(dtype::i32, {5, 1}), numbers(dtype::i32, {5, 1}, tested.numbers),
            times(dtype::i64, {1}, std::vector<std::int64_t>{rounds});
        host_array values(dtype::i32, {7, 1}, std::vector<int>{1, 2, 3, 4, 5, 6, 7});
        launch(m, {output(out, {5, 1}), values.argument(), numbers.argument(), times.argument()});
        EXPECT_EQ(hoisted(), 1);
        const std::array faults = {tested.rows, tested.elements, tested.masked, tested.divisors};
        const std::string expected = rounds == 0 ? "" : faults[static_cast<std::size_t>(kind)];
        EXPECT_EQ(fault(), expected);
        if (!expected.empty() || kind == 3) continue;
        for (index_t i = 0; i < 5; ++i) {
          const int number = tested.numbers[static_cast<std::size_t>(i)];
          const bool is_read = number >= 0 && number < 7;
          EXPECT_EQ(out.get<int>(i), is_read ? static_cast<int>(rounds) * (number + 1) : 0);
        }
      }
    }
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(HoistedCheck);

}  // namespace
}  // namespace tilewright::test
