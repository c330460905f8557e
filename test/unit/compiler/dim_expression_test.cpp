// SPDX-License-Identifier: Apache-2.0
// Values of expressions over Dims, and what a launch may get wrong about them.
#include <gtest/gtest.h>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using test::dense;
using test::module_builder;

constexpr index_t greatest = INT64_MAX;

// z Out f32 (BM); x In f32 (BN, any); y In f32 (`text`), which says nothing of BM and BN.
std::vector<index_t> dims(const char* text, index_t bm, index_t bn, index_t y) {
  module_builder m("k");
  const auto rows = m.symbol("BM"), columns = m.symbol("BN"), of_both = m.symbol(text);
  m.out(dtype::f32, {rows});
  m.dim_value(columns);
  m.in(dtype::f32, {of_both});
  return bind_arguments(m.view(), {dense({100}, {bm}), dense({y})}, {{"BN", bn}}, {}).special.dims;
}

struct value_case {
  const char* text;
  index_t bm, bn, value;
};

TEST(DimExpression, HasAValue) {
  const value_case cases[] = {
      {"2*BM", 64, 1, 128},
      {"BM+BN", 3, 4, 7},
      {"BM-BN", 4, 3, 1},
      {"8-BM", 7, 1, 1},
      {"BM*BN", 7, 11, 77},
      {"BM*BN+2*BM+BN+2", 3, 5, 28},
      {"-BM+BN", 3, 5, 2},
      {"BM/2", 6, 1, 3},
      {"BM*BN/4", 2, 6, 3},
      {"(BM+BN)/2", 3, 5, 4},
      {"BN/(2*BM)", 3, 12, 2},
      {"BN/(BM/2)", 4, 6, 3},
      {"3*(BM/2)-5", 4, 1, 1},
      {"ceil_div(BN,4)", 1, 1, 1},
      {"ceil_div(BN,4)", 1, 4, 1},
      {"ceil_div(BN,4)", 1, 5, 2},
      {"ceil_div(BN,4)", 1, (index_t{1} << 50) - 1, index_t{1} << 48},
      {"ceil_div(BM-8,4)+9", 1, 1, 8},
      {"BM*ceil_div(BN,BM)", 4, 9, 12},
  };
  for (const value_case& each : cases) {
    EXPECT_EQ(dims(each.text, each.bm, each.bn, each.value), (std::vector<index_t>{each.bm, each.bn, each.value}))
        << each.text;
  }
}

struct refusal_case {
  const char* text;
  index_t bm, bn, y;
  const char *what, *where, *expected, *got;
};

TEST(DimExpression, RefusesValuesThatNoExtentHas) {
  const refusal_case cases[] = {
      {"BM/2", 33, 1, 16, "dim expression 'BM/2' does not divide", "kernel 'k'", "a multiple of 2", "33 with BM = 33"},
      {"BM/BN", 4, 8, 1, "dim expression 'BM/BN' does not divide", "kernel 'k'", "a multiple of 8",
       "4 with BM = 4, BN = 8"},
      {"BM-BN", 4, 4, 1, "dim expression 'BM-BN' is under 1", "kernel 'k'", "a value from 1 on",
       "0 with BM = 4, BN = 4"},
      {"BM-64", 4, 4, 1, "dim expression 'BM-64' is under 1", "kernel 'k'", "a value from 1 on", "-60 with BM = 4"},
      {"BN/(BM-4)", 4, 8, 1, "dim expression 'BN/(BM-4)' divides by a number under 1", "kernel 'k'",
       "a divisor from 1 on", "0 with BN = 8, BM = 4"},
      {"ceil_div(BN,BM-8)", 4, 8, 1, "dim expression 'ceil_div(BN,BM-8)' divides by a number under 1", "kernel 'k'",
       "a divisor from 1 on", "-4 with BN = 8, BM = 4"},
      {"BM*BN", 2, greatest / 2 + 1, 1, "dim expression 'BM*BN' is too large", "kernel 'k'",
       "numbers of 64 bits on the way", "more with BM = 2, BN = 4611686018427387904"},
      {"BM+BN", 1, greatest, 1, "dim expression 'BM+BN' is too large", "kernel 'k'", "numbers of 64 bits on the way",
       "more with BM = 1, BN = 9223372036854775807"},
      {"BM*BM-BN*BN", 1, greatest, 1, "dim expression 'BM*BM-BN*BN' is too large", "kernel 'k'",
       "numbers of 64 bits on the way", "more with BM = 1, BN = 9223372036854775807"},
      {"2*BM", 64, 1, 100, "an extent differs from the kernel's", "kernel 'k', parameter 1 (In), axis 0",
       "128, which is 2*BM with BM = 64", "100"},
  };
  for (const refusal_case& each : cases) {
    SCOPED_TRACE(each.text);
    try {
      dims(each.text, each.bm, each.bn, each.y);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const usage_error& e) {
      EXPECT_EQ(e.parts().what, each.what);
      EXPECT_EQ(e.parts().where, each.where);
      EXPECT_EQ(e.parts().expected, each.expected);
      EXPECT_EQ(e.parts().got, each.got);
      EXPECT_FALSE(e.parts().fix.empty());
    }
  }
}

// ---- An expression gives no Dim a value
// z Out f32 (2 * BM).
report refusal(index_t piece, const std::vector<named_extent>& with) {
  module_builder m("k");
  m.symbol("BM");
  m.out(dtype::f32, {m.symbol("2*BM")});
  try {
    bind_arguments(m.view(), {dense({100}, {piece})}, with, {});
  } catch (const usage_error& e) {
    return e.parts();
  }
  return {};
}

TEST(DimExpression, OfAPieceIsCompared) {
  EXPECT_EQ(refusal(64, {{"BM", 32}}).what, "");
  const report differs = refusal(63, {{"BM", 32}});
  EXPECT_EQ(differs.what, "a piece's extent differs from the kernel's");
  EXPECT_EQ(differs.where, "kernel 'k', parameter 0 (Out), axis 0");
  EXPECT_EQ(differs.expected, "64, which is 2*BM with BM = 32");
  EXPECT_EQ(differs.got, "63");
}

TEST(DimExpression, LeavesItsDimsWithoutAValue) {
  const report missing = refusal(64, {});
  EXPECT_EQ(missing.what, "dim 'BM' has no value");
  EXPECT_EQ(missing.got, "only '2*BM', and an expression gives its dims no value");
  EXPECT_EQ(missing.fix, "give it one: .with(BM = 64)");
}

TEST(DimExpression, IsGivenNoValue) {
  const report given = refusal(64, {{"2*BM", 64}});
  EXPECT_EQ(given.what, "the kernel has no dim '2*BM'");
  EXPECT_EQ(given.expected, "one of BM");
}

TEST(DimExpression, IsAnExtentOfATileUpToItsLimit) {
  module_builder m("k");
  m.symbol("BM");
  m.out(dtype::f32, {4});
  m.constant(dtype::f32, {m.symbol("2*BM")}, 1);
  try {
    bind_arguments(m.view(), {dense({4}, {4})}, {{"BM", 1 << 30}}, {});
    FAIL() << "nothing was thrown";
  } catch (const usage_error& e) {
    EXPECT_EQ(e.parts().what, "dim '2*BM' is no extent of a tile");
    EXPECT_EQ(e.parts().got, "2147483648 with BM = 1073741824");
  }
}

}  // namespace
}  // namespace tilewright::compiler
