// SPDX-License-Identifier: Apache-2.0
#include "tilewright/ast/printer.hpp"

#include <gtest/gtest.h>

#include "support/module_builder.hpp"

namespace tilewright::test {
namespace {

TEST(Printer, WritesALineForEachRecord) {
  module_builder m("row_sum");
  const auto bm = m.symbol("BM");
  const auto z = m.out(dtype::f32, {bm, 1});
  const auto x = m.in(dtype::f32, {ast::dynamic_extent, 8});
  const auto sum = m.constant(dtype::f32, {bm, 1}, 0.5);
  const auto from = m.index(0), to = m.tiles(x, 1, 4), step = m.index(1);
  const auto k = m.for_begin(from, to, step, true);
  const auto row = m.block_id(0);
  const auto part = m.load_padded(x, {bm, 4}, {row, k}, -1.0);
  m.assign(sum, m.binary(op::add, sum, m.reduce(op::reduce_sum, part, 1)));
  m.for_end();
  const auto extent = m.dim_value(bm), limit = m.index(-3);
  m.if_begin(m.compare(op::less, extent, limit));
  m.permute(part, {1, 0});
  m.if_else();
  m.extract(part, {bm, 2}, {0, 1});
  m.if_end();
  m.store(z, sum);
  EXPECT_EQ(ast::to_text(m.view()),
            "kernel 'row_sum'\n"
            "parameter 0 Out f32[BM, 1]\n"
            "parameter 1 In f32[dyn, 8]\n"
            "%0 = constant 0.5 : f32[BM, 1]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = tiles parameter 1 axis 1 in 4 : index[]\n"
            "%3 = constant 1 : index[]\n"
            "%4 = for_begin %1, %2, %3 reduction : index[]\n"
            "  %5 = block_id axis 0 : index[]\n"
            "  %6 = constant -1 : f32[]\n"
            "  %7 = load %5, %4, %6 parameter 1 padded : f32[BM, 4]\n"
            "  %8 = reduce_sum %7 axis 1 : f32[BM, 1]\n"
            "  %9 = add %0, %8 : f32[BM, 1]\n"
            "  assign %0, %9\n"
            "for_end\n"
            "%12 = dim_value BM : index[]\n"
            "%13 = constant -3 : index[]\n"
            "%14 = less %12, %13 : bool[]\n"
            "if_begin %14\n"
            "  %16 = permute %7 axes 1, 0 : f32[4, BM]\n"
            "if_else\n"
            "  %18 = extract %7 at 0 1 0 0 0 0 : f32[BM, 2]\n"
            "if_end\n"
            "store %0 parameter 0\n");
}

TEST(Printer, IndentsWhatCombinesTiles) {
  module_builder m("sums");
  const auto a = m.constant(dtype::f32, {4, 2}, 1), b = m.constant(dtype::i8, {4, 2}, 1);
  m.combined(op::reduce_begin, {a, b}, {1}, [&](const auto& left, const auto& right) {
    return std::vector{m.binary(op::add, left[0], right[0]), left[1]};
  });
  m.combined(op::scan_begin, {a}, {0, 1}, [](const auto& left, const auto&) { return left; });
  const std::string text = ast::to_text(m.view());
  EXPECT_EQ(text.substr(text.find("reduce_begin")),
            "reduce_begin %0, %1 axis 1\n"
            "  %3 = combiner_left 0 : f32[]\n"
            "  %4 = combiner_left 0 : i8[]\n"
            "  %5 = combiner_right : f32[]\n"
            "  %6 = combiner_right : i8[]\n"
            "  %7 = add %3, %5 : f32[]\n"
            "combiner_end %7, %4\n"
            "%9 = combined : f32[4, 1]\n"
            "%10 = combined : i8[4, 1]\n"
            "scan_begin %0 axis 0 reverse\n"
            "  %12 = combiner_left 0 : f32[]\n"
            "  %13 = combiner_right : f32[]\n"
            "combiner_end %12\n"
            "%15 = combined : f32[4, 2]\n");
}

TEST(Printer, NamesTheCombinerOfAnAccum) {
  module_builder m("bits");
  const auto z = m.accum(dtype::u32, {4}, combiner::bit_or);
  m.combine(z, m.constant(dtype::u32, {4}, 3));
  EXPECT_EQ(ast::to_text(m.view()),
            "kernel 'bits'\n"
            "parameter 0 Accum bit_or u32[4]\n"
            "%0 = constant 3 : u32[4]\n"
            "combine %0 parameter 0\n");
}

TEST(Printer, WritesTablesAndNumbersOfTexts) {
  module_builder m("said");
  const auto table = m.table(dtype::f32, {3}, std::vector<double>{0.5, -0.0, 7});
  const auto holds = m.compare(op::less, table, m.constant(dtype::f32, {3}, 9));
  m.assertion(holds);
  m.assertion(holds, "first");
  m.assertion(holds, "second");
  m.print("{} {}", {holds, table});
  EXPECT_EQ(ast::to_text(m.view()),
            "kernel 'said'\n"
            "%0 = table {0.5, -0, 7} : f32[3]\n"
            "%1 = constant 9 : f32[3]\n"
            "%2 = less %0, %1 : bool[3]\n"
            "assertion %2\n"
            "assertion %2 text 0\n"
            "assertion %2 text 1\n"
            "print %2, %0 text 2\n");
}

TEST(Printer, LeavesLocationsOut) {
  module_builder a, b;
  a.at(7).index(1);
  b.at(9).index(1);
  EXPECT_EQ(ast::to_text(a.view()), ast::to_text(b.view()));
}

TEST(Printer, SaysWhereDamagedCodeEnds) {
  module_builder m;
  m.index(1);
  m.code().pop_back();
  EXPECT_EQ(ast::to_text(m.view()), "kernel 'kernel'\nthe rest of the code cannot be read\n");
}

}  // namespace
}  // namespace tilewright::test
