// SPDX-License-Identifier: Apache-2.0
// Loops, branches and variables: what runs with the kernel and what C++ unrolls.
#include <array>
#include <utility>

#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim N{"N"};

TEST(Control, ARangeGoesFromToStep) {
  constexpr auto loops = kernel<"loops">([](Block b, Out<i64> z, In<f32, dyn> x, Scalar<i32> first) {
    auto sum = b.zeros<i64>(tile<>);
    for (auto i : range(x.extent(0))) sum = sum + cast<i64>(i);
    for (auto i : range(to_index(first), x.extent(0))) sum = sum + cast<i64>(i);
    for (auto i : range(2, x.extent(0), 3)) sum = sum + cast<i64>(i);
    for (auto i : b.range(8)) sum = sum + cast<i64>(i);
    for (auto i : b.range(1, 8)) sum = sum + cast<i64>(i);
    for (auto i : b.range(0, 8, b.grid(0))) sum = sum + cast<i64>(i);
    z.store(sum);
  });
  EXPECT_EQ(records(loops),
            "%0 = scalar parameter 2 : i32[]\n"
            "%1 = constant 0 : i64[]\n"
            "%2 = extent parameter 1 axis 0 : index[]\n"
            "%3 = constant 0 : index[]\n"
            "%4 = constant 1 : index[]\n"
            "%5 = for_begin %3, %2, %4 : index[]\n"
            "  %6 = cast %5 : i64[]\n"
            "  %7 = add %1, %6 : i64[]\n"
            "  assign %1, %7\n"
            "for_end\n"
            "%10 = cast %0 : index[]\n"
            "%11 = extent parameter 1 axis 0 : index[]\n"
            "%12 = constant 1 : index[]\n"
            "%13 = for_begin %10, %11, %12 : index[]\n"
            "  %14 = cast %13 : i64[]\n"
            "  %15 = add %1, %14 : i64[]\n"
            "  assign %1, %15\n"
            "for_end\n"
            "%18 = extent parameter 1 axis 0 : index[]\n"
            "%19 = constant 2 : index[]\n"
            "%20 = constant 3 : index[]\n"
            "%21 = for_begin %19, %18, %20 : index[]\n"
            "  %22 = cast %21 : i64[]\n"
            "  %23 = add %1, %22 : i64[]\n"
            "  assign %1, %23\n"
            "for_end\n"
            "%26 = constant 0 : index[]\n"
            "%27 = constant 8 : index[]\n"
            "%28 = constant 1 : index[]\n"
            "%29 = for_begin %26, %27, %28 : index[]\n"
            "  %30 = cast %29 : i64[]\n"
            "  %31 = add %1, %30 : i64[]\n"
            "  assign %1, %31\n"
            "for_end\n"
            "%34 = constant 1 : index[]\n"
            "%35 = constant 8 : index[]\n"
            "%36 = constant 1 : index[]\n"
            "%37 = for_begin %34, %35, %36 : index[]\n"
            "  %38 = cast %37 : i64[]\n"
            "  %39 = add %1, %38 : i64[]\n"
            "  assign %1, %39\n"
            "for_end\n"
            "%42 = block_count axis 0 : index[]\n"
            "%43 = constant 0 : index[]\n"
            "%44 = constant 8 : index[]\n"
            "%45 = for_begin %43, %44, %42 : index[]\n"
            "  %46 = cast %45 : i64[]\n"
            "  %47 = add %1, %46 : i64[]\n"
            "  assign %1, %47\n"
            "for_end\n"
            "store %1 parameter 0\n");
}

TEST(Control, AReductionLoopSaysSo) {
  constexpr auto sums = kernel<"sums">([](Block b, Out<f32, N> z, In<f32, dyn> x) {
    auto xt = x.partition(tile<N>);
    auto sum = b.zeros<f32>(tile<N>);
    for (auto i : range(xt.tiles(0)).reduction()) sum = sum + xt.load(i, pad(0));
    z.store(sum);
  });
  EXPECT_EQ(records(sums),
            "%0 = constant 0 : f32[N]\n"
            "%1 = tiles parameter 1 axis 0 in N : index[]\n"
            "%2 = constant 0 : index[]\n"
            "%3 = constant 1 : index[]\n"
            "%4 = for_begin %2, %1, %3 reduction : index[]\n"
            "  %5 = constant 0 : f32[]\n"
            "  %6 = load %4, %5 parameter 1 padded : f32[N]\n"
            "  %7 = add %0, %6 : f32[N]\n"
            "  assign %0, %7\n"
            "for_end\n"
            "store %0 parameter 0\n");
}

TEST(Control, LoopsNestAndContinueEndsAnIteration) {
  constexpr auto nests = kernel<"nests">([](Block b, Out<index_element> z) {
    auto sum = b.size(tile<N>);
    for (auto i : b.range(2)) {
      for (auto j : range(i)) {
        sum = sum + j;
        continue;
      }
      sum = sum * i;
    }
    z.store(sum);
  });
  EXPECT_EQ(records(nests),
            "%0 = dim_value N : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = constant 2 : index[]\n"
            "%3 = constant 1 : index[]\n"
            "%4 = for_begin %1, %2, %3 : index[]\n"
            "  %5 = constant 0 : index[]\n"
            "  %6 = constant 1 : index[]\n"
            "  %7 = for_begin %5, %4, %6 : index[]\n"
            "    %8 = add %0, %7 : index[]\n"
            "    assign %0, %8\n"
            "  for_end\n"
            "  %11 = multiply %0, %4 : index[]\n"
            "  assign %0, %11\n"
            "for_end\n"
            "store %0 parameter 0\n");
}

TEST(Control, AConstantLoopUnrolls) {
  constexpr auto unrolls = kernel<"unrolls">([](InOut<i32, N> z) {
    auto v = z.load();
    for (int i = 1; i < 3; ++i) v = v * i;
    z.store(v);
  });
  EXPECT_EQ(records(unrolls),
            "%0 = load_piece parameter 0 : i32[N]\n"
            "%1 = constant 1 : i32[]\n"
            "%2 = multiply %0, %1 : i32[N]\n"
            "assign %0, %2\n"
            "%4 = constant 2 : i32[]\n"
            "%5 = multiply %0, %4 : i32[N]\n"
            "assign %0, %5\n"
            "store %0 parameter 0\n");
}

TEST(Control, ACopyIsAnotherVariableAndASwapExchangesValues) {
  constexpr auto swaps = kernel<"swaps">([](Block b, InOut<f32, N> y, InOut<f32, N> z) {
    auto one = y.load();
    auto two = z.load();
    for (auto i : b.range(3)) std::swap(one, two);
    y.store(one);
    z.store(two);
  });
  EXPECT_EQ(records(swaps),
            "%0 = load_piece parameter 0 : f32[N]\n"
            "%1 = load_piece parameter 1 : f32[N]\n"
            "%2 = constant 0 : index[]\n"
            "%3 = constant 3 : index[]\n"
            "%4 = constant 1 : index[]\n"
            "%5 = for_begin %2, %3, %4 : index[]\n"
            "  %6 = copy %0 : f32[N]\n"
            "  assign %0, %1\n"
            "  assign %1, %6\n"
            "for_end\n"
            "store %0 parameter 0\n"
            "store %1 parameter 1\n");
}

TEST(Control, ABranchWithoutValueAssignsAndStores) {
  constexpr auto branches = kernel<"branches">([](Out<i32, N> z, In<i32, dyn> x, Scalar<i32> s) {
    auto v = load_like(x, z);
    if_(s == 0, [&] { v = v + 1; });
    if_(
        s > 1, [&] { z.store(v); }, [&] { z.store(-v); });
  });
  EXPECT_EQ(records(branches),
            "%0 = scalar parameter 2 : i32[]\n"
            "%1 = block_id axis 0 : index[]\n"
            "%2 = load %1 parameter 1 : i32[N]\n"
            "%3 = constant 0 : i32[]\n"
            "%4 = equal %0, %3 : bool[]\n"
            "if_begin %4\n"
            "  %6 = constant 1 : i32[]\n"
            "  %7 = add %2, %6 : i32[N]\n"
            "  assign %2, %7\n"
            "if_else\n"
            "if_end\n"
            "%11 = constant 1 : i32[]\n"
            "%12 = greater %0, %11 : bool[]\n"
            "if_begin %12\n"
            "  store %2 parameter 0\n"
            "if_else\n"
            "  %16 = negate %2 : i32[N]\n"
            "  store %16 parameter 0\n"
            "if_end\n");
}

TEST(Control, ABranchMayGiveAValue) {
  constexpr auto gives = kernel<"gives">([](Out<f32, N> z, In<f32, dyn> x, Scalar<bool> s) {
    auto v = load_like(x, z);
    z.store(if_(
        s, [&] { return exp(v); },
        [&] {
          return v + if_(
                         !s, [&] { return v; }, [&] { return -v; });
        }));
  });
  EXPECT_EQ(records(gives),
            "%0 = scalar parameter 2 : bool[]\n"
            "%1 = block_id axis 0 : index[]\n"
            "%2 = load %1 parameter 1 : f32[N]\n"
            "%3 = undefined : f32[N]\n"
            "if_begin %0\n"
            "  %5 = exp %2 : f32[N]\n"
            "  assign %3, %5\n"
            "if_else\n"
            "  %8 = bit_not %0 : bool[]\n"
            "  %9 = undefined : f32[N]\n"
            "  if_begin %8\n"
            "    %11 = copy %2 : f32[N]\n"
            "    assign %9, %11\n"
            "  if_else\n"
            "    %14 = negate %2 : f32[N]\n"
            "    assign %9, %14\n"
            "  if_end\n"
            "  %17 = copy %9 : f32[N]\n"
            "  %18 = add %2, %17 : f32[N]\n"
            "  assign %3, %18\n"
            "if_end\n"
            "%21 = copy %3 : f32[N]\n"
            "store %21 parameter 0\n");
}

struct Extremes {
  Tile<f32, N> low;
  Tile<f32> high;
};
struct Nested {
  Extremes first;
  Tile<i32> count[2];
  std::array<Extremes, 2> more;
};
struct Counted {
  Tile<f32, N> value;
  int count = 0;
};
class Closed {
  Tile<f32, N> value;
};
struct Constant {
  const Tile<f32, N> value;
};
struct Empty {};

TEST(Control, ABranchMayGiveAStructOfTiles) {
  constexpr auto gives = kernel<"gives">([](InOut<f32, N> z, Scalar<f32> s) {
    auto v = z.load();
    auto both = if_(
        s > 0,
        [&] {
          return Extremes{-v, s + 1};
        },
        [&] {
          return Extremes{v, s};
        });
    z.store(both.low + both.high);
  });
  EXPECT_EQ(records(gives),
            "%0 = scalar parameter 1 : f32[]\n"
            "%1 = load_piece parameter 0 : f32[N]\n"
            "%2 = constant 0 : f32[]\n"
            "%3 = greater %0, %2 : bool[]\n"
            "%4 = undefined : f32[N]\n"
            "%5 = undefined : f32[]\n"
            "if_begin %3\n"
            "  %7 = negate %1 : f32[N]\n"
            "  %8 = constant 1 : f32[]\n"
            "  %9 = add %0, %8 : f32[]\n"
            "  assign %4, %7\n"
            "  assign %5, %9\n"
            "if_else\n"
            "  %13 = copy %1 : f32[N]\n"
            "  %14 = copy %0 : f32[]\n"
            "  assign %4, %13\n"
            "  assign %5, %14\n"
            "if_end\n"
            "%18 = copy %4 : f32[N]\n"
            "%19 = copy %5 : f32[]\n"
            "%20 = add %18, %19 : f32[N]\n"
            "store %20 parameter 0\n");
}

TEST(Control, ABranchMayGiveStructsAndArraysInAStruct) {
  static_assert(lang::is_aggregate_of_tiles<Nested>() && lang::is_aggregate_of_tiles<std::array<Nested, 2>>());
  static_assert(!lang::is_aggregate_of_tiles<Counted>() && !lang::is_aggregate_of_tiles<Closed>());
  static_assert(!lang::is_aggregate_of_tiles<Constant>() && !lang::is_aggregate_of_tiles<Empty>());
  constexpr auto gives = kernel<"gives">([](InOut<f32, N> z, Scalar<i32> s) {
    auto v = z.load();
    auto mean = reduce_sum<0>(v);
    auto one = reshape(mean, tile<>);
    auto given = if_(
        s > 0,
        [&] {
          return Nested{{v, one}, {s, s}, {{{v, one}, {v, one}}}};
        },
        [&] {
          return Nested{{-v, one}, {s, -s}, {{{v, one}, {-v, -one}}}};
        });
    z.store(given.first.low + given.more[1].low * cast<f32>(given.count[1]));
  });
  const std::string text = records(gives);
  std::size_t undefined = 0;
  for (std::size_t at = 0; (at = text.find(" = undefined", at)) != std::string::npos; ++at) ++undefined;
  EXPECT_EQ(undefined, 8U);  // as many variables as tiles
}

TEST(Control, AWhileLoopAsksItsConditionEachRound) {
  constexpr auto doubles = kernel<"doubles">([](Block b, InOut<f32, N> z, Scalar<f32> limit) {
    auto v = z.load();
    auto rounds = b.zeros<i32>(tile<>);
    b.while_([&] { return rounds < 9; },
             [&] {
               if_(limit > 2, [&] { v = v * 2; });
               b.while_([&] { return limit < 1; }, [&] { v = v - 1; });
               rounds += 1;
             });
    z.store(v);
  });
  EXPECT_EQ(records(doubles),
            "%0 = scalar parameter 1 : f32[]\n"
            "%1 = load_piece parameter 0 : f32[N]\n"
            "%2 = constant 0 : i32[]\n"
            "while_begin\n"
            "  %4 = constant 9 : i32[]\n"
            "  %5 = less %2, %4 : bool[]\n"
            "while_condition %5\n"
            "  %7 = constant 2 : f32[]\n"
            "  %8 = greater %0, %7 : bool[]\n"
            "  if_begin %8\n"
            "    %10 = constant 2 : f32[]\n"
            "    %11 = multiply %1, %10 : f32[N]\n"
            "    assign %1, %11\n"
            "  if_else\n"
            "  if_end\n"
            "  while_begin\n"
            "    %16 = constant 1 : f32[]\n"
            "    %17 = less %0, %16 : bool[]\n"
            "  while_condition %17\n"
            "    %19 = constant 1 : f32[]\n"
            "    %20 = subtract %1, %19 : f32[N]\n"
            "    assign %1, %20\n"
            "  while_end\n"
            "  %23 = constant 1 : i32[]\n"
            "  %24 = add %2, %23 : i32[]\n"
            "  assign %2, %24\n"
            "while_end\n"
            "store %1 parameter 0\n");
}

// What the condition makes for itself it may assign.
TEST(Control, AConditionMayHoldALoopOfItsOwn) {
  constexpr auto asks = kernel<"asks">([](Block b, InOut<i32, N> z) {
    auto v = z.load();
    b.while_(
        [&] {
          auto sum = b.zeros<i32>(tile<N>);
          for (auto i : b.range(3)) sum = sum + v * cast<i32>(i);
          b.while_([&] { return reshape(reduce_max<0>(sum), tile<>) > 9; }, [&] { sum = sum / 2; });
          return reshape(reduce_max<0>(sum), tile<>) < 5;
        },
        [&] { v = v + 1; });
    z.store(v);
  });
  EXPECT_NE(records(asks).find("while_condition"), std::string::npos);
}

constexpr auto twice(const Tile<f32, N>& v) { return v + v; }
template <class Value>
constexpr void negate_into(Value& to, const Value& from) {
  to = -from;
}

TEST(Control, HelpersRecordWhereTheyAreCalled) {
  constexpr auto helpers = kernel<"helpers">([](InOut<f32, N> z) {
    auto v = z.load();
    negate_into(v, twice(v));
    z.store(v);
  });
  EXPECT_EQ(records(helpers),
            "%0 = load_piece parameter 0 : f32[N]\n"
            "%1 = add %0, %0 : f32[N]\n"
            "%2 = negate %1 : f32[N]\n"
            "assign %0, %2\n"
            "store %0 parameter 0\n");
}

TEST(Control, AVariableTakesLiteralsAndAnArrayHoldsTiles) {
  constexpr auto arrays = kernel<"arrays">([](Block b, Out<u8, N> z) {
    Tile<u8, N> all[] = {b.zeros<u8>(tile<N>), b.full<u8>(tile<N>, 7)};
    all[0] = 9;
    z.store(all[0] ^ all[1]);
  });
  EXPECT_EQ(records(arrays),
            "%0 = constant 0 : u8[N]\n"
            "%1 = constant 7 : u8[N]\n"
            "%2 = constant 9 : u8[N]\n"
            "assign %0, %2\n"
            "%4 = bit_xor %0, %1 : u8[N]\n"
            "store %4 parameter 0\n");
}

}  // namespace
}  // namespace tilewright::test
