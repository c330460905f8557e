// SPDX-License-Identifier: Apache-2.0
// Elements that data chooses, on every back end: gather and combine_at against loops, with masks, edges, strides,
// duplicates, and indices that are outside.
#include "numeric/checked_run_test.hpp"

namespace tilewright::test {
namespace {

using ast::dynamic_extent;
using compiler::fault_status;

class ChosenElements : public CheckedRunTest {
 protected:
  std::string fault() const {
    return status_.state == fault_status::none ? "" : compiler::fault_of(made_, status_).what();
  }
};

// As t.all(shared_by(blocks)) says it.
compiler::argument whole(const host_array& z, index_t blocks) {
  compiler::argument made = output(z, z.extents());
  for (index_t& extent : made.piece) extent = std::max<index_t>(extent, 1);
  made.shared_by = blocks;
  return made;
}

std::int64_t wild(index_t n) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(n + 1) * 0x9e3779b97f4a7c15U) >> 33);
}
host_array numbered(dtype element, const std::vector<index_t>& shape) {
  host_array made(element, shape);
  for (index_t i = 0; i < made.size(); ++i) made.set(i, i % 120 + 1);
  return made;
}

// Block b gathers x[i, j] for the indices of tile b of two lists, where a third list says so.
struct gather_case {
  dtype element, index;
  std::int32_t width;
  index_t lanes;
  bool is_masked;
};

TEST_P(ChosenElements, AGatherReadsWhatItsIndicesSay) {
  const gather_case cases[] = {{dtype::f32, dtype::i32, 16, 64, false}, {dtype::f32, dtype::i64, 5, 23, true},
                               {dtype::i64, dtype::i32, 1, 3, false},   {dtype::boolean, dtype::u8, 3, 9, true},
                               {dtype::f64, dtype::u32, 33, 40, true},  {dtype::f16, dtype::i8, 8, 1, true},
                               {dtype::i8, dtype::u64, 7, 7, false},    {dtype::i32, dtype::i16, 64, 0, true}};
  for (const gather_case& tested : cases) {
    for (const bool is_strided : {false, true}) {
      SCOPED_TRACE(std::string(info(tested.element).name) + " by " + info(tested.index).name);
      const index_t rows = 7, columns = 11, lanes = tested.lanes;
      module_builder m("gather");
      const auto z = m.out(tested.element, {tested.width});
      const auto x = m.in(tested.element, {dynamic_extent, dynamic_extent});
      const auto i = m.in(tested.index, {dynamic_extent}), j = m.in(tested.index, {dynamic_extent});
      const auto keep = m.in(dtype::boolean, {dynamic_extent});
      const auto of = [&](parameter_index p) { return m.load_padded(p, {tested.width}, {m.block_id(0)}, 0); };
      std::vector<tile_value> operands = {of(i), of(j)};
      if (tested.is_masked) operands.push_back(of(keep));
      m.store(z, m.gather(x, {tested.width}, operands, tested.is_masked));

      const host_array from = is_strided ? numbered(tested.element, {columns, rows}).view({rows, columns}, {1, rows}, 0)
                                         : numbered(tested.element, {rows, columns});
      host_array is(tested.index, {lanes}), js(tested.index, {lanes}), mask(dtype::boolean, {lanes});
      const host_array out(tested.element, {lanes});
      for (index_t n = 0; n < lanes; ++n) {
        mask.set(n, wild(n) % 2);
        const bool is_out = tested.is_masked && wild(n) % 2 == 0;  // then the index may be anything
        is.set(n, is_out ? 100 + n % 20 : wild(n + 1000) % rows);
        js.set(n, wild(n + 2000) % columns);
      }
      launch(m, {output(out, {tested.width}), from.argument(), is.argument(), js.argument(), mask.argument()});
      EXPECT_EQ(fault(), "");
      for (index_t n = 0; n < lanes; ++n) {
        const index_t at = wild(n + 1000) % rows * columns + wild(n + 2000) % columns;
        EXPECT_EQ(out.bits(n), tested.is_masked && wild(n) % 2 == 0 ? 0 : from.bits(at)) << n;
      }
    }
  }
}

// Indices of shapes (R, 1, 1), (1, C, 1) and rank 0 repeat to (R, C, 4); iotas need no check.
TEST_P(ChosenElements, IndicesRepeatToOneShape) {
  for (const std::int32_t rows : {1, 3, 8}) {
    module_builder m("repeated");
    const auto z = m.out(dtype::i32, {rows, 5, 4});
    const auto x = m.in(dtype::i32, {8, 5, dynamic_extent});
    const auto i = m.iota(dtype::i32, {rows, 1, 1}, 0), j = m.iota(dtype::index, {1, 5, 1}, 1);
    const auto lane = m.iota(dtype::index, {1, 1, 4}, 2);
    const auto mask = m.compare(op::less, lane, m.extent(x, 2));
    m.store(z, m.gather(x, {rows, 5, 4}, {i, j, lane, mask}, true));
    const host_array from = numbered(dtype::i32, {8, 5, 3}), out(dtype::i32, {rows, 5, 4});
    launch(m, {output(out, {rows, 5, 4}), from.argument()});
    EXPECT_TRUE(made_.residual_checks.empty());
    EXPECT_TRUE(made_.checks.empty());
    for (index_t n = 0; n < out.size(); ++n) {
      EXPECT_EQ(out.get<i32>(n), n % 4 == 3 ? 0 : from.get<i32>(n / 4 * 3 + n % 4)) << n;
    }
  }
}

TEST_P(ChosenElements, ScalarsChooseOneElement) {
  module_builder m("one");
  const auto z = m.out(dtype::i32, {1});
  const auto x = m.in(dtype::i32, {dynamic_extent}), ids = m.in(dtype::i32, {dynamic_extent});
  const auto id = m.reshape(m.load(ids, {1}, {m.block_id(0)}), {});
  m.store(z, m.reshape(m.gather(x, {}, {id}), {1}));
  const host_array from = numbered(dtype::i32, {9}), list(dtype::i32, {4}, std::vector<i32>{8, 0, 9, 3}),
                   out(dtype::i32, {4});
  launch(m, {output(out, {1}), from.argument(), list.argument()});
  EXPECT_EQ(out.values<i32>(), (std::vector<i32>{9, 1, 0, 4}));
  EXPECT_NE(fault().find("got: 9"), std::string::npos) << fault();
}

// An index outside is named, with the extent, and its lane is 0; in masked lanes it means nothing.
TEST_P(ChosenElements, AnIndexOutsideIsNamed) {
  struct outside_case {
    std::vector<i64> list;
    const char *expected, *got;
  };
  const outside_case cases[] = {{{0, 5, 2, 3, 4, 1}, "", ""},
                                {{0, 1, 2, 6, 4, 1}, "expected: 0 to 5", "got: 6"},
                                {{0, 1, -1, 3, 4, 1}, "expected: 0 to 5", "got: -1"},
                                {{1, 1, 1, 1, 1, INT64_MAX}, "expected: 0 to 5", "got: 9223372036854775807"},
                                {{INT64_MIN, 1, 1, 1, 1, 1}, "expected: 0 to 5", "got: -9223372036854775808"}};
  for (const outside_case& tested : cases) {
    for (const bool is_masked : {false, true}) {
      module_builder m("outside");
      const auto z = m.out(dtype::f32, {6});
      const auto x = m.in(dtype::f32, {dynamic_extent}), ids = m.in(dtype::i64, {dynamic_extent});
      const auto i = m.load_padded(ids, {6}, {m.block_id(0)}, 0);
      std::vector<tile_value> operands = {i};
      if (is_masked) {
        operands.push_back(m.binary(op::bit_and, m.compare(op::less, i, m.cast(dtype::i64, m.extent(x, 0))),
                                    m.compare(op::greater_equal, i, m.constant(dtype::i64, {}, 0))));
      }
      m.store(z, m.gather(x, {6}, operands, is_masked));
      const host_array from = numbered(dtype::f32, {6}), list(dtype::i64, {6}, tested.list), out(dtype::f32, {6});
      launch(m, {output(out, {6}), from.argument(), list.argument()});
      if (is_masked) {
        EXPECT_TRUE(made_.residual_checks.empty()) << made_.residual_checks[0].rule;
        EXPECT_EQ(fault(), "");
      } else {
        EXPECT_EQ(fault().empty(), *tested.expected == 0) << fault();
        EXPECT_NE(fault().find(tested.expected), std::string::npos) << fault();
        EXPECT_NE(fault().find(tested.got), std::string::npos) << fault();
      }
      for (index_t n = 0; n < 6; ++n) {
        const i64 at = list.get<i64>(n);
        EXPECT_EQ(out.get<float>(n), at < 0 || at > 5 ? 0 : static_cast<float>(at + 1)) << n;
      }
    }
  }
}

// The numbers of an iota wrap at the width of its element.
TEST_P(ChosenElements, ANumberThatWrapsIsNamed) {
  module_builder m("wraps");
  const auto z = m.out(dtype::i32, {256}), x = m.in(dtype::i32, {256});
  m.store(z, m.gather(x, {256}, {m.iota(dtype::i8, {256}, 0)}));
  const host_array from = numbered(dtype::i32, {256}), out(dtype::i32, {256});
  launch(m, {output(out, {256}), from.argument()});
  EXPECT_NE(fault().find("got: -128"), std::string::npos) << fault();
  for (index_t n = 0; n < 256; ++n) EXPECT_EQ(out.get<i32>(n), n < 128 ? from.get<i32>(n) : 0) << n;
}

// ---- combine_at -----------------------------------------------------------------------------------------------------
struct count_case {
  std::int32_t width;
  index_t elements, bins, blocks;
};

// All blocks count into all bins; most bins are hit many times by one block.
TEST_P(ChosenElements, ManyLanesCombineIntoOneElement) {
  const count_case cases[] = {{16, 64, 5, 4}, {16, 61, 5, 4}, {7, 100, 1, 15}, {1, 3, 3, 3}, {64, 20, 37, 1}};
  for (const dtype element : {dtype::i32, dtype::i64, dtype::u32, dtype::f32, dtype::f64}) {
    for (const count_case& tested : cases) {
      SCOPED_TRACE(std::string(info(element).name) + " " + std::to_string(tested.elements));
      module_builder m("histogram");
      const auto z = m.accum(element, {dynamic_extent});
      const auto ids = m.in(dtype::i32, {dynamic_extent});
      const auto id = m.load_padded(ids, {tested.width}, {m.block_id(1)}, -1);
      const auto is_real = m.compare(op::greater_equal, id, m.constant(dtype::i32, {}, 0));
      m.combine_at(z, m.constant(element, {}, 1), {id, is_real}, true);
      m.combine_at(z, m.cast(element, id), {id, is_real}, true);

      host_array list(dtype::i32, {tested.elements}), sums(element, {tested.bins});
      std::vector<double> expected(static_cast<std::size_t>(tested.bins), 100);
      for (index_t b = 0; b < tested.bins; ++b) sums.set(b, 100);
      for (index_t n = 0; n < tested.elements; ++n) {
        const std::int64_t bin = wild(n) % 3 == 0 ? 0 : wild(n) % tested.bins;
        list.set(n, bin);
        expected[static_cast<std::size_t>(bin)] += 1 + static_cast<double>(bin);
      }
      launch(m, {whole(sums, tested.blocks), list.argument()});
      EXPECT_EQ(fault(), "");
      for (index_t b = 0; b < tested.bins; ++b) {
        EXPECT_EQ(sums.bits(b), encode(element, expected[static_cast<std::size_t>(b)])) << b;
      }
    }
  }
}

TEST_P(ChosenElements, EveryCombinerTakesAnElement) {
  for (int c = 0; c < combiner_count; ++c) {
    for (const dtype element : {dtype::i32, dtype::u64, dtype::f32}) {
      const auto by = static_cast<combiner>(c);
      if (!can_combine(by, element)) continue;
      SCOPED_TRACE(std::string(info(element).name) + " " + combiner_name(by));
      program_builder p(3);
      const int z = p.accum(element, {0, 0}, by), x = p.in(element, 2);
      const value_type tile = type_of(element, {2, 5});
      const value_id i = p.value(op::iota, type_of(dtype::i32, {2, 1}), {}, {0});
      const value_id j = p.constant(type_of(dtype::i64, {1, 5}), 3);
      p.combine_at(z, p.load(x, tile, {p.block_id(2), p.index(0)}), {i, j});
      host_array from(element, {6, 5}), to(element, {2, 4});
      for (index_t n = 0; n < 30; ++n) from.set(n, wild(n) % 50);
      for (index_t n = 0; n < 8; ++n) to.set(n, 21);
      std::int64_t expected[2] = {21, 21};
      for (index_t n = 0; n < 30; ++n) {
        std::int64_t& so_far = expected[n / 5 % 2];
        const std::int64_t next = wild(n) % 50;
        switch (by) {
          case combiner::sum:
            so_far += next;
            break;
          case combiner::min:
            so_far = std::min(so_far, next);
            break;
          case combiner::max:
            so_far = std::max(so_far, next);
            break;
          case combiner::bit_and:
            so_far &= next;
            break;
          case combiner::bit_or:
            so_far |= next;
            break;
          case combiner::bit_xor:
            so_far ^= next;
            break;
        }
      }
      run_here(p.result(), {to.argument(), from.argument()}, {1, 1, 3});
      for (index_t n = 0; n < 8; ++n) {
        EXPECT_EQ(to.bits(n), encode(element, n % 4 == 3 ? expected[n / 4] : 21)) << n;
      }
    }
  }
}

// Of three axes and through strides; a lane outside combines nothing and is named, the others combine.
TEST_P(ChosenElements, ALaneOutsideCombinesNothing) {
  module_builder m("outside");
  const auto z = m.accum(dtype::i32, {dynamic_extent, dynamic_extent, dynamic_extent});
  const auto ids = m.in(dtype::i32, {dynamic_extent});
  const auto i = m.load(ids, {8}, {m.index(0)});
  m.combine_at(z, m.constant(dtype::i32, {8}, 1), {m.index(1), i, m.constant(dtype::u8, {8}, 0)});
  const host_array memory(dtype::i32, {60}, std::vector<i32>(60, 7));
  const host_array to = memory.view({2, 5, 3}, {30, 1, 10}, 0);
  const host_array list(dtype::i32, {8}, std::vector<i32>{4, 0, 5, 4, -1, 2, 4, 1000000});
  launch(m, {whole(to, 2), list.argument()});
  EXPECT_NE(fault().find("an element index of parameter 0 (Accum) on axis 1 stays within the extent"),
            std::string::npos)
      << fault();
  EXPECT_NE(fault().find("expected: 0 to 4"), std::string::npos) << fault();
  EXPECT_NE(fault().find("got: 5"), std::string::npos) << fault();
  std::vector<i32> expected(60, 7);
  expected[30] = expected[32] = 9;  // both blocks
  expected[34] = 13;
  EXPECT_EQ(memory.values<i32>(), expected);
}

TEST_P(ChosenElements, AnEmptyTensorHasNoElement) {
  module_builder m("empty");
  const auto z = m.accum(dtype::i32, {dynamic_extent});
  const auto ids = m.in(dtype::i32, {dynamic_extent});
  const auto i = m.load(ids, {4}, {m.index(0)});
  m.combine_at(z, m.constant(dtype::i32, {4}, 1), {i});
  const host_array to(dtype::i32, {0}), list(dtype::i32, {4});
  launch(m, {whole(to, 1), list.argument()});
  EXPECT_NE(fault().find("there are none on that axis"), std::string::npos) << fault();
}

TILEWRIGHT_ON_EVERY_BACK_END(ChosenElements);

}  // namespace
}  // namespace tilewright::test
