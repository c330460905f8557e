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

template <bool RanksAgree, bool InnerAgrees, bool OuterAgrees, bool ElementsAreFactors, bool AccumulatorAgrees,
          bool ScalesAgree, bool ScaleShapesAgree, bool DepthFits, class A, class AScales, class B, class BScales,
          class C>
struct mma_scaled_operands {
  static_assert(RanksAgree, "mma_scaled(a, a_scales, b, b_scales, c) takes tiles of rank 2");
  static_assert(InnerAgrees, "mma_scaled: columns of a and rows of b differ");
  static_assert(OuterAgrees, "mma_scaled: c must be rows of a by columns of b");
  static_assert(ElementsAreFactors,
                "mma_scaled multiplies f8e4m3, f8e5m2 or f4e2m1, a and b of one element; of others write mma(a * "
                "a_scale, b * b_scale, c)");
  static_assert(AccumulatorAgrees, "mma_scaled: c must be f32");
  static_assert(ScalesAgree, "mma_scaled: scales are f8e8m0, or f8e4m3 with f4e2m1, on both sides the same");
  static_assert(ScaleShapesAgree,
                "mma_scaled: a_scales is (rows of a, blocks of K), b_scales is (blocks of K, columns of b)");
  static_assert(DepthFits,
                "mma_scaled: a scale is of 32 elements along K, of f4e2m1 of 16 too, and of 16 alone where it is an "
                "f8e4m3");
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

template <class A, class AScales, class B, class BScales, class C>
struct scaled_product_rule {
  template <class X>
  static constexpr Dim rows = X::rank == 2 ? extent_at(typename X::extents{}, 0) : Dim(1);
  template <class X>
  static constexpr Dim columns = X::rank == 2 ? extent_at(typename X::extents{}, 1) : Dim(1);
  static constexpr dtype factor = dtype_of<typename A::element>, scale = dtype_of<typename AScales::element>;
  static constexpr bool ranks =
      A::rank == 2 && AScales::rank == 2 && B::rank == 2 && BScales::rank == 2 && C::rank == 2;
  static constexpr bool inner = !ranks || columns<A> == rows<B>;
  static constexpr bool outer = !ranks || (rows<A> == rows<C> && columns<B> == columns<C>);
  static constexpr bool factors = ast::is_scaled_factor(factor) && same<typename A::element, typename B::element>;
  static constexpr bool accumulator = same<typename C::element, f32>;
  static constexpr bool scales =
      !factors || (ast::is_scale_of(factor, scale) && same<typename AScales::element, typename BScales::element>);
  static constexpr bool scale_shapes =
      !ranks || (rows<AScales> == rows<A> && columns<BScales> == columns<B> && columns<AScales> == rows<BScales>);
  static constexpr bool is_known = columns<A>.is_constant() && columns<AScales>.is_constant();  // else bind asks
  static constexpr bool depth = !(ranks && factors && scales && is_known) ||
                                ast::are_blocks(factor, scale, columns<A>.value, columns<AScales>.value);
  static constexpr bool ok = ranks && inner && outer && factors && accumulator && scales && scale_shapes && depth;
  using report =
      diagnostics::mma_scaled_operands<ranks, inner, outer, factors, accumulator, scales, scale_shapes, depth,
                                       diagnostics::show<A>, diagnostics::show<AScales>, diagnostics::show<B>,
                                       diagnostics::show<BScales>, diagnostics::show<C>>;
};

}  // namespace tilewright::lang

namespace tilewright {

// Elements of a block along K share a scale: each is multiplied by its own, exactly, before the products are summed in
// f32. a (m, k) with scales (m, k / v), b (k, n) with scales (k / v, n), c (m, n). A scale is an f8e8m0, of 32 elements
// (of f4e2m1 also of 16), or, of f4e2m1, the magnitude of an f8e4m3, of 16. Elements times scales are finite in f32.
template <class TA, Dim... A, class SA, Dim... AScales, class TB, Dim... B, class SB, Dim... BScales, class TC,
          Dim... C>
constexpr auto mma_scaled(const Tile<TA, A...>& a, const Tile<SA, AScales...>& a_scales, const Tile<TB, B...>& b,
                          const Tile<SB, BScales...>& b_scales, const Tile<TC, C...>& c,
                          ast::source_place where = ast::source_place()) {
  using rule = lang::scaled_product_rule<Tile<TA, A...>, Tile<SA, AScales...>, Tile<TB, B...>, Tile<SB, BScales...>,
                                         Tile<TC, C...>>;
  if constexpr (!rule::ok) (void)sizeof(typename rule::report);
  ast::recorder& trace = lang::access::trace(a);
  trace.at(where);
  return lang::access::make<Tile<TC, C...>>(
      trace, trace.add(ast::op::mma_scaled, Tile<TC, C...>::type, 5, lang::access::use(a), lang::access::use(b),
                       lang::access::use(c), lang::access::use(a_scales), lang::access::use(b_scales)));
}

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
