// SPDX-License-Identifier: Apache-2.0
// Loans of a tensor for one launch expression. They can be neither stored in a container, copied, captured nor
// returned, so they do not outlive their tensor; a launch with a loan only runs by sync().
#pragma once

#include "tilewright/runtime/tensor.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

namespace detail {

inline Shape whole_piece(Shape extents) {
  for (int axis = 0; axis < extents.rank(); ++axis) extents[axis] += extents[axis] == 0 ? 1 : 0;
  return extents;
}

// A tensor, or the part of it that `part` sees, lent. The loan comes last, see there.
class lent_view {
 public:
  [[gnu::always_inline]] explicit lent_view(storage* memory) : loan_(memory) {}
  [[gnu::always_inline]] lent_view(loan&& lent, const layout& part)
      : part_(part), is_part_(1), loan_(std::move(lent)) {}
  storage* memory() const { return loan_.memory(); }
  layout seen() const { return is_part_ != 0 ? part_ : dense_layout(loan_.memory()->shape); }

 private:
  layout part_;
  int is_part_ = 0;
  loan loan_;
};

}  // namespace detail

// Lent as output: t.partition({...}).
template <Element T>
class TILEWRIGHT_LOAN_TYPE TILEWRIGHT_MUST_USE("a loan does nothing by itself") LentPartition {
 public:
  using element = T;
  using loan_for_one_expression = void;
  LentPartition(const LentPartition&) = delete;
  LentPartition& operator=(const LentPartition&) = delete;
  [[gnu::always_inline]] ~LentPartition() TILEWRIGHT_LOAN(release_capability()) {}

 private:
  friend struct detail::access;
  friend class Tensor<T>;
  friend class TensorSlice<T>;

  [[gnu::always_inline]] LentPartition(detail::lent_view&& view, const Shape& piece)
      : piece_(piece), view_(std::move(view)) {}
  [[gnu::always_inline]] LentPartition(LentPartition&& other) noexcept
      : piece_(other.piece_), view_(std::move(other.view_)) {}
  detail::storage* checked() const { return view_.memory(); }
  detail::layout seen() const { return view_.seen(); }

  Shape piece_;
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
  [[gnu::always_inline]] ~LentInput() TILEWRIGHT_LOAN(release_capability()) {}

 private:
  friend struct detail::access;
  friend class Tensor<T>;
  friend class Shared<T>;
  friend class TensorSlice<T>;
  friend class TensorSlice<const T>;

  [[gnu::always_inline]] explicit LentInput(detail::lent_view&& view) : view_(std::move(view)) {}
  [[gnu::always_inline]] LentInput(LentInput&& other) noexcept : view_(std::move(other.view_)) {}
  detail::storage* checked() const { return view_.memory(); }
  detail::layout seen() const { return view_.seen(); }

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
  ~LentShared() = default;

 private:
  friend struct detail::access;
  friend class Shared<T>;

  explicit LentShared(const Shared<T>& lent) : lent_(lent) {}
  LentShared(LentShared&&) = default;
  detail::storage* checked() const { return detail::access::memory(lent_); }
  detail::layout seen() const { return detail::access::seen(lent_); }

  Shared<T> lent_;
};

// A part of a tensor, or the tensor in another shape: t.slice(0, 2, 4).slice(1, 0, 3).partition({1, 3}). T is const
// when the tensor is. A slice with a name lends its part again and again; while it lives, the tensor is lent.
template <class T>
class TILEWRIGHT_HOLDS_LOANS TILEWRIGHT_MUST_USE("a slice of a Tensor does nothing by itself") TensorSlice {
 public:
  using element = std::remove_const_t<T>;
  TensorSlice(const TensorSlice&) = delete;
  TensorSlice& operator=(const TensorSlice&) = delete;

  Shape shape() const { return layout_.extents; }
  TensorSlice slice(int axis, index_t begin, index_t end) && {
    return {take(), detail::slice_layout(layout_, axis, begin, end)};
  }
  TensorSlice slice(int axis, index_t begin, index_t end) & {
    return {lend(), detail::slice_layout(layout_, axis, begin, end)};
  }
  TensorSlice reshape(const Shape& shape) && { return {take(), detail::reshape_layout(layout_, shape)}; }
  TensorSlice reshape(const Shape& shape) & { return {lend(), detail::reshape_layout(layout_, shape)}; }
  SplitSlices<T> split_at(int axis, index_t index) {
    detail::require_split(layout_, axis, index);
    return {slice(axis, 0, index), slice(axis, index, layout_.extents[axis])};
  }
  TensorChunks<T> chunks(int axis, index_t size) { return {lend(), layout_, axis, size}; }

  LentPartition<element> partition(const Shape& piece) && { return lent_to_writer(take(), piece); }
  LentPartition<element> partition(const Shape& piece) & { return lent_to_writer(lend(), piece); }
  LentPartition<element> all() && { return lent_to_writer(take(), detail::whole_piece(layout_.extents)); }
  LentPartition<element> all() & { return lent_to_writer(lend(), detail::whole_piece(layout_.extents)); }
  LentInput<element> borrow() && { return LentInput<element>(detail::lent_view(take(), layout_)); }
  LentInput<element> borrow() const& { return LentInput<element>(detail::lent_view(lend(), layout_)); }

 private:
  friend class Tensor<element>;
  friend class TensorChunks<T>;

  TensorSlice(detail::loan&& lent, const detail::layout& seen) : loan_(std::move(lent)), layout_(seen) {}

  detail::loan lend() const {
    if (loan_.memory() == nullptr) detail::refuse_use_after_give("TensorSlice");
    return detail::loan(loan_.memory());
  }
  detail::loan take() {
    if (loan_.memory() == nullptr) detail::refuse_use_after_give("TensorSlice");
    return std::move(loan_);
  }
  LentPartition<element> lent_to_writer(detail::loan&& lent, const Shape& piece) const {
    static_assert(!std::is_const_v<T>, "a part of a const Tensor cannot be written");
    return {detail::lent_view(std::move(lent), layout_), piece};
  }

  detail::loan loan_;
  detail::layout layout_;
};

// ---- Lending a whole tensor ----------------------------------------------------------------------------------------
template <Element T>
TILEWRIGHT_LOAN(no_thread_safety_analysis)
[[gnu::always_inline]] inline LentPartition<T> Tensor<T>::partition(const Shape& piece) & {
  return {detail::lent_view(checked()), piece};
}

template <Element T>
TILEWRIGHT_LOAN(no_thread_safety_analysis)
[[gnu::always_inline]] inline LentPartition<T> Tensor<T>::all() & {
  return {detail::lent_view(checked()), detail::whole_piece(checked()->shape)};
}

template <Element T>
TILEWRIGHT_LOAN(no_thread_safety_analysis)
[[gnu::always_inline]] inline LentInput<T> Tensor<T>::borrow() const& {
  return LentInput<T>(detail::lent_view(checked()));
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS

#include "tilewright/runtime/split.hpp"
