// SPDX-License-Identifier: Apache-2.0
// Arithmetic of Dims: canonical forms. Equal forms are one template argument, so most of this is checked by building.
#include "tilewright/base/dim.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tilewright {
namespace {

constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"}, A{"A"};

constexpr bool is(const Dim& dim, std::string_view text) { return dim.is_expression() && dim.name == text; }

// ---- One form for each sum of products
static_assert(is(2 * BM, "2*BM") && is(BM * 2, "2*BM") && is(BM + BM, "2*BM"));
static_assert(2 * BM == BM * 2 && 2 * BM == BM + BM && 2 * BM != 2 * BN && 2 * BM != BM);
static_assert(is(BN + BM, "BM+BN") && is(BN * BM, "BM*BN") && is(BM * BN * 3 * BK, "3*BK*BM*BN"));
static_assert(is((BM + 1) * (BN + 2), "2*BM+BM*BN+BN+2") && is((BM - BN) * (BM + BN), "BM*BM-BN*BN"));
static_assert(is(BM - 1, "BM-1") && is(8 - BM, "8-BM") && is(BN - BM, "BN-BM") && is(BM - 2 * BN + 4, "BM+4-2*BN"));
static_assert(is(0 - BM, "-BM") && is(BN + (0 - BM) - 3, "BN-BM-3"));
static_assert(is(2147483647 * BM, "2147483647*BM"));

// ---- What is no expression any more
static_assert(BM + 0 == BM && BM * 1 == BM && BM + BN - BN == BM && 2 * BM - BM == BM && (2 * BM) / 2 == BM);
static_assert(!(BM + BN - BN).is_expression() && (BM + BN - BN).is_symbol());
static_assert(BM - BM == Dim(0) && BM * 0 == Dim(0) && (BM - BM).is_constant() && (3 * BM) / BM == Dim(3));
static_assert(Dim(6) + 2 == Dim(8) && Dim(6) - 8 == Dim(-2) && Dim(6) * 2 == Dim(12) && Dim(6) / 2 == Dim(3));
static_assert(ceil_div(Dim(7), 2) == Dim(4) && ceil_div(Dim(8), 2) == Dim(4) && ceil_div(Dim(0), 5) == Dim(0));
static_assert(ceil_div(Dim(-7), 2) == Dim(-3) && ceil_div(Dim(1), 5) == Dim(1));

// ---- Divisions
static_assert(is(BM / 2, "BM/2") && is(BM / BN, "BM/BN") && is(8 / BM, "8/BM") && is((BM + BN) / 2, "(BM+BN)/2"));
static_assert(is(BM * BN / 4, "BM*BN/4") && is(BM * (BN / 4), "(BN/4)*BM") && BM * BN / 4 != BM * (BN / 4));
static_assert((2 * BM) / 4 == BM / 2 && (4 * BM + 2) / 2 == 2 * BM + 1 && (BM * BN) / BN == BM);
static_assert(is(2 * (BM / 2), "2*(BM/2)") && is(BM / 2 + BM / 2, "2*(BM/2)"));  // BM / 2 must still divide
static_assert(is(3 * BM / 2, "3*BM/2") && is(3 * (BM / 2), "3*(BM/2)") && is(3 * (BM / 2) / 5, "3*(BM/2)/5"));
static_assert(is(BM / 2 / 3, "(BM/2)/3") && is(BN / (BM / 2), "BN/(BM/2)") && is(BN / (2 * BM), "BN/(2*BM)"));
static_assert(is(BN / (BM + 1), "BN/(BM+1)") && is((0 - BM) / 2, "(-BM)/2") && is(BN - BM / 2, "BN-BM/2"));
static_assert(is(BM / 2 + 1, "BM/2+1") && (BM / 2 + 1) * 2 == 2 * (BM / 2) + 2);
static_assert(is(ceil_div(BN, 4), "ceil_div(BN,4)") && is(2 * ceil_div(BN, 4), "2*ceil_div(BN,4)"));
static_assert(is(ceil_div(BM + BN, 2 * BK), "ceil_div(BM+BN,2*BK)") && ceil_div(2 * BN, 8) == ceil_div(BN, 4));
static_assert(ceil_div(4 * BN, 4) == BN && ceil_div(BM * BN, BN) == BM && ceil_div(BN, 1) == BN);
static_assert(is(BM / ceil_div(BN, 4), "BM/ceil_div(BN,4)") && is(BK * ceil_div(BN, 4) * BM, "BK*BM*ceil_div(BN,4)"));

// ---- The most that fits
static_assert(is(A * 1234567 + BM * 1234567 + BN * 1234567, "1234567*A+1234567*BM+1234567*BN"));

// ---- As a template argument
template <Dim>
struct holder {};
static_assert(__is_same(holder<2 * BM + BN>, holder<BN + BM * 2>) && !__is_same(holder<2 * BM>, holder<BM>));

// The text of a form is read back as the same form.
template <Dim D>
constexpr bool is_stable = D + 0 == D&& D * 1 == D&& D - 0 == D;
static_assert(is_stable<3 * (BM / 2) / 5 - 7> && is_stable<BN / (BM / 2) - ceil_div(BM, BN)>);
static_assert(is_stable<(0 - BM) / 2 - BN> && is_stable<0 - BM / 2>);

TEST(DimExpression, NamesItsDims) {
  const auto names = [](const char* text) {
    std::string found;
    for (text = dim_expressions::next_dim(text); *text != 0;
         text = dim_expressions::next_dim(text + dim_expressions::name_length(text))) {
      found.append(text, static_cast<std::size_t>(dim_expressions::name_length(text))).append(" ");
    }
    return found;
  };
  EXPECT_EQ(names("2*BM+ceil_div(B_N,4)-x2/ceil_div"), "BM B_N x2 ceil_div ");
  EXPECT_EQ(names("12"), "");
}

}  // namespace
}  // namespace tilewright
