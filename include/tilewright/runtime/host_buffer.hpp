// SPDX-License-Identifier: Apache-2.0
// HostBuffer: memory of the host that a device copies to and from while the host goes on. Pinned where the device is a
// GPU. Filled and read through a span; copy() takes it into flight and gives it back.
#pragma once

#include <span>
#include <utility>

#include "tilewright/runtime/lent.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

template <class T>
class LentBuffer;

namespace detail {

template <class T>
class rehearsed_array final : public rehearsed_values {
 public:
  constexpr explicit rehearsed_array(std::size_t size) : values(new T[size]{}) {}
  constexpr ~rehearsed_array() override { delete[] values; }
  T* const values;
};

template <class T>
constexpr T* host_values_of(ownership* memory, bool is_written) {
  if (!in_rehearsal()) return static_cast<T*>(host_address(static_cast<storage*>(memory), is_written));
  if (memory->is_pending) refuse_read_of_what_is_not_computed_yet();
  rehearse_host_use(*memory->rehearsed);
  if (memory->values == nullptr) {
    memory->values = new rehearsed_array<T>(static_cast<std::size_t>(memory->shape.elements()));
  }
  return static_cast<rehearsed_array<T>*>(memory->values)->values;
}

}  // namespace detail

// Made by device.host_buffer<T>(shape), uninitialised; its values lie in row-major order. One thread at a time. Use
// after give is refused, as for a Tensor. Its memory comes from a pool of the device and goes back there when nobody
// uses it any more, work in flight included.
template <Element T>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_USE("a HostBuffer owns host memory") HostBuffer {
  static_assert(is_of_tensors<T>,
                "f4e2m1, i4 and u4 are elements of tiles alone: a buffer of such packed numbers holds u8");

 public:
  using element = T;

  [[gnu::always_inline]] constexpr HostBuffer(HostBuffer&& other) : memory_(std::move(other.memory_)) {}
  [[gnu::always_inline]] constexpr HostBuffer& operator=(HostBuffer&& other) TILEWRIGHT_RENEWS {
    memory_ = std::move(other.memory_);
    return *this;
  }

  [[gnu::always_inline]] constexpr Shape shape() const TILEWRIGHT_UNSPENT { return memory_.shape(); }
  [[gnu::always_inline]] constexpr index_t size() const TILEWRIGHT_UNSPENT { return shape().elements(); }
  [[gnu::always_inline]] constexpr Device device() const TILEWRIGHT_UNSPENT { return memory_.device(); }

  // The values, once work in flight on them is done. Valid until the buffer is given away or destroyed: what a copy
  // gives back has a span of its own. Throws the failure that the values are lost by, until a copy writes all of them
  // anew; usage_error inside then() and in a capture, where nothing is computed yet.
  [[gnu::always_inline]] constexpr std::span<T> span() & TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    return {detail::host_values_of<T>(checked(), true), static_cast<std::size_t>(size())};
  }
  [[gnu::always_inline]] constexpr std::span<const T> span() const& TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    return {detail::host_values_of<T>(checked(), false), static_cast<std::size_t>(size())};
  }
  void span() && = delete;  // the values of a temporary do not live long enough
  void span() const&& = delete;

  // Lends it to one copy: to be written, or to be read.
  [[nodiscard, gnu::always_inline]] constexpr LentBuffer<T> all() & TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    return LentBuffer<T>(checked());
  }
  void all() const& = delete;  // a const buffer cannot be written
  void all() const&& = delete;
  [[nodiscard, gnu::always_inline]] constexpr LentBuffer<const T> borrow() const& TILEWRIGHT_LIFETIME_BOUND
      TILEWRIGHT_UNSPENT {
    return LentBuffer<const T>(checked());
  }
  void borrow() const&& = delete;

  friend constexpr void swap(HostBuffer& a TILEWRIGHT_KEEPS, HostBuffer& b TILEWRIGHT_KEEPS) {
    swap(a.memory_, b.memory_);
  }

 private:
  friend struct detail::access;
  friend class Device;

  [[gnu::always_inline]] constexpr explicit HostBuffer(detail::ownership* memory)
      : memory_(detail::access::adopt<T>(memory)) {}
  [[gnu::always_inline]] constexpr detail::ownership* checked() const { return detail::access::owned(memory_); }
  constexpr detail::layout seen() const { return detail::dense_layout(shape()); }

  Tensor<T> memory_;  // with the host's address: for its checks, never launched with
};

// A HostBuffer lent to one copy; T is const for a reader. buffer.all(), buffer.borrow().
template <class T>
class TILEWRIGHT_HOLDS_LOANS TILEWRIGHT_MUST_USE("a loan does nothing by itself") LentBuffer {
 public:
  using element = std::remove_const_t<T>;
  using loan_for_one_expression = void;
  LentBuffer(const LentBuffer&) = delete;
  LentBuffer& operator=(const LentBuffer&) = delete;

 private:
  friend struct detail::access;
  friend class HostBuffer<element>;

  [[gnu::always_inline]] constexpr explicit LentBuffer(detail::ownership* memory)
      : view_(memory, !std::is_const_v<T>) {}
  [[gnu::always_inline]] constexpr LentBuffer(LentBuffer&& other) : view_(std::move(other.view_)) {}
  constexpr detail::ownership* checked() const { return view_.memory(); }
  constexpr detail::layout seen() const { return view_.seen(); }

  detail::lent_view view_;
};

template <Element T>
[[gnu::always_inline]] constexpr HostBuffer<T> Device::host_buffer(const Shape& shape) const {
  if (detail::in_rehearsal()) return HostBuffer<T>(detail::rehearse_allocation(*rehearsed_, shape));
  return HostBuffer<T>(detail::allocate_on_host(*engine_, dtype_of<T>, shape));
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
