// SPDX-License-Identifier: Apache-2.0
// What a combiner is recorded as: its tiles, their elements and identities, its operations, and its results.
#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"};

TEST(Combiner, IsRecordedOnceForAllItsTiles) {
  constexpr auto least =
      kernel<"least">([](Out<f32, M, 1> z, Out<i32, M, 1> p, In<f32, dyn, dyn> x, In<i32, dyn, dyn> y) {
        auto v = x.load(tile<M, N>, 0, 0);
        auto w = y.load(tile<M, N>, 0, 0);
        auto [value, place] = reduce<1>(values(v, w), identity(inf, 7), [](const auto& left, const auto& right) {
          auto takes = right.first < left.first;
          auto nearer = select(takes, right.first, left.first);
          return values(nearer, select(takes, right.second, left.second));
        });
        z.store(value);
        p.store(place);
      });
  const std::string text = records(least);
  EXPECT_EQ(text.substr(text.find("reduce_begin")),
            "reduce_begin %6, %7 axis 1\n"
            "  %9 = combiner_left inf : f32[]\n"
            "  %10 = combiner_left 7 : i32[]\n"
            "  %11 = combiner_right : f32[]\n"
            "  %12 = combiner_right : i32[]\n"
            "  %13 = less %11, %9 : bool[]\n"
            "  %14 = select %13, %11, %9 : f32[]\n"
            "  %15 = select %13, %12, %10 : i32[]\n"
            "  %16 = copy %14 : f32[]\n"
            "  %17 = copy %15 : i32[]\n"
            "combiner_end %16, %17\n"
            "%19 = combined : f32[M, 1]\n"
            "%20 = combined : i32[M, 1]\n"
            "store %19 parameter 0\n"
            "store %20 parameter 1\n");
}

TEST(Combiner, UsesScalarsOfItsKernelAndVariablesOfItsOwn) {
  constexpr auto sums = kernel<"sums">([](Out<f32, M> z, In<f32, dyn> x, Scalar<f32> limit) {
    auto [sum] = scan<0, scan_order::reverse>(values(load_like(x, z)), identity(-0.0f), [&](auto left, auto right) {
      auto next = left.first;
      next += right.first;
      return values(min(next, limit));
    });
    z.store(sum);
  });
  const std::string text = records(sums);
  EXPECT_EQ(text.substr(text.find("scan_begin")),
            "scan_begin %3 axis 0 reverse\n"
            "  %5 = combiner_left -0 : f32[]\n"
            "  %6 = combiner_right : f32[]\n"
            "  %7 = copy %5 : f32[]\n"
            "  %8 = copy %6 : f32[]\n"
            "  %9 = copy %7 : f32[]\n"
            "  %10 = add %9, %8 : f32[]\n"
            "  assign %9, %10\n"
            "  %12 = minimum %9, %0 : f32[]\n"
            "  %13 = copy %12 : f32[]\n"
            "combiner_end %13\n"
            "%15 = combined : f32[M]\n"
            "store %15 parameter 0\n");
}

TEST(Combiner, IsNamedByTheLineOfItsReduction) {
  constexpr auto place = kernel<"place">([](Out<f32, M, 1> z, In<f32, dyn, dyn> x) {
    auto [sum] = reduce<1>(values(x.load(tile<M, N>, 0, 0)), identity(0),
                           [](auto left, auto right) { return values(left.first + right.first); });
    z.store(sum);
  });
  const ast::module_view& module = *place.reference().module;
  const auto line_of = [&](int record) { return ast::location_line(module.locations[record]); };
  const std::string text = records(place);
  ASSERT_NE(text.find("%5 = combiner_left"), std::string::npos) << text;
  EXPECT_EQ(line_of(5), line_of(4));
  EXPECT_EQ(line_of(9), line_of(4) + 1) << text;  // the sum
  EXPECT_EQ(line_of(12), line_of(4)) << text;     // the result
}

}  // namespace
}  // namespace tilewright::test
