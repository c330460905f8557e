// SPDX-License-Identifier: Apache-2.0
// Loans of a tensor for one launch expression. They can be neither stored in a container, copied, captured nor
// returned, so they do not outlive their tensor; a launch with a loan only runs by sync().
#pragma once

#include "tilewright/runtime/tensor.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

namespace detail {

constexpr Shape whole_piece(Shape extents) {
  for (int axis = 0; axis < extents.rank(); ++axis) extents[axis] += extents[axis] == 0 ? 1 : 0;
  return extents;
}

}  // namespace detail

// Lent as output: t.partition({...}).
template <Element T>
class TILEWRIGHT_LOAN_TYPE TILEWRIGHT_MUST_USE("a loan does nothing by itself") LentPartition {
 public:
  using element = T;
  using loan_for_one_expression = void;
  LentPartition(const LentPartition&) = delete;
  LentPartition& operator=(const LentPartition&) = delete;
  [[gnu::always_inline]] constexpr ~LentPartition() TILEWRIGHT_LOAN(release_capability()) {}

 private:
  friend struct detail::access;
  friend class Tensor<T>;
  friend class TensorSlice<T>;

  [[gnu::always_inline]] constexpr LentPartition(detail::lent_view&& view, const Shape& piece, Sharing sharing)
      : piece_(piece), sharing_(sharing), view_(std::move(view)) {}
  [[gnu::always_inline]] constexpr LentPartition(LentPartition&& other)
      : piece_(other.piece_), sharing_(other.sharing_), view_(std::move(other.view_)) {}
  constexpr detail::ownership* checked() const { return view_.memory(); }
  constexpr detail::layout seen() const { return view_.seen(); }

  Shape piece_;
  Sharing sharing_;
  detail::lent_view view_;
};

// Lent as input: t.borrow().
template <Element T>
class TILEWRIGHT_LOAN_TYPE TILEWRIGHT_MUST_USE("a loan does nothing by itself") LentInput {
 public:
  using element = T;
  using loan_for_one_expression = void;
  LentInput(const LentInput&) = delete;
  LentInput& operator=(const LentInput&) = delete;
  [[gnu::always_inline]] constexpr ~LentInput() TILEWRIGHT_LOAN(release_capability()) {}

 private:
  friend struct detail::access;
  friend class Tensor<T>;
  friend class Shared<T>;
  friend class TensorSlice<T>;
  friend class TensorSlice<const T>;

  [[gnu::always_inline]] constexpr explicit LentInput(detail::lent_view&& view) : view_(std::move(view)) {}
  [[gnu::always_inline]] constexpr LentInput(LentInput&& other) : view_(std::move(other.view_)) {}
  constexpr detail::ownership* checked() const { return view_.memory(); }
  constexpr detail::layout seen() const { return view_.seen(); }

  detail::lent_view view_;
};

// A Shared lent as input: one owner more, so that the Shared may even die before the launch.
template <Element T>
class TILEWRIGHT_MUST_USE("a loan does nothing by itself") LentShared {
 public:
  using element = T;
  using loan_for_one_expression = void;
  LentShared(const LentShared&) = delete;
  LentShared& operator=(const LentShared&) = delete;
  constexpr ~LentShared() = default;

 private:
  friend struct detail::access;
  friend class Shared<T>;

  constexpr explicit LentShared(const Shared<T>& lent) : lent_(lent) {}
  constexpr LentShared(LentShared&&) = default;
  constexpr detail::ownership* checked() const { return detail::access::owned(lent_); }
  constexpr detail::layout seen() const { return detail::access::seen(lent_); }

  Shared<T> lent_;
};

// A part of a tensor, or the tensor in another shape or order of axes:
// t.slice(0, 2, 4).slice(1, 0, 3).partition({1, 3}). T is const when the tensor is. A slice
// with a name lends its part again and again; while it lives, the tensor is lent.
template <class T>
class TILEWRIGHT_HOLDS_LOANS TILEWRIGHT_MUST_USE("a slice of a Tensor does nothing by itself") TensorSlice {
 public:
  using element = std::remove_const_t<T>;
  TensorSlice(const TensorSlice&) = delete;
  TensorSlice& operator=(const TensorSlice&) = delete;

  constexpr Shape shape() const { return layout_.extents; }
  constexpr TensorSlice slice(int axis, index_t begin, index_t end) && {
    return {take(), detail::slice_layout(layout_, axis, begin, end)};
  }
  constexpr TensorSlice slice(int axis, index_t begin, index_t end) & {
    return {lend(), detail::slice_layout(layout_, axis, begin, end)};
  }
  constexpr TensorSlice reshape(const Shape& shape) && { return {take(), detail::reshape_layout(layout_, shape)}; }
  constexpr TensorSlice reshape(const Shape& shape) & { return {lend(), detail::reshape_layout(layout_, shape)}; }
  template <int... Order>
  constexpr TensorSlice permute() && {
    return {take(), detail::permute_layout<Order...>(layout_)};
  }
  template <int... Order>
  constexpr TensorSlice permute() & {
    return {lend(), detail::permute_layout<Order...>(layout_)};
  }
  constexpr SplitSlices<T> split_at(int axis, index_t index) {
    detail::require_split(layout_, axis, index);
    return {slice(axis, 0, index), slice(axis, index, layout_.extents[axis])};
  }
  constexpr TensorChunks<T> chunks(int axis, index_t size) { return {lend(), layout_, axis, size}; }

  constexpr LentPartition<element> partition(const Shape& piece, Sharing sharing = {}) && {
    return lent_to_writer(take(), piece, sharing);
  }
  constexpr LentPartition<element> partition(const Shape& piece, Sharing sharing = {}) & {
    return lent_to_writer(lend(), piece, sharing);
  }
  constexpr LentPartition<element> all(Sharing sharing = {}) && {
    return lent_to_writer(take(), detail::whole_piece(layout_.extents), sharing);
  }
  constexpr LentPartition<element> all(Sharing sharing = {}) & {
    return lent_to_writer(lend(), detail::whole_piece(layout_.extents), sharing);
  }
  constexpr LentInput<element> borrow() && { return LentInput<element>(detail::lent_view(take(), layout_, false)); }
  constexpr LentInput<element> borrow() const& { return LentInput<element>(detail::lent_view(lend(), layout_, false)); }

 private:
  friend class Tensor<element>;
  friend class TensorChunks<T>;

  constexpr TensorSlice(detail::loan&& lent, const detail::layout& seen) : loan_(std::move(lent)), layout_(seen) {}

  constexpr detail::loan lend() const {
    if (loan_.memory() == nullptr) detail::refuse_use_after_give("TensorSlice");
    return detail::loan(loan_.memory());
  }
  constexpr detail::loan take() {
    if (loan_.memory() == nullptr) detail::refuse_use_after_give("TensorSlice");
    return std::move(loan_);
  }
  constexpr LentPartition<element> lent_to_writer(detail::loan&& lent, const Shape& piece, Sharing sharing) const {
    static_assert(!std::is_const_v<T>, "a part of a const Tensor cannot be written");
    return {detail::lent_view(std::move(lent), layout_, true), piece, sharing};
  }

  detail::loan loan_;
  detail::layout layout_;
};

// ---- Lending a whole tensor ----------------------------------------------------------------------------------------
template <Element T>
TILEWRIGHT_LOAN(no_thread_safety_analysis)
[[gnu::always_inline]] constexpr LentPartition<T> Tensor<T>::partition(const Shape& piece, Sharing sharing) & {
  return {detail::lent_view(checked(), true), piece, sharing};
}

template <Element T>
TILEWRIGHT_LOAN(no_thread_safety_analysis)
[[gnu::always_inline]] constexpr LentPartition<T> Tensor<T>::all(Sharing sharing) & {
  return {detail::lent_view(checked(), true), detail::whole_piece(checked()->shape), sharing};
}

template <Element T>
TILEWRIGHT_LOAN(no_thread_safety_analysis)
[[gnu::always_inline]] constexpr LentInput<T> Tensor<T>::borrow() const& {
  return LentInput<T>(detail::lent_view(checked(), false));
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS

#include "tilewright/runtime/split.hpp"
