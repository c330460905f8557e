// SPDX-License-Identifier: Apache-2.0
// Loans of a tensor for one launch expression. They can be neither stored in a container, copied, captured nor
// returned, so they do not outlive their tensor; a launch with a loan only runs by sync().
#pragma once

#include "tilewright/runtime/tensor.hpp"

namespace tilewright {

// Lent as output: t.partition({...}).
template <Element T>
class [[nodiscard("a loan does nothing by itself")]] LentPartition {
 public:
  using element = T;
  LentPartition(const LentPartition&) = delete;
  LentPartition& operator=(const LentPartition&) = delete;

 private:
  friend struct detail::access;
  friend class Tensor<T>;
  friend class TensorSlice<T>;

  [[gnu::always_inline]] LentPartition(detail::loan && lent, const detail::layout& seen, const Shape& piece)
      : loan_(std::move(lent)), layout_(seen), piece_(piece) {}
  LentPartition(LentPartition &&) = default;
  detail::storage* checked() const { return loan_.memory(); }

  detail::loan loan_;
  detail::layout layout_;
  Shape piece_;
};

// Lent as input: t.borrow().
template <Element T>
class [[nodiscard("a loan does nothing by itself")]] LentInput {
 public:
  using element = T;
  LentInput(const LentInput&) = delete;
  LentInput& operator=(const LentInput&) = delete;
  ~LentInput() {
    if (owned_ != nullptr) detail::release(owned_);
  }

 private:
  friend struct detail::access;
  friend class Tensor<T>;
  friend class Shared<T>;
  friend class TensorSlice<T>;
  friend class TensorSlice<const T>;

  [[gnu::always_inline]] LentInput(detail::loan && lent, const detail::layout& seen)
      : loan_(std::move(lent)), layout_(seen) {}
  // Of a Shared: one owner more, so that the Shared may even die before the launch.
  explicit LentInput(const Shared<T>& shared)
      : owned_(detail::access::memory(shared)), layout_(detail::access::seen(shared)) {
    detail::retain(owned_);
  }
  LentInput(LentInput && other) noexcept : loan_(std::move(other.loan_)), owned_(other.owned_), layout_(other.layout_) {
    other.owned_ = nullptr;
  }
  detail::storage* checked() const { return owned_ != nullptr ? owned_ : loan_.memory(); }

  detail::loan loan_;
  detail::storage* owned_ = nullptr;
  detail::layout layout_;
};

// A part of a tensor, or the tensor in another shape: t.slice(0, 2, 4).slice(1, 0, 3).partition({1, 3}). T is const
// when the tensor is.
template <class T>
class [[nodiscard("a slice of a Tensor does nothing by itself")]] TensorSlice {
 public:
  using element = std::remove_const_t<T>;
  TensorSlice(const TensorSlice&) = delete;
  TensorSlice& operator=(const TensorSlice&) = delete;

  Shape shape() const { return layout_.extents; }
  TensorSlice slice(int axis, index_t begin, index_t end)&& {
    return TensorSlice(std::move(loan_), detail::slice_layout(layout_, axis, begin, end));
  }
  TensorSlice reshape(const Shape& shape)&& {
    return TensorSlice(std::move(loan_), detail::reshape_layout(layout_, shape));
  }
  LentPartition<element> partition(const Shape& piece)&& {
    static_assert(!std::is_const_v<T>, "a part of a const Tensor cannot be written");
    return LentPartition<element>(std::move(loan_), layout_, piece);
  }
  LentInput<element> borrow()&& { return LentInput<element>(std::move(loan_), layout_); }

 private:
  friend class Tensor<element>;

  TensorSlice(detail::loan && lent, const detail::layout& seen) : loan_(std::move(lent)), layout_(seen) {}

  detail::loan loan_;
  detail::layout layout_;
};

}  // namespace tilewright
