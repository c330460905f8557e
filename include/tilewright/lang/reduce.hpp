// SPDX-License-Identifier: Apache-2.0
// Reductions and scans along one axis. The axis that is reduced stays, with extent 1, so that a result joins with its
// operand.
#pragma once

#include "tilewright/lang/tile.hpp"

namespace tilewright::diagnostics {

template <bool AxisExists, int Axis, class A>
struct axis_of_tile {
  static_assert(AxisExists, "the tile has no such axis; axes count from 0");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

// From which end of its axis a scan starts: scan_max<1, scan_order::reverse>(x).
enum class scan_order : bool { forward, reverse };

namespace lang {

template <ast::op Operation, int Axis, int... More, class T, Dim... Extents>
constexpr auto along_axis(const Tile<T, Extents...>& x, ast::source_place where) {
  using A = Tile<T, Extents...>;
  constexpr ast::result_rule rule = ast::info(Operation).result;
  constexpr bool axis_exists = Axis >= 0 && Axis < A::rank;
  if constexpr (!axis_exists) {
    (void)sizeof(diagnostics::axis_of_tile<false, Axis, diagnostics::show<A>>);
    return access::make<A>(access::trace(x), 0);
  } else {
    if constexpr (!accepted<Operation, T>) {
      (void)sizeof(diagnostics::operation_and_element<false, Operation, diagnostics::show<A>>);
    }
    using element = choose<rule == ast::result_rule::reduced_index, index_element, T>;
    using kept = typename replace_extent<Axis, Dim(1), extent_list<Extents...>>::type;
    using result = tile_of<element, choose<rule == ast::result_rule::same, extent_list<Extents...>, kept>>;
    ast::recorder& trace = access::trace(x);
    trace.at(where);
    return access::make<result>(trace, trace.add(Operation, result::type, 1, access::use(x), Axis, More...));
  }
}

}  // namespace lang

#define TILEWRIGHT_ALONG_AXIS(name, operation)                                                       \
  template <int Axis, class T, Dim... Extents>                                                       \
  constexpr auto name(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) { \
    return lang::along_axis<ast::op::operation, Axis>(x, where);                                     \
  }
TILEWRIGHT_ALONG_AXIS(reduce_sum, reduce_sum)
TILEWRIGHT_ALONG_AXIS(reduce_product, reduce_product)
TILEWRIGHT_ALONG_AXIS(reduce_max, reduce_max)
TILEWRIGHT_ALONG_AXIS(reduce_min, reduce_min)
TILEWRIGHT_ALONG_AXIS(argmax, argmax)
#undef TILEWRIGHT_ALONG_AXIS

// Each element combined with all before it on the axis, or in reverse with all after it.
#define TILEWRIGHT_SCAN(name)                                                                         \
  template <int Axis, scan_order Order = scan_order::forward, class T, Dim... Extents>                \
  constexpr auto name(const Tile<T, Extents...>& x, ast::source_place where = ast::source_place()) {  \
    return lang::along_axis < ast::op::name, Axis, Order == scan_order::reverse ? 1 : 0 > (x, where); \
  }
TILEWRIGHT_SCAN(scan_sum)
TILEWRIGHT_SCAN(scan_product)
TILEWRIGHT_SCAN(scan_max)
TILEWRIGHT_SCAN(scan_min)
#undef TILEWRIGHT_SCAN

}  // namespace tilewright
