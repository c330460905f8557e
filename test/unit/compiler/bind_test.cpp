// SPDX-License-Identifier: Apache-2.0
// Bind turns variables, loops and branches into SSA form, and refuses what only concrete extents can show.
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
using test::module_builder;
using test::tile_value;

program bind_for(module_builder& m, const std::vector<argument>& arguments,
                 const std::vector<named_extent>& with = {}) {
  return bind(m.view(), bind_arguments(m.view(), arguments, with, {}).special);
}

// The report of the compile_error that binding gives; fails the test when there is none.
report refusal(module_builder& m, const std::vector<argument>& arguments, const std::vector<named_extent>& with = {}) {
  try {
    bind_for(m, arguments, with);
  } catch (const compile_error& e) {
    return e.parts();
  }
  ADD_FAILURE() << "bind accepted the kernel";
  return {};
}

void build_gemm(module_builder& m) {
  const auto bm = m.symbol("BM"), bn = m.symbol("BN"), bk = m.symbol("BK");
  const auto z = m.out(dtype::f32, {bm, bn});
  const auto x = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
  const auto y = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
  const auto acc = m.constant(dtype::f32, {bm, bn}, 0);
  const auto k = m.for_begin(m.tiles(x, 1, bk), true);
  const auto a = m.load(x, {bm, bk}, {m.block_id(0), k});
  const auto b = m.load(y, {bk, bn}, {k, m.block_id(1)});
  m.assign(acc, m.mma(a, b, acc));
  m.for_end();
  m.store(z, acc);
}

TEST(Bind, CarriesAVariableThroughALoop) {
  module_builder m("gemm");
  build_gemm(m);
  const program made = bind_for(m, {dense({128, 64}, {32, 16}), dense({128, 96}), dense({96, 64})}, {{"BK", 8}});
  EXPECT_EQ(to_text(made),
            "kernel 'gemm' grid rank 2\n"
            "  parameter 0 Out f32[32, 16] align 128 axes [/16 divides, unit divides] 31-bit\n"
            "  parameter 1 In f32 rank 2 align 128 axes [/16 divides, unit divides] 31-bit\n"
            "  parameter 2 In f32 rank 2 align 128 axes [/16 divides, unit divides] 31-bit\n"
            "  %0: f32[32, 16] = constant 0\n"
            "  %1: index = tiles 1 1 8\n"
            "  %2: index = constant 0\n"
            "  %3: index = constant 1\n"
            "  %11: f32[32, 16] = for %4 = %2 to %1 step %3 carrying %5 = %0 reduction\n"
            "    %6: index = block_id 0\n"
            "    %7: f32[32, 8] = load %6, %4 1 0\n"
            "    %8: index = block_id 1\n"
            "    %9: f32[8, 16] = load %4, %8 2 0\n"
            "    %10: f32[32, 16] = mma %7, %9, %5 0\n"
            "    yield %10\n"
            "  store %11 0\n");
}

TEST(Bind, CarriesVariablesThroughAWhileLoop) {
  module_builder m("halve");
  const auto z = m.out(dtype::i32, {4});
  const auto x = m.in(dtype::i32, {dynamic_extent});
  const auto v = m.load(x, {4}, {m.block_id(0)});
  const auto rounds = m.copy(m.index(0));
  m.while_begin();
  m.while_condition(m.compare(op::less, rounds, m.index(5)));
  m.assign(v, m.binary(op::divide, v, m.constant(dtype::i32, {}, 2)));
  m.assign(rounds, m.binary(op::add, rounds, m.index(1)));
  m.while_end();
  m.store(z, v);
  const program made = bind_for(m, {dense({64}, {4}), dense({64})});
  const std::string text = to_text(made);
  EXPECT_EQ(text.substr(text.find("  %0:")),
            "  %0: index = block_id 0\n"
            "  %1: i32[4] = load %0 1 0\n"
            "  %2: index = constant 0\n"
            "  %11: i32[4], %12: index = while carrying %3 = %1, %4 = %2\n"
            "    %5: index = constant 5\n"
            "    %6: bool = less %4, %5\n"
            "    while_condition %6\n"
            "    %7: i32 = constant 2\n"
            "    %8: i32[4] = divide %3, %7\n"
            "    %9: index = constant 1\n"
            "    %10: index = add %4, %9\n"
            "    yield %8, %10\n"
            "  store %11 0\n");
}

TEST(Bind, GivesBothBranchesOfAnIfTheSameResults) {
  module_builder m("choose");
  const auto z = m.out(dtype::i32, {4});
  const auto x = m.in(dtype::i32, {dynamic_extent});
  const auto kept = m.constant(dtype::i32, {4}, 1);
  const auto untouched = m.constant(dtype::i32, {4}, 7);
  m.if_begin(m.compare(op::less, m.block_id(0), m.index(3)));
  m.assign(kept, m.load(x, {4}, {m.block_id(0)}));
  m.if_else();
  m.if_end();
  m.store(z, m.binary(op::add, kept, untouched));
  const program made = bind_for(m, {dense({16}, {4}), dense({16})});
  const std::string text = to_text(made);
  EXPECT_NE(text.find("%7: i32[4] = if %4\n"
                      "    %5: index = block_id 0\n"
                      "    %6: i32[4] = load %5 1 0\n"
                      "    yield %6\n"
                      "  else\n"
                      "    yield %0\n"
                      "  %8: i32[4] = add %7, %1\n"),
            std::string::npos)
      << text;
}

TEST(Bind, LetsBothBranchesDefineAVariable) {
  module_builder m("define");
  const auto z = m.out(dtype::f32, {4});
  const auto result = m.undefined(dtype::f32, {4});
  m.if_begin(m.compare(op::less, m.block_id(0), m.index(3)));
  m.assign(result, m.constant(dtype::f32, {4}, 1.0));
  m.if_else();
  m.assign(result, m.constant(dtype::f32, {4}, 2.0));
  m.if_end();
  m.store(z, result);
  const program made = bind_for(m, {dense({16}, {4})});
  const instruction& branch = made.entry.body[3];
  ASSERT_EQ(branch.op, op::if_begin);
  ASSERT_EQ(branch.results.size(), 1u);
  EXPECT_EQ(made.entry.body.back().operands[0], branch.results[0]);
}

TEST(Bind, RefusesAVariableThatOneBranchOnlyDefines) {
  module_builder m("half");
  const auto z = m.out(dtype::f32, {4});
  const auto result = m.undefined(dtype::f32, {4});
  m.if_begin(m.compare(op::less, m.block_id(0), m.index(3)));
  m.assign(result, m.constant(dtype::f32, {4}, 1.0));
  m.if_else();
  m.if_end();
  m.store(z, result);
  EXPECT_EQ(refusal(m, {dense({16}, {4})}).what, "a value is used where it does not exist");
}

TEST(Bind, KeepsACopyWhenTheOriginalChanges) {
  module_builder m("swap");
  const auto z = m.out(dtype::f32, {4});
  const auto a = m.constant(dtype::f32, {4}, 1.0);
  const auto b = m.copy(a);
  m.assign(a, m.constant(dtype::f32, {4}, 2.0));
  m.store(z, b);
  const program made = bind_for(m, {dense({4}, {4})});
  EXPECT_EQ(made.entry.body.back().operands[0], made.entry.body.front().results[0]);
}

TEST(Bind, RoundsConstantsToTheirElement) {
  module_builder m("constants");
  const auto z = m.out(dtype::f16, {4});
  m.store(z, m.constant(dtype::f16, {4}, 1.0 + 0x1p-11 + 0x1p-40));  // just above the tie: rounds up, but only once
  const program made = bind_for(m, {dense({4}, {4})});
  EXPECT_EQ(std::bit_cast<double>(made.entry.body[0].attributes[0]), 1.0 + 0x1p-10);
}

TEST(Bind, RefusesShapesThatOnlyValuesOfDimsMakeDiffer) {
  module_builder m("same");
  const auto bm = m.symbol("BM"), bn = m.symbol("BN");
  const auto z = m.out(dtype::f32, {bm});
  m.at(31).store(z, m.same_shape(m.constant(dtype::f32, {bn}, 0), {bm}));
  const report got = refusal(m, {dense({16}, {4})}, {{"BN", 8}});
  EXPECT_EQ(got.what, "same_shape asserts shapes that differ");
  EXPECT_EQ(got.where, "kernel 'same' at test.hpp:31");
  EXPECT_EQ(got.expected, "[4]");
  EXPECT_EQ(got.got, "[8]");
  EXPECT_NO_THROW(bind_for(m, {dense({16}, {4})}, {{"BN", 4}}));
}

TEST(Bind, TellsAllFaultsOfAKernelAtOnce) {
  module_builder m("two");
  const auto bm = m.symbol("BM"), bn = m.symbol("BN");
  const auto z = m.out(dtype::f32, {bm});
  m.at(5);
  const auto first = m.same_shape(m.constant(dtype::f32, {bn}, 0), {bm});
  m.at(9);
  m.store(z, m.same_shape(m.constant(dtype::f32, {bn}, 0), {bm}));
  const report got = refusal(m, {dense({16}, {4})}, {{"BN", 8}});
  EXPECT_NE(got.what.find("test.hpp:5"), std::string::npos) << got.what;
  EXPECT_NE(got.what.find("test.hpp:9"), std::string::npos) << got.what;
  (void)first;
}

// ---- Overhang ------------------------------------------------------------------------------------------------------
// Builds a kernel over a ragged tile x (4, 8) of a tensor (6, 12); the rows and columns of the last tiles overhang.
struct overhang_case {
  const char* name;
  std::function<tile_value(module_builder&, tile_value ragged, tile_value padded)> build;
  bool is_refused;
};

class BindOverhang : public testing::TestWithParam<overhang_case> {};

TEST_P(BindOverhang, IsFollowedThroughTheOp) {
  module_builder m("ragged");
  m.out(dtype::f32, {4, 8});
  const auto x = m.in(dtype::f32, {dynamic_extent, dynamic_extent});
  const auto i = m.block_id(0), j = m.block_id(1);
  const auto ragged = m.load(x, {4, 8}, {i, j});
  const auto padded = m.load_padded(x, {4, 8}, {i, j}, 0.0);
  m.at(77);
  GetParam().build(m, ragged, padded);
  const std::vector<argument> arguments = {dense({6, 12}, {4, 8}), dense({6, 12})};
  if (!GetParam().is_refused) {
    EXPECT_NO_THROW(bind_for(m, arguments));
    return;
  }
  const report got = refusal(m, arguments);
  EXPECT_EQ(got.where, "kernel 'ragged' at test.hpp:77");
  EXPECT_NE(got.fix.find("pad(0)"), std::string::npos);
  EXPECT_NO_THROW(bind_for(m, {dense({8, 16}, {4, 8}), dense({8, 16})})) << "full tiles";
}

using builder = module_builder;
const auto zeros = [](builder& m) { return m.constant(dtype::f32, {4, 4}, 0); };
const overhang_case overhang_cases[] = {
    {"a_while_loop_that_makes_its_tile_ragged",
     [](module_builder& m, tile_value ragged, tile_value padded) {
       const auto sum = m.copy(padded), rounds = m.copy(m.index(0));
       m.while_begin();
       m.while_condition(m.compare(op::less, rounds, m.index(3)));
       m.assign(sum, m.binary(op::add, sum, ragged));
       m.assign(rounds, m.binary(op::add, rounds, m.index(1)));
       m.while_end();
       return m.at(77).reduce(op::reduce_sum, sum, 1);
     },
     true},
    {"a_while_loop_over_padded_tiles",
     [](module_builder& m, tile_value, tile_value padded) {
       const auto sum = m.copy(padded), rounds = m.copy(m.index(0));
       m.while_begin();
       m.while_condition(m.compare(op::less, rounds, m.index(3)));
       m.assign(sum, m.binary(op::add, sum, padded));
       m.assign(rounds, m.binary(op::add, rounds, m.index(1)));
       m.while_end();
       return m.reduce(op::reduce_sum, sum, 1);
     },
     false},
    {"reduce", [](builder& m, tile_value x, tile_value) { return m.reduce(op::reduce_sum, x, 1); }, true},
    {"reduce_of_padded", [](builder& m, tile_value, tile_value p) { return m.reduce(op::reduce_sum, p, 1); }, false},
    {"argmax", [](builder& m, tile_value x, tile_value) { return m.reduce(op::argmax, x, 0); }, true},
    {"scan", [](builder& m, tile_value x, tile_value) { return m.scan(op::scan_sum, x, 1); }, true},
    {"scan_backwards", [](builder& m, tile_value x, tile_value) { return m.scan(op::scan_max, x, 1, 1); }, true},
    {"scan_of_padded", [](builder& m, tile_value, tile_value p) { return m.scan(op::scan_max, p, 1, 1); }, false},
    {"element_wise_joins",
     [](builder& m, tile_value x, tile_value p) { return m.reduce(op::reduce_max, m.binary(op::add, p, x), 0); }, true},
    {"iota_is_real",
     [](builder& m, tile_value, tile_value) { return m.reduce(op::reduce_max, m.iota(dtype::i32, {8}, 0), 0); }, false},
    {"reduced_axis_becomes_real",
     [](builder& m, tile_value, tile_value p) {
       return m.reduce(op::reduce_sum, m.broadcast(m.reduce(op::reduce_sum, p, 1), {4, 8}), 1);
     },
     false},
    {"permute_moves_axes",
     [](builder& m, tile_value x, tile_value p) {
       const auto mixed =
           m.binary(op::add, p, m.broadcast(m.extract(m.transpose(m.transpose(p)), {1, 8}, {0}), {4, 8}));
       return m.mma(mixed, m.transpose(x), zeros(m));
     },
     true},
    {"mma_k_of_a", [](builder& m, tile_value x, tile_value p) { return m.mma(x, m.transpose(p), zeros(m)); }, true},
    {"mma_k_of_a_batch",
     [](builder& m, tile_value x, tile_value p) {
       const auto a = m.reshape(x, {1, 4, 8}), b = m.reshape(m.transpose(p), {1, 8, 4});
       return m.mma(a, b, m.reshape(zeros(m), {1, 4, 4}));
     },
     true},
    {"mma_m_of_a_batch",
     [](builder& m, tile_value, tile_value p) {
       const auto a = m.reshape(p, {1, 4, 8}), b = m.reshape(m.transpose(p), {1, 8, 4});
       return m.reshape(m.mma(a, b, m.reshape(zeros(m), {1, 4, 4})), {4, 4});
     },
     false},
    {"mma_m_and_n_only", [](builder& m, tile_value, tile_value p) { return m.mma(p, m.transpose(p), zeros(m)); },
     false},
    {"reshape_merges", [](builder& m, tile_value x, tile_value) { return m.reshape(x, {32}); }, true},
    {"reshape_adds_ones",
     [](builder& m, tile_value x, tile_value) {
       return m.reshape(x, {4, 1, 8, 1});
     },
     false},
    {"cat",
     [](builder& m, tile_value x, tile_value p) {
       return m.cat(x, p, 0, {8, 8});
     },
     true},
    {"extract_cuts",
     [](builder& m, tile_value x, tile_value) {
       return m.extract(x, {2, 8}, {1, 0});
     },
     true},
    {"extract_of_padded",
     [](builder& m, tile_value, tile_value p) {
       return m.extract(p, {2, 8}, {1, 0});
     },
     false},
    {"loop_carries",
     [](builder& m, tile_value x, tile_value p) {
       const auto sum = m.copy(p);
       m.for_begin(m.index(3));
       m.reduce(op::reduce_sum, sum, 1);  // only the second time round is it ragged
       m.assign(sum, m.binary(op::add, sum, x));
       m.for_end();
       return sum;
     },
     true},
    {"branch_joins",
     [](builder& m, tile_value x, tile_value p) {
       const auto either = m.copy(p);
       m.if_begin(m.compare(op::less, m.block_id(0), m.index(1)));
       m.assign(either, x);
       m.if_else();
       m.if_end();
       return m.reduce(op::reduce_sum, either, 1);
     },
     true},
};
INSTANTIATE_TEST_SUITE_P(Each, BindOverhang, testing::ValuesIn(overhang_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

// ---- Windows -------------------------------------------------------------------------------------------------------
// Block i of z has the sum of window i of x, of 4 elements, with a pad or without.
void build_window_sums(module_builder& m, std::int32_t stride, bool is_padded) {
  const auto z = m.out(dtype::f32, {1});
  const auto x = m.in(dtype::f32, {dynamic_extent});
  const auto window = is_padded ? m.load_window_padded(x, {4}, {stride}, {m.block_id(0)}, 0)
                                : m.load_window(x, {4}, {stride}, {m.block_id(0)});
  m.store(z, m.reduce(op::reduce_sum, window, 0));
}

// Windows that overlap reach past the end of any tensor; those that do not, as tiles do, where it is no multiple.
TEST(BindWindows, OverhangByTheirStride) {
  struct window_case {
    std::int32_t stride;
    index_t length, windows;
    bool may_overhang;
  };
  for (const auto& [stride, length, windows, may_overhang] :
       {window_case{1, 8, 8, true}, {3, 12, 4, true}, {4, 12, 3, false}, {4, 13, 4, true}, {6, 12, 2, false}}) {
    module_builder padded("sums"), bare("sums");
    build_window_sums(padded, stride, true);
    build_window_sums(bare, stride, false);
    const std::vector<argument> arguments = {dense({windows}, {1}), dense({length})};
    const program made = bind_for(padded, arguments);
    EXPECT_EQ(made.parameters[1].facts.divides[0], !may_overhang) << stride << " of " << length;
    if (may_overhang) {
      EXPECT_NE(refusal(bare, arguments).what.find("reduce_sum over axis 0 of a tile that may reach past its tensor"),
                std::string::npos);
    } else {
      EXPECT_NO_THROW(bind_for(bare, arguments));
    }
  }
}

TEST(BindWindows, TakeTheValuesOfTheirDims) {
  module_builder m("windows");
  const auto step = m.symbol("STEP");
  const auto z = m.out(dtype::f32, {4});
  m.store(z, m.load_window(m.in(dtype::f32, {dynamic_extent}), {4}, {step}, {m.block_id(0)}));
  const std::vector<argument> arguments = {dense({16}, {4}), dense({30})};
  EXPECT_NE(to_text(bind_for(m, arguments, {{"STEP", 9}})).find("f32[4] = load_window %0 1 0 9 0 0 0 0 0\n"),
            std::string::npos);
  EXPECT_THROW(bind_for(m, arguments, {{"STEP", 0}}), usage_error);
}

// ---- reduction() ---------------------------------------------------------------------------------------------------
struct reduction_case {
  const char* name;
  double start;
  std::function<tile_value(module_builder&, tile_value acc, tile_value x)> step;
  bool is_refused;
};

class BindReduction : public testing::TestWithParam<reduction_case> {};

TEST_P(BindReduction, AcceptsOnlyAccumulation) {
  module_builder m("sum");
  const auto z = m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {dynamic_extent});
  const auto acc = m.constant(dtype::f32, {4}, GetParam().start);
  const auto k = m.for_begin(m.tiles(x, 0, 4), true);
  m.assign(acc, GetParam().step(m, acc, m.load(x, {4}, {k})));
  m.for_end();
  m.store(z, acc);
  const std::vector<argument> arguments = {dense({4}, {4}), dense({16})};
  if (!GetParam().is_refused) {
    EXPECT_NO_THROW(bind_for(m, arguments));
  } else {
    EXPECT_NE(refusal(m, arguments).what.find("reduction() loop"), std::string::npos);
  }
}

constexpr double infinity = std::numeric_limits<double>::infinity();
const reduction_case reduction_cases[] = {
    {"sum", 0, [](builder& m, tile_value a, tile_value x) { return m.binary(op::add, a, x); }, false},
    {"sum_the_other_way", 0, [](builder& m, tile_value a, tile_value x) { return m.binary(op::add, x, a); }, false},
    {"sum_from_one", 1, [](builder& m, tile_value a, tile_value x) { return m.binary(op::add, a, x); }, true},
    {"two_sums", 0,
     [](builder& m, tile_value a, tile_value x) { return m.binary(op::add, m.binary(op::add, a, x), x); }, false},
    {"product", 1, [](builder& m, tile_value a, tile_value x) { return m.binary(op::multiply, a, x); }, false},
    {"product_from_zero", 0, [](builder& m, tile_value a, tile_value x) { return m.binary(op::multiply, a, x); }, true},
    {"maximum", -infinity, [](builder& m, tile_value a, tile_value x) { return m.binary(op::maximum, a, x); }, false},
    {"maximum_from_zero", 0, [](builder& m, tile_value a, tile_value x) { return m.binary(op::maximum, a, x); }, true},
    {"minimum", infinity, [](builder& m, tile_value a, tile_value x) { return m.binary(op::minimum, a, x); }, false},
    {"fma_addend", 0, [](builder& m, tile_value a, tile_value x) { return m.fma(x, x, a); }, false},
    {"fma_factor", 0, [](builder& m, tile_value a, tile_value x) { return m.fma(a, x, x); }, true},
    {"difference", 0, [](builder& m, tile_value a, tile_value x) { return m.binary(op::subtract, a, x); }, true},
    {"mixed", 0,
     [](builder& m, tile_value a, tile_value x) { return m.binary(op::multiply, m.binary(op::add, a, x), x); }, true},
    {"used_twice", 0,
     [](builder& m, tile_value a, tile_value x) { return m.binary(op::add, a, m.binary(op::multiply, a, x)); }, true},
    {"replaced", 0, [](builder&, tile_value, tile_value x) { return x; }, true},
};
INSTANTIATE_TEST_SUITE_P(Each, BindReduction, testing::ValuesIn(reduction_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace tilewright::compiler
