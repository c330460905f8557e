// SPDX-License-Identifier: Apache-2.0
// The matrix product with its accumulator, and batches of it.
#pragma once

#include "tilewright/ast/products.hpp"
#include "tilewright/lang/tile.hpp"

namespace tilewright::diagnostics {

template <bool IsOfFp8, class A, class C>
struct fast_accumulation_elements {
  static_assert(IsOfFp8, "mma(a, b, c, fast_accumulation) multiplies fp8 and sums in f32; leave the tag out");
};

template <bool RanksAgree, bool BatchAgrees, bool InnerAgrees, bool OuterAgrees, bool ElementsAreFactors,
          bool ElementsAgree, bool AccumulatorAgrees, class A, class B, class C>
struct mma_operands {
  static_assert(RanksAgree, "mma(a, b, c) takes tiles of rank 2, or three of rank 3: a batch");
  static_assert(BatchAgrees, "mma(a, b, c): the first extents of a batch differ; broadcast the one that has 1");
  static_assert(InnerAgrees, "mma(a, b, c): columns of a and rows of b differ");
  static_assert(OuterAgrees, "mma(a, b, c): c must be rows of a by columns of b");
  static_assert(ElementsAreFactors, "mma(a, b, c) multiplies f16, bf16, tf32, f32, f64, fp8, i8 or u8");
  static_assert(ElementsAgree, "mma(a, b, c): a and b have different element types; write cast<T>(x)");
  static_assert(AccumulatorAgrees,
                "mma(a, b, c): c must be f32 (f16 too for f16 and fp8), f64 for f64 and i32 for i8 and u8");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

template <class TA, Dim... A, class TB, Dim... B, class TC, Dim... C>
constexpr auto product(const Tile<TA, A...>& a, const Tile<TB, B...>& b, const Tile<TC, C...>& c,
                       ast::source_place where, int is_fast) {
  constexpr int rank = sizeof...(C), row = rank - 2, column = rank - 1;
  constexpr bool ranks = ast::is_product_rank(rank) && sizeof...(A) == rank && sizeof...(B) == rank;
  constexpr extent_list<A...> of_a;
  constexpr extent_list<B...> of_b;
  constexpr extent_list<C...> of_c;
  constexpr bool batch =
      !ranks || rank == 2 || (extent_at(of_a, 0) == extent_at(of_c, 0) && extent_at(of_b, 0) == extent_at(of_c, 0));
  constexpr bool inner = !ranks || extent_at(of_a, column) == extent_at(of_b, row);
  constexpr bool outer =
      !ranks || (extent_at(of_a, row) == extent_at(of_c, row) && extent_at(of_b, column) == extent_at(of_c, column));
  constexpr bool factors = ast::is_factor(dtype_of<TA>) && ast::is_factor(dtype_of<TB>);
  constexpr bool elements = !factors || ast::are_factors(dtype_of<TA>, dtype_of<TB>);
  constexpr bool accumulator = !factors || !elements || ast::sums_in(dtype_of<TA>, dtype_of<TC>);
  if constexpr (!(ranks && batch && inner && outer && factors && elements && accumulator)) {
    (void)sizeof(diagnostics::mma_operands<ranks, batch, inner, outer, factors, elements, accumulator,
                                           diagnostics::show<Tile<TA, A...>>, diagnostics::show<Tile<TB, B...>>,
                                           diagnostics::show<Tile<TC, C...>>>);
  }
  using result = Tile<TC, C...>;
  ast::recorder& trace = access::trace(a);
  trace.at(where);
  return access::make<result>(
      trace, trace.add(ast::op::mma, result::type, 3, access::use(a), access::use(b), access::use(c), is_fast));
}

}  // namespace tilewright::lang

namespace tilewright {

struct fast_accumulation_tag {};
// Products of fp8 are added as the tensor core adds them by itself, faster and to fewer bits (docs/testing.md has the
// bound); where there is none, as without it.
inline constexpr fast_accumulation_tag fast_accumulation;

// a (m, k) times b (k, n) plus c (m, n), summed in c's element; of rank 3, that for each index of the first axis.
// Factors are of one element, but i8 and u8 go together. f32 stays true f32; a sum in f16 may be rounded to f16 after
// each product.
template <class TA, Dim... A, class TB, Dim... B, class TC, Dim... C>
constexpr auto mma(const Tile<TA, A...>& a, const Tile<TB, B...>& b, const Tile<TC, C...>& c,
                   ast::source_place where = ast::source_place()) {
  return lang::product(a, b, c, where, 0);
}

template <class TA, Dim... A, class TB, Dim... B, class TC, Dim... C>
constexpr auto mma(const Tile<TA, A...>& a, const Tile<TB, B...>& b, const Tile<TC, C...>& c, fast_accumulation_tag,
                   ast::source_place where = ast::source_place()) {
  constexpr bool is_fp8_product = !ast::is_factor(dtype_of<TA>) || ast::has_fast_sum(dtype_of<TA>, dtype_of<TC>);
  if constexpr (!is_fp8_product) {
    (void)sizeof(diagnostics::fast_accumulation_elements<is_fp8_product, diagnostics::show<Tile<TA, A...>>,
                                                         diagnostics::show<Tile<TC, C...>>>);
  }
  return lang::product(a, b, c, where, 1);
}

}  // namespace tilewright
