// SPDX-License-Identifier: Apache-2.0
// What public headers need of the C++ library's <memory> and <atomic>, which together cost a third of the time that
// all of them take to include.
#pragma once

#include <utility>

namespace tilewright::detail {

// The only owner of a T that was made by `new`; may hold none. A T that only a source file knows has a function
// destroy_hidden(T*), declared beside it; a rehearsal has none of these.
template <class T>
class owned {
 public:
  constexpr owned() = default;
  constexpr explicit owned(T* pointer) noexcept : pointer_(pointer) {}
  constexpr owned(owned&& other) noexcept : pointer_(other.release()) {}
  constexpr owned& operator=(owned&& other) noexcept {
    T* before = std::exchange(pointer_, other.release());
    destroy(before);
    return *this;
  }
  constexpr ~owned() { destroy(pointer_); }

  constexpr T* get() const noexcept { return pointer_; }
  constexpr T& operator*() const noexcept { return *pointer_; }
  constexpr T* operator->() const noexcept { return pointer_; }
  constexpr explicit operator bool() const noexcept { return pointer_ != nullptr; }
  constexpr T* release() noexcept { return std::exchange(pointer_, nullptr); }

 private:
  static constexpr void destroy(T* pointer) noexcept {
    if constexpr (requires { destroy_hidden(pointer); }) {
      if (pointer != nullptr) destroy_hidden(pointer);
    } else {
      static_assert(sizeof(T) > 0, "T is complete where its owner dies");
      delete pointer;
    }
  }

  T* pointer_ = nullptr;
};

// Whether this is evaluated while C++ compiles: in a rehearsal (rehearsal.hpp).
[[gnu::always_inline]] constexpr bool in_rehearsal() noexcept { return __builtin_is_constant_evaluated(); }

// A value that threads share. Each function names its order.
template <class T>
class atomic_word {
 public:
  constexpr explicit atomic_word(T value = T{}) noexcept : value_(value) {}
  atomic_word(const atomic_word&) = delete;
  atomic_word& operator=(const atomic_word&) = delete;

  T load_relaxed() const noexcept { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  constexpr T load_acquire() const noexcept {
    if (in_rehearsal()) return value_;
    return __atomic_load_n(&value_, __ATOMIC_ACQUIRE);
  }
  void store_relaxed(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }
  void store_release(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
  // Both give the value before.
  constexpr T add_relaxed(T more) noexcept {
    if (in_rehearsal()) return std::exchange(value_, value_ + more);
    return __atomic_fetch_add(&value_, more, __ATOMIC_RELAXED);
  }
  constexpr T subtract_acquire_release(T less) noexcept {
    if (in_rehearsal()) return std::exchange(value_, value_ - less);
    return __atomic_fetch_sub(&value_, less, __ATOMIC_ACQ_REL);
  }
  // If it holds `known`; else `known` becomes what it holds.
  bool replace_relaxed(T& known, T wanted) noexcept {
    return __atomic_compare_exchange_n(&value_, &known, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }

 private:
  T value_;
};

}  // namespace tilewright::detail
