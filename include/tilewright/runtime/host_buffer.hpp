// SPDX-License-Identifier: Apache-2.0
// HostBuffer: memory of the host that a device copies to and from while the host goes on. Pinned where the device is a
// GPU. Filled and read through a span; copy() moves it in and out of flight.
#pragma once

#include <span>
#include <type_traits>
#include <utility>

#include "tilewright/runtime/lent.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

template <class T>
class LentBuffer;

// Made by device.host_buffer<T>(shape), uninitialised; its values lie in row-major order. One thread at a time. Use
// after give is refused, as for a Tensor. Freed like one: kept in a pool of the device, not before work in flight is
// done.
template <Element T>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_USE("a HostBuffer owns host memory") HostBuffer {
 public:
  using element = T;

  [[gnu::always_inline]] HostBuffer(HostBuffer&& other) : memory_(other.take()) {}
  [[gnu::always_inline]] HostBuffer& operator=(HostBuffer&& other) TILEWRIGHT_RENEWS {
    detail::storage* taken = other.take();
    drop();
    memory_ = taken;
    return *this;
  }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;
  [[gnu::always_inline]] ~HostBuffer() { drop(); }

  [[gnu::always_inline]] Shape shape() const TILEWRIGHT_UNSPENT { return checked()->shape; }
  // The number of elements.
  [[gnu::always_inline]] index_t size() const TILEWRIGHT_UNSPENT { return checked()->shape.elements(); }
  [[gnu::always_inline]] Device device() const TILEWRIGHT_UNSPENT { return Device(*checked()->device); }

  // The values, once work in flight on them is done. Valid while the buffer is neither given away nor destroyed: take
  // another span from what a copy gives back. Throws the failure that spoiled the values; usage_error inside then(),
  // where nothing is computed yet.
  [[gnu::always_inline]] std::span<T> span() & TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    return {static_cast<T*>(detail::host_values_of(checked())), static_cast<std::size_t>(size())};
  }
  [[gnu::always_inline]] std::span<const T> span() const& TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    return {static_cast<const T*>(detail::host_values_of(checked())), static_cast<std::size_t>(size())};
  }
  void span() const&& = delete;  // the values of a temporary do not live long enough

  // Lends it to one copy: as where to, or as where from.
  [[nodiscard, gnu::always_inline]] LentBuffer<T> all() & TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    return LentBuffer<T>(checked());
  }
  void all() const& = delete;  // a const buffer cannot be written
  void all() const&& = delete;
  [[nodiscard, gnu::always_inline]] LentBuffer<const T> borrow() const& TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    return LentBuffer<const T>(checked());
  }
  void borrow() const&& = delete;

  friend void swap(HostBuffer& a TILEWRIGHT_KEEPS, HostBuffer& b TILEWRIGHT_KEEPS) {
    HostBuffer held(std::move(a));
    a = std::move(b);
    b = std::move(held);
  }

 private:
  friend struct detail::access;
  friend class Device;

  [[gnu::always_inline]] explicit HostBuffer(detail::storage* memory) : memory_(memory) {}

  [[gnu::always_inline]] detail::storage* checked() const {
    TILEWRIGHT_REFUSE_IF(memory_ == nullptr, diagnostics::error_use_after_give);
    if (memory_ == nullptr) detail::refuse_use_after_give("HostBuffer");
    return memory_;
  }
  [[gnu::always_inline]] detail::storage* take() {
    detail::storage* memory = checked();
    TILEWRIGHT_REFUSE_IF(memory->is_lent, diagnostics::error_tensor_dies_or_moves_while_lent);
    if (memory->is_lent) detail::refuse_move_while_lent("HostBuffer");
    memory_ = nullptr;
    return memory;
  }
  [[gnu::always_inline]] void drop() noexcept {
    if (memory_ == nullptr) return;
    TILEWRIGHT_REFUSE_IF(memory_->is_lent, diagnostics::error_tensor_dies_or_moves_while_lent);
    if (memory_->is_lent) {
      memory_->is_orphan = true;
      detail::report_misuse("a HostBuffer was destroyed while it is lent; run the borrowing copy first");
    } else {
      detail::release(memory_);
    }
    memory_ = nullptr;
  }

  detail::storage* memory_;
};
