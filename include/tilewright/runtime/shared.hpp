// SPDX-License-Identifier: Apache-2.0
// Shared: a tensor that many read and nobody writes, or a view of one.
#pragma once

#include "tilewright/runtime/tensor.hpp"

namespace tilewright {

// Any thread; copying is one atomic increment. Views are Shared too, and keep the memory alive.
template <Element T>
class TILEWRIGHT_OWNER TILEWRIGHT_MUST_USE("a Shared keeps memory alive") Shared {
 public:
  using element = T;

  constexpr Shared(const Shared& other) : memory_(other.checked()), layout_(other.layout_) { detail::retain(memory_); }
  constexpr Shared(Shared&& other) : memory_(other.checked()), layout_(other.layout_) { other.memory_ = nullptr; }
  constexpr Shared& operator=(Shared other) {
    std::swap(memory_, other.memory_);
    layout_ = other.layout_;
    return *this;
  }
  constexpr ~Shared() {
    if (memory_ != nullptr) detail::release(memory_);
  }

  constexpr Shape shape() const {
    (void)checked();
    return layout_.extents;
  }
  constexpr Device device() const { return detail::access::device(checked()); }
  constexpr std::vector<T> to_host() const { return detail::host_values<T>(checked(), layout_); }
  void partition(const Shape&) const = delete;  // readers only: a launch cannot write it

  // Views; bounds are checked (usage_error). A stride may have any sign; strides count elements of the memory.
  constexpr Shared slice(int axis, index_t begin, index_t end) const {
    return view(detail::slice_layout(layout_, axis, begin, end));
  }
  // `first_element` counts from this view's first one.
  constexpr Shared strided(const Shape& shape, const Shape& strides, index_t first_element) const {
    return view(detail::strided_layout(checked()->shape, layout_, shape, strides, first_element));
  }
  constexpr Shared reshape(const Shape& shape) const { return view(detail::reshape_layout(layout_, shape)); }
  // Axis a of the view is axis Order[a] of this one: permute<2, 0, 1>().
  template <int... Order>
  constexpr Shared permute() const {
    return view(detail::permute_layout<Order...>(layout_));
  }
  // The axes in reverse order.
  constexpr Shared transpose() const { return view(detail::transpose_layout(layout_)); }

  // Lends it for one launch expression; the launch does not give it back.
  [[nodiscard]] constexpr LentShared<T> borrow() const& { return LentShared<T>(*this); }
  LentShared<T> borrow() const&& = delete;

  // The tensor again, when nobody else reads it: no other Shared and no launch in flight.
  TILEWRIGHT_SOLE_OWNER constexpr Tensor<T> into_unique() && {
    detail::ownership* memory = checked();
    const int owners = memory->owners.load_acquire() + memory->flights.load_acquire() - 1;
    if (owners != 1) detail::refuse_unique(owners);
    memory_ = nullptr;
    return detail::access::adopt<T>(memory);
  }

 private:
  friend struct detail::access;

  constexpr explicit Shared(detail::ownership* memory)
      : memory_(memory), layout_(detail::dense_layout(memory->shape)) {}
  constexpr Shared(detail::ownership* memory, const detail::layout& seen) : memory_(memory), layout_(seen) {}

  constexpr detail::ownership* checked() const {
    if (memory_ == nullptr) detail::refuse_use_after_give("Shared");
    return memory_;
  }
  constexpr detail::layout seen() const { return layout_; }
  constexpr Shared view(const detail::layout& seen) const {
    detail::retain(checked());
    return Shared(memory_, seen);
  }

  detail::ownership* memory_;
  detail::layout layout_;
};

}  // namespace tilewright
