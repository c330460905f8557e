// SPDX-License-Identifier: Apache-2.0
// Residual checks: what a kernel computes where one fails, and what it reports, on every back end of this build.
#include <algorithm>
#include <array>
#include <random>

#include "numeric/checked_run_test.hpp"

namespace tilewright::test {
namespace {

using ast::dynamic_extent;
using compiler::fault_status;

class ResidualCheck : public CheckedRunTest {
 protected:
  // "kind: got least greatest", or nothing.
  std::string fault() const {
    if (status_.state == fault_status::none) return "";
    EXPECT_EQ(status_.state, fault_status::written);
    constexpr const char* names[] = {"tile", "row", "divisor", "assertion"};
    const auto& rule = made_.residual_checks.at(static_cast<std::size_t>(status_.check));
    std::string text = std::string(names[static_cast<int>(rule.what)]) + ":";
    for (const std::int64_t value : status_.values) text += " " + std::to_string(value);
    return text;
  }

  // The first fault in the order of blocks; on a GPU, where they run at the same time, any of them.
  void expect_fault(const std::vector<std::string>& all) const {
    if (!compiler::is_gpu(GetParam().where)) {
      EXPECT_EQ(fault(), all.empty() ? "" : all[0]);
      return;
    }
    const std::string got = fault();
    EXPECT_TRUE(all.empty() ? got.empty() : std::find(all.begin(), all.end(), got) != all.end()) << got;
  }

  // What a load of a tile outside gives, which nobody is handed: zeros, on a GPU the nearest tile (ADR 19).
  bool gives_nearest_tile() const { return compiler::is_gpu(GetParam().where); }
};

std::vector<float> counted(index_t count) {
  std::vector<float> values;
  for (index_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i + 1));
  return values;
}

tile_value element(module_builder& m, parameter_index from, tile_value at) {
  return m.cast(dtype::index, m.reshape(m.load(from, {1}, {at}), {}));
}

// ---- Tile indices: z block b is tile (pages[b], 0) of x -------------------------------------------------------------
struct tile_case {
  const char* name;
  index_t rows, columns;  // of x; tiles are 2 x 8
  bool is_transposed = false, is_padded = false;
};
constexpr tile_case tile_cases[] = {{"whole tiles", 6, 8},
                                    {"ragged", 5, 7},
                                    {"ragged, padded", 5, 7, false, true},
                                    {"transposed", 6, 8, true},
                                    {"transposed, ragged", 5, 7, true}};

TEST_P(ResidualCheck, GivesZerosOrTheNearestForATileOutside) {
  for (const tile_case& tested : tile_cases) {
    SCOPED_TRACE(tested.name);
    const std::vector<std::int64_t> pages = {2, 0, 3, 1, -1, INT64_MAX, INT64_MIN};
    const auto blocks = static_cast<index_t>(pages.size());
    module_builder m("pages");
    const auto z = m.out(dtype::f32, {2, 8});
    const auto x = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
    const auto ids = m.in(dtype::i64, {dynamic_extent});
    const auto page = element(m, ids, m.block_id(0));
    m.store(
        z, tested.is_padded ? m.load_padded(x, {2, 8}, {page, m.index(0)}, -1) : m.load(x, {2, 8}, {page, m.index(0)}));

    const host_array out(dtype::f32, {2 * blocks, 8});
    host_array table(dtype::f32, {tested.rows, tested.columns}, counted(tested.rows * tested.columns));
    if (tested.is_transposed) {
      host_array memory(dtype::f32, {tested.columns, tested.rows});
      const host_array view = memory.view({tested.rows, tested.columns}, {1, tested.rows}, 0);
      for (index_t i = 0; i < table.size(); ++i) host_array(view).set(i, table.get<float>(i));
      table = view;
    }
    const host_array list(dtype::i64, {blocks}, pages);
    launch(m, {output(out, {2, 8}), table.argument(), list.argument()});
    expect_fault({"tile: 3 0 2", "tile: -1 0 2", "tile: 9223372036854775807 0 2", "tile: -9223372036854775808 0 2"});
    for (index_t i = 0; i < out.size(); ++i) {
      const std::int64_t block = i / 16;
      const index_t column = i % 8;
      const std::int64_t asked = pages[static_cast<std::size_t>(block)];
      const std::int64_t nearest = std::clamp<std::int64_t>(asked, 0, 2);
      const bool is_tile = asked == nearest || gives_nearest_tile();
      const index_t row = nearest * 2 + i / 8 % 2;
      const bool is_real = row < tested.rows && column < tested.columns;
      const float inside = is_real ? static_cast<float>(row * tested.columns + column + 1) : tested.is_padded ? -1 : 0;
      EXPECT_EQ(out.get<float>(i), is_tile ? inside : 0) << "element " << i;
    }
  }
}

TEST_P(ResidualCheck, ReportsNothingWhereAllTilesAreInside) {
  module_builder m("pages");
  const auto z = m.out(dtype::f32, {2, 8});
  const auto x = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
  const auto ids = m.in(dtype::i32, {dynamic_extent});
  m.store(z, m.load(x, {2, 8}, {element(m, ids, m.block_id(0)), m.index(0)}));
  const host_array out(dtype::f32, {4, 8}), table(dtype::f32, {4, 8}, counted(32)),
      list(dtype::i32, {2}, std::vector<int>{1, 0});
  launch(m, {output(out, {2, 8}), table.argument(), list.argument()});
  EXPECT_EQ(made_.residual_checks.size(), 1u);
  EXPECT_EQ(fault(), "");
  EXPECT_EQ(out.get<float>(0), 17);
}

// The product packs what it loads, whole tiles at a time.
TEST_P(ResidualCheck, LetsAProductReadWhatALoadGives) {
  module_builder m("product");
  const auto z = m.out(dtype::f32, {16, 16});
  const auto x = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
  const auto ids = m.in(dtype::i32, {dynamic_extent});
  const auto sum = m.constant(dtype::f32, {16, 16}, 1);
  const auto k = m.for_begin(m.tiles(ids, 0, 1));
  const auto a = m.load(x, {16, 32}, {element(m, ids, k), m.index(0)});
  m.assign(sum, m.mma(a, m.transpose(a), sum));
  m.for_end();
  m.store(z, sum);
  const host_array out(dtype::f32, {16, 16}), ones(dtype::f32, {64, 32}, std::vector<float>(64 * 32, 1)),
      list(dtype::i32, {4}, std::vector<int>{3, 9, 0, -7});
  launch(m, {output(out, {16, 16}), ones.argument(), list.argument()});
  EXPECT_EQ(fault(), "tile: 9 0 3");
  for (index_t i = 0; i < out.size(); ++i) EXPECT_EQ(out.get<float>(i), 1 + (gives_nearest_tile() ? 4 : 2) * 32);
}

// ---- Rows -----------------------------------------------------------------------------------------------------------
TEST_P(ResidualCheck, GivesZerosForARowOutside) {
  for (const dtype id : {dtype::i32, dtype::u64}) {
    module_builder m("rows");
    const auto z = m.out(dtype::f32, {4, 8});
    const auto table = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
    const auto ids = m.in(id, {dynamic_extent, 1});
    m.store(z, m.gather_rows(table, {4, 8}, m.load(ids, {4, 1}, {m.block_id(0), m.index(0)}), m.block_id(1)));
    const host_array out(dtype::f32, {8, 8}), values(dtype::f32, {5, 8}, counted(40));
    host_array list(id, {8, 1}, std::vector<int>{4, 0, 1, 1, 2, 5, 3, 0});
    if (id == dtype::u64) list.set_bits(5, 0x8000'0000'0000'0003);
    launch(m, {output(out, {4, 8}), values.argument(), list.argument()});
    EXPECT_EQ(fault(), id == dtype::u64 ? "row: -9223372036854775805 0 4" : "row: 5 0 4");
    for (index_t i = 0; i < out.size(); ++i) {
      const index_t row = i / 8;
      const float inside = static_cast<float>(list.get<int>(row) * 8 + i % 8 + 1);
      EXPECT_EQ(out.get<float>(i), row == 5 ? 0 : inside) << i;
    }
  }
}

// ---- Divisors -------------------------------------------------------------------------------------------------------
TEST_P(ResidualCheck, LetsADivisorOfZeroCountAsOne) {
  for (const dtype element : {dtype::i8, dtype::u16, dtype::i32, dtype::u32, dtype::i64, dtype::u64}) {
    for (const op which : {op::divide, op::remainder, op::floor_div, op::floor_mod}) {
      SCOPED_TRACE(std::string(info(element).name) + " " + ast::info(which).name);
      constexpr std::int32_t width = 21;
      module_builder m("division");
      const auto z = m.out(element, {2, width});
      const auto x = m.in(element, {2, width}), d = m.in(element, {2, width});
      const std::vector<tile_value> first = {m.index(0), m.index(0)};
      m.store(z, m.binary(which, m.load(x, {2, width}, first), m.load(d, {2, width}, first)));
      const host_array out(element, {2, width});
      host_array a(element, {2, width}), b(element, {2, width});
      for (index_t i = 0; i < a.size(); ++i) {
        a.set(i, 100 - i);
        b.set(i, i % 5);
      }
      launch(m, {output(out, {2, width}), a.argument(), b.argument()});
      EXPECT_EQ(fault(), "divisor: 0 0 0");
      for (index_t i = 0; i < out.size(); ++i) {
        const index_t divisor = i % 5 == 0 ? 1 : i % 5, dividend = 100 - i;
        const bool is_rest = which == op::remainder || which == op::floor_mod;
        EXPECT_EQ(out.get<index_t>(i), is_rest ? dividend % divisor : dividend / divisor) << i;
      }
    }
  }
}

// A check is made where the division stands, also when no branch that reads the quotient is taken.
TEST_P(ResidualCheck, FindsAZeroThatNoBlockReads) {
  module_builder m("unread");
  const auto z = m.out(dtype::i32, {8});
  const auto d = m.in(dtype::i32, {dynamic_extent});
  const auto wanted = m.scalar(dtype::i32);
  const auto divisor = m.load(d, {8}, {m.block_id(0)});
  const auto quotient = m.binary(op::divide, m.constant(dtype::i32, {8}, 8), divisor);
  const auto result = m.copy(divisor);
  m.if_begin(m.compare(op::equal, m.scalar_value(wanted), m.constant(dtype::i32, {}, 1)));
  m.assign(result, quotient);
  m.if_else();
  m.if_end();
  m.store(z, result);
  const host_array out(dtype::i32, {8}), b(dtype::i32, {8}, std::vector<int>{1, 1, 1, 1, 1, 1, 2, 0});
  for (const bool is_read : {false, true}) {
    launch(m, {output(out, {8}), b.argument(), scalar_argument<std::int32_t>(is_read ? 1 : 0)});
    EXPECT_EQ(fault(), "divisor: 0 0 0");
    EXPECT_EQ(out.get<int>(6), is_read ? 4 : 2);
  }
}

TEST_P(ResidualCheck, DropsChecksThatNothingDependsOn) {
  module_builder m("unused");
  const auto z = m.out(dtype::i32, {8});
  const auto d = m.in(dtype::i32, {dynamic_extent});
  const auto divisor = m.load(d, {8}, {m.block_id(0)});
  m.binary(op::divide, m.constant(dtype::i32, {8}, 8), divisor);
  m.store(z, divisor);
  const host_array out(dtype::i32, {8}), b(dtype::i32, {8}, std::vector<int>(8, 0));
  launch(m, {output(out, {8}), b.argument()});
  EXPECT_EQ(fault(), "");
  EXPECT_TRUE(made_.residual_checks.empty());
}

TEST_P(ResidualCheck, ChecksAScalarDivisor) {
  module_builder m("scalar");
  const auto z = m.out(dtype::i32, {1});
  const auto d = m.in(dtype::i32, {dynamic_extent});
  const auto divisor = m.reshape(m.load(d, {1}, {m.block_id(0)}), {});
  const auto quotient = m.binary(op::remainder, m.constant(dtype::i32, {}, 7), divisor);
  m.store(z, m.reshape(quotient, {1}));
  const host_array out(dtype::i32, {3}), b(dtype::i32, {3}, std::vector<int>{4, 0, -2});
  launch(m, {output(out, {1}), b.argument()});
  EXPECT_EQ(fault(), "divisor: 0 0 0");
  EXPECT_EQ(out.values<int>(), (std::vector<int>{3, 0, 1}));
}

// ---- Assertions: each element of a condition ------------------------------------------------------------------------
// x is (rows, 7) in tiles of one row; each is asserted to be below `limit`. The first row of 7 that fails tells where.
TEST_P(ResidualCheck, TellsTheFirstElementThatAnAssertionFindsFalse) {
  struct asserted {
    std::vector<int> x;
    std::vector<std::string> faults;
  };
  std::vector<int> good(21, 3), last = good, several = good;
  last[20] = 9;
  several[4] = several[6] = several[7] = 9;
  for (const asserted& tested :
       {asserted{good, {}}, asserted{last, {"assertion: 20 0 0"}}, asserted{several, {"assertion: 4 0 0"}}}) {
    module_builder m("asserted");
    const auto z = m.out(dtype::i32, {3, 7});
    const auto x = m.in(dtype::i32, {3, 7});
    const auto tile = m.load(x, {3, 7}, {m.index(0), m.index(0)});
    m.assertion(m.compare(op::less, tile, m.constant(dtype::i32, {3, 7}, 9)));
    m.store(z, tile);
    const host_array out(dtype::i32, {3, 7}), values(dtype::i32, {3, 7}, tested.x);
    launch(m, {output(out, {3, 7}), values.argument()});
    EXPECT_EQ(made_.residual_checks.size(), 1u);
    expect_fault(tested.faults);
    EXPECT_EQ(out.values<int>(), tested.x);  // a block goes on
  }
}

TEST_P(ResidualCheck, AssertsInLoopsAndBranchesThatGiveNothing) {
  for (const int limit : {0, 3, 4}) {
    module_builder m("looped");
    const auto z = m.out(dtype::i32, {1});
    const auto x = m.in(dtype::i32, {dynamic_extent});
    const auto most = m.scalar(dtype::i32);
    const auto k = m.for_begin(m.tiles(x, 0, 1));
    const auto element = m.reshape(m.load(x, {1}, {k}), {});
    m.if_begin(m.compare(op::greater, element, m.constant(dtype::i32, {}, 0)));
    m.assertion(m.compare(op::less_equal, element, m.scalar_value(most)));
    m.if_else();
    m.if_end();
    m.for_end();
    m.store(z, m.constant(dtype::i32, {1}, 5));
    const host_array out(dtype::i32, {1}), list(dtype::i32, {5}, std::vector<int>{-7, 2, 4, 0, 3});
    launch(m, {output(out, {1}), list.argument(), scalar_argument<std::int32_t>(limit)});
    EXPECT_EQ(fault(), limit < 4 ? "assertion: 0 0 0" : "");
    EXPECT_EQ(out.get<int>(0), 5);
  }
}

// ---- Random indices against a model: one check of each kind in one kernel -------------------------------------------
struct random_launch {
  static constexpr index_t blocks = 6, rows = 10, columns = 20;  // of x; tiles are 4 x 8
  std::vector<int> pages, ids, divisors;

  explicit random_launch(std::mt19937& numbers) {
    const auto draw = [&](int least, int greatest) {
      return std::uniform_int_distribution<int>(least, greatest)(numbers);
    };
    const bool is_wild = draw(0, 1) == 1;
    for (index_t b = 0; b < blocks; ++b) pages.push_back(is_wild ? draw(-2, 4) : draw(0, 2));
    for (index_t i = 0; i < blocks * 4; ++i) {
      ids.push_back(is_wild && draw(0, 9) == 0 ? draw(-3, 12) : draw(0, rows - 1));
      divisors.push_back(is_wild && draw(0, 9) == 0 ? 0 : draw(1, 5));
    }
  }

  struct outcome {
    std::vector<int> z;
    std::vector<std::string> faults;  // in the order of blocks
  };
  outcome model(bool gives_nearest_tile) const {
    outcome made;
    const auto note = [&](const char* kind, int got, int greatest) {
      made.faults.push_back(std::string(kind) + " " + std::to_string(got) + " 0 " + std::to_string(greatest));
    };
    for (index_t b = 0; b < blocks; ++b) {
      const int page = pages[static_cast<std::size_t>(b)];
      const bool has_tile = page >= 0 && page < 3;
      if (!has_tile) note("tile:", page, 2);
      for (index_t r = 0; r < 4; ++r) {
        const int id = ids[static_cast<std::size_t>(b * 4 + r)];
        if (id < 0 || id >= rows) note("row:", id, rows - 1);
      }
      for (index_t r = 0; r < 4; ++r) {
        if (divisors[static_cast<std::size_t>(b * 4 + r)] == 0) note("divisor:", 0, 0);
      }
      for (index_t i = 0; i < 32; ++i) {
        const auto line = static_cast<std::size_t>(b * 4 + i / 8);
        const index_t column = i % 8 + 8;
        const index_t row = has_tile || gives_nearest_tile ? std::clamp(page, 0, 2) * 4 + i / 8 : rows;
        const index_t tile = row < rows ? row * columns + column : 0;
        const index_t gathered = ids[line] >= 0 && ids[line] < rows ? ids[line] * columns + column : 0;
        made.z.push_back(static_cast<int>((tile + gathered) / std::max(divisors[line], 1)));
      }
    }
    return made;
  }
};

TEST_P(ResidualCheck, AgreesWithAModelOnRandomIndices) {
  constexpr unsigned seed = 20261201;
  SCOPED_TRACE(seed);
  module_builder m("model");
  const auto z = m.out(dtype::i32, {4, 8});
  const auto x = m.in(dtype::i32, {dynamic_extent, dynamic_extent});
  const auto pages = m.in(dtype::i32, {dynamic_extent});
  const auto ids = m.in(dtype::i32, {dynamic_extent, 1}), divisors = m.in(dtype::i32, {dynamic_extent, 1});
  const std::vector<tile_value> here = {m.block_id(0), m.index(0)};
  const auto tile = m.load(x, {4, 8}, {element(m, pages, m.block_id(0)), m.index(1)});
  const auto gathered = m.gather_rows(x, {4, 8}, m.load(ids, {4, 1}, here), m.index(1));
  m.store(z, m.binary(op::divide, m.binary(op::add, tile, gathered), m.load(divisors, {4, 1}, here)));
  std::vector<int> numbers;
  for (int i = 0; i < random_launch::rows * random_launch::columns; ++i) numbers.push_back(i);
  const host_array values(dtype::i32, {random_launch::rows, random_launch::columns}, numbers);
  std::mt19937 random(seed);
  int faulting = 0;
  for (int n = 0; n < 60; ++n) {
    const random_launch drawn(random);
    const host_array out(dtype::i32, {random_launch::blocks * 4, 8});
    const host_array page_list(dtype::i32, {random_launch::blocks}, drawn.pages),
        id_list(dtype::i32, {random_launch::blocks * 4, 1}, drawn.ids),
        divisor_list(dtype::i32, {random_launch::blocks * 4, 1}, drawn.divisors);
    launch(m,
           {output(out, {4, 8}), values.argument(), page_list.argument(), id_list.argument(), divisor_list.argument()});
    const auto expected = drawn.model(gives_nearest_tile());
    SCOPED_TRACE("launch " + std::to_string(n));
    expect_fault(expected.faults);
    EXPECT_EQ(out.values<int>(), expected.z);
    if (!expected.faults.empty()) ++faulting;
  }
  EXPECT_GT(faulting, 15);
  EXPECT_LT(faulting, 45);
}

TILEWRIGHT_ON_EVERY_BACK_END(ResidualCheck);

}  // namespace
}  // namespace tilewright::test
