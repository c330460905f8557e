// SPDX-License-Identifier: Apache-2.0
// Windows that may begin in front of their tensor, as those of a convolution with a margin do. Made of other
// operations, so that no back end knows them: a window that begins inside is loaded as one, others are gathered under a
// mask.
#pragma once

#include "tilewright/lang/control.hpp"
#include "tilewright/lang/element_access.hpp"
#include "tilewright/lang/shape.hpp"

namespace tilewright::diagnostics {

template <bool MarginsAgree, bool MarginsOk, class Element, int Rank, class Given>
struct margins_of_windows {
  static_assert(MarginsAgree, "windows have one margin for each axis of the tensor, or none at all");
  static_assert(MarginsOk, "a margin of windows is 0, a positive number or a Dim");
};
template <bool CountOk, bool TypesOk, bool HasPad, class... Given>
struct margined_window_indices {
  static_assert(CountOk, "wrong number of window indices: give one for each axis, then pad(value)");
  static_assert(TypesOk, "a window index is an integer or an Index; write to_index(i) for an integer scalar");
  static_assert(HasPad, "windows with a margin reach past their tensor on both sides: end the indices with pad(value)");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

// How far in front of the tensor window 0 begins, on each axis.
template <Dim... Margins>
struct margin_list {};

constexpr bool has_margin(Dim margin) { return !(margin.is_constant() && margin.value == 0); }

// Windows with a margin begin at any element of the tensor, others at multiples of their stride.
constexpr Dim step_of(Dim margin, Dim stride) { return has_margin(margin) ? Dim(1) : stride; }
// How many windows begin in front of the tensor, at most.
constexpr Dim windows_of(Dim margin, Dim stride) { return has_margin(margin) ? ceil_div(margin, stride) : margin; }

// Tile extents of which only that of Axis is not 1.
template <int Axis, Dim Extent, class Axes>
struct extents_along;
template <int Axis, Dim Extent, int... At>
struct extents_along<Axis, Extent, sequence<At...>> {
  using type = extent_list<(At == Axis ? Extent : Dim(1))...>;
};

}  // namespace lang

template <Dim... Margins>
inline constexpr lang::margin_list<Margins...> margin{};

template <class T, class Input, class Axes, class Tiles, class Strides, class Margins>
class MarginedWindows;

// What In::windows gives with a margin. A window may lie anywhere: what is outside of the tensor, on either side, is
// the pad. So no index of one is refused.
template <class T, class Input, int... Axes, Dim... Tiles, Dim... Strides, Dim... Margins>
class MarginedWindows<T, Input, lang::sequence<Axes...>, extent_list<Tiles...>, lang::stride_list<Strides...>,
                      lang::margin_list<Margins...>> {
 public:
  constexpr explicit MarginedWindows(const Input& tensor)
      : tensor_(tensor), trace_(lang::parameter_access::trace(tensor)) {}

  template <Literal U>
  constexpr auto load(lang::repeat<lang::tile_index, Axes>... indices, lang::pad_value<U> pad,
                      ast::source_place where = ast::source_place()) const {
    const ast::pinned_place pin(trace_, where);
    const Index given[] = {made(indices.use(trace_))...};
    const Index at[] = {bounded<Axes>(given[Axes])...};
    const Index first[] = {first_of<Axes>(at[Axes])...};
    const auto seen = tensor_.windows(extent_list<Tiles...>{}, stride<lang::step_of(Margins, Strides)...>);
    auto begins_inside = lang::access::make<Tile<bool>>(trace_, lang::add_constant<bool>(trace_, {1}));
    (join(begins_inside, first[Axes], seen.tiles(Axes)), ...);
    return if_(
        begins_inside, [&] { return seen.load(first[Axes]..., pad); },
        [&] {
          auto all = lang::access::make<Tile<bool>>(trace_, lang::add_constant<bool>(trace_, {1}));
          return gathered<0>(at, pad, all);
        });
  }
  template <class... Given>
  requires(!(lang::index_arguments<sizeof...(Axes), Given...>::ok &&
             lang::index_arguments<sizeof...(Axes), Given...>::pads == 1)) constexpr auto load(const Given&...) const {
    using given = lang::index_arguments<sizeof...(Axes), Given...>;
    (void)sizeof(diagnostics::margined_window_indices<given::count_ok, given::types_ok, given::pads == 1,
                                                      diagnostics::show<Given>...>);
    return lang::access::make<Tile<T, Tiles...>>(trace_, 0);
  }

 private:
  static constexpr Dim extent_of[] = {Tiles...}, stride_of[] = {Strides...}, margin_of[] = {Margins...};

  constexpr Index made(int id) const { return lang::access::make<Index>(trace_, id); }
  template <Dim Number>
  constexpr Index number() const {
    if constexpr (Number.is_constant()) {
      return made(lang::add_constant<index_element>(trace_, {Number.value}));
    } else {
      return made(trace_.add(ast::op::dim_value, Index::type, 0, trace_.extent(&ast::dim_object<Number>)));
    }
  }
  // The same window, or one that is as wholly outside: so its elements have numbers that an index holds.
  template <int Axis>
  constexpr Index bounded(const Index& at) const {
    auto count = tensor_.windows(extent_list<Tiles...>{}, lang::stride_list<Strides...>{}).tiles(Axis);
    auto in_front = number<lang::windows_of(margin_of[Axis], stride_of[Axis])>();
    auto most = count + in_front;
    auto extent = number<extent_of[Axis]>();
    auto least = 0 - extent;
    auto below = min(at, most);
    return max(below, least);
  }
  template <int Axis>
  constexpr Index element_of(const Index& at) const {
    auto stride = number<stride_of[Axis]>();
    auto element = at * stride;
    auto margin = number<margin_of[Axis]>();
    return element - margin;
  }
  // Its number among windows that begin inside, by step_of.
  template <int Axis>
  constexpr Index first_of(const Index& at) const {
    if constexpr (lang::has_margin(margin_of[Axis])) {
      return element_of<Axis>(at);
    } else {
      return Index(at);
    }
  }
  static constexpr void join(Tile<bool>& all, const Index& at, const Index& count) {
    auto is_behind = at >= 0;
    auto is_before = at < count;
    auto is_within = is_behind & is_before;
    all = all & is_within;
  }

  // `elements` are those of the window on the axes before Axis, `mask` says which of them are inside.
  template <int Axis, class Pad, class Mask, class... Elements>
  constexpr auto gathered(const Index* at, const Pad& pad, const Mask& mask, const Elements&... elements) const {
    if constexpr (Axis == sizeof...(Axes)) {
      auto values = tensor_.gather(elements..., where(mask));
      return select(mask, values, pad.value);
    } else {
      using numbers = lang::tile_of<index_element,
                                    typename lang::extents_along<Axis, extent_of[Axis], lang::sequence<Axes...>>::type>;
      auto counted = lang::access::make<numbers>(trace_, trace_.add(ast::op::iota, numbers::type, 0, Axis));
      auto first = element_of<Axis>(at[Axis]);
      auto here = counted + first;
      auto is_behind = here >= 0;
      auto extent = tensor_.extent(Axis);
      auto is_before = here < extent;
      auto is_within = is_behind & is_before;
      auto all = mask & is_within;
      return gathered<Axis + 1>(at, pad, all, elements..., here);
    }
  }

  const Input& tensor_;
  ast::recorder& trace_;
};

}  // namespace tilewright
