// SPDX-License-Identifier: Apache-2.0
// Who may touch memory: Tensor owns it alone, Shared is one of many readers, Partition is a Tensor on its way into a
// launch as output. The Lent... types lend a tensor for one launch expression; they cannot be stored or copied.
#pragma once

#include <type_traits>
#include <utility>

#include "tilewright/runtime/device.hpp"
#include "tilewright/runtime/misuse.hpp"

namespace tilewright {

template <Element T>
class Shared;
template <Element T>
class Partition;
template <Element T>
class LentPartition;
template <Element T>
class LentInput;
template <class T>
class TensorSlice;

namespace detail {

// The runtime's own way into the handles.
struct access {
  template <class Handle>
  static storage* memory(const Handle& handle) {
    return handle.checked();
  }
  template <class T>
  [[gnu::always_inline]] static Tensor<T> adopt(storage* memory) {
    return Tensor<T>(memory);
  }
  template <class Handle>
  static const layout& seen(const Handle& handle) {
    return handle.layout_;
  }
  template <class Handle>
  static const Shape& piece(const Handle& handle) {
    return handle.piece_;
  }
  // Loans are immovable for everybody else.
  template <class Loan>
  [[gnu::always_inline]] static Loan move(Loan&& lent) {
    return Loan(std::move(lent));
  }
};

template <class T>
std::vector<T> host_values(storage* memory, const layout& from) {
  const auto count = static_cast<std::size_t>(from.extents.elements());
  if constexpr (std::is_same_v<T, bool>) {  // a vector<bool> has no array of elements
    std::vector<char> bytes(count);
    read(memory, from, bytes.data());
    return {bytes.begin(), bytes.end()};
  } else {
    std::vector<T> values(count);
    read(memory, from, values.data());
    return values;
  }
}

// Marks a tensor as lent while it exists.
class loan {
 public:
  loan() = default;  // of nothing
  [[gnu::always_inline]] explicit loan(storage* memory) : memory_(memory) {
    ++memory_->loans;
    memory_->is_lent = true;
  }
  [[gnu::always_inline]] loan(loan&& other) noexcept : memory_(other.memory_) { other.memory_ = nullptr; }
  loan& operator=(loan&&) = delete;
  [[gnu::always_inline]] ~loan() {
    if (memory_ != nullptr) memory_->is_lent = --memory_->loans != 0;
  }
  storage* memory() const { return memory_; }

 private:
  storage* memory_ = nullptr;
};

}  // namespace detail

// ---- Tensor: the only handle of its memory -------------------------------------------------------------------------
// One thread at a time. Using one that was given away throws usage_error.
template <Element T>
class [[nodiscard("a Tensor owns device memory")]] Tensor {
 public:
  using element = T;

  [[gnu::always_inline]] Tensor(Tensor && other) : memory_(other.take()) {}
  [[gnu::always_inline]] Tensor& operator=(Tensor&& other) {
    detail::storage* taken = other.take();
    drop();
    memory_ = taken;
    return *this;
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  [[gnu::always_inline]] ~Tensor() { drop(); }

  Shape shape() const { return checked()->shape; }
  Device device() const { return Device(*checked()->device); }
  // A copy of the elements in row-major order, once they are computed.
  std::vector<T> to_host() const { return detail::host_values<T>(checked(), whole()); }

  // Gives the tensor to many readers; there is no writer any more.
  Shared<T> share()&& { return Shared<T>(take()); }
  Shared<T> share()& = delete;
  // The same elements in another shape of as many elements.
  Tensor reshape(const Shape& shape)&& {
    detail::storage* memory = take();
    Tensor result(memory);
    memory->shape = detail::reshape_layout(detail::dense_layout(memory->shape), shape).extents;
    return result;
  }

  // Cut into pieces, one for each block: the output of a launch. Given away, or lent for one expression.
  [[gnu::always_inline]] Partition<T> partition(const Shape& piece)&& { return Partition<T>(take(), piece); }
  [[nodiscard]] LentPartition<T> partition(const Shape& piece)& {
    return LentPartition<T>(detail::loan(checked()), whole(), piece);
  }
  void partition(const Shape&) const& = delete;  // a const tensor cannot be written
  void partition(const Shape&) const&& = delete;

  // Lends the tensor as an input, for one expression.
  [[nodiscard]] LentInput<T> borrow() const& { return LentInput<T>(detail::loan(checked()), whole()); }
  LentInput<T> borrow() const&& = delete;  // a temporary does not live long enough

  // A part of the tensor, for one expression: slice(axis, begin, end).partition({...}) or .borrow().
  [[nodiscard]] TensorSlice<T> slice(int axis, index_t begin, index_t end)& {
    return TensorSlice<T>(detail::loan(checked()), detail::slice_layout(whole(), axis, begin, end));
  }
  [[nodiscard]] TensorSlice<const T> slice(int axis, index_t begin, index_t end) const& {
    return TensorSlice<const T>(detail::loan(checked()), detail::slice_layout(whole(), axis, begin, end));
  }
  void slice(int, index_t, index_t) const&& = delete;
  // The tensor in another shape, for one expression.
  [[nodiscard]] TensorSlice<T> reshape(const Shape& shape)& {
    return TensorSlice<T>(detail::loan(checked()), detail::reshape_layout(whole(), shape));
  }
  [[nodiscard]] TensorSlice<const T> reshape(const Shape& shape) const& {
    return TensorSlice<const T>(detail::loan(checked()), detail::reshape_layout(whole(), shape));
  }

  friend void swap(Tensor & a, Tensor & b) {
    Tensor held(std::move(a));
    a = std::move(b);
    b = std::move(held);
  }

 private:
  friend struct detail::access;
  friend class Device;
  friend class Shared<T>;

  explicit Tensor(detail::storage * memory) : memory_(memory) {}

  [[gnu::always_inline]] detail::storage* checked() const {
    if (memory_ == nullptr) detail::refuse_use_after_give("Tensor");
    return memory_;
  }
  [[gnu::always_inline]] detail::storage* take() {
    detail::storage* memory = checked();
    if (memory->is_lent) detail::refuse_move_while_lent();
    memory_ = nullptr;
    return memory;
  }
  [[gnu::always_inline]] void drop() noexcept {
    if (memory_ == nullptr) return;
    if (memory_->is_lent) {
      detail::report_misuse("a Tensor was destroyed while it is lent; run the borrowing launch first");
    } else {
      detail::release(memory_);
    }
    memory_ = nullptr;
  }
  detail::layout whole() const { return detail::dense_layout(memory_->shape); }

  detail::storage* memory_;
};

// ---- Partition: an output that a launch owns and gives back as Tensor ----------------------------------------------
template <Element T>
class [[nodiscard("a Partition owns its tensor")]] Partition {
 public:
  using element = T;

  Partition(Partition &&) = default;
  Partition& operator=(Partition&&) = default;

  // The tensor without a launch.
  Tensor<T> unpartition()&& { return std::move(tensor_); }
  Tensor<T> unpartition()& = delete;

 private:
  friend struct detail::access;
  friend class Tensor<T>;

  [[gnu::always_inline]] Partition(detail::storage * memory, const Shape& piece)
      : tensor_(detail::access::adopt<T>(memory)), piece_(piece) {}
  [[gnu::always_inline]] detail::storage* checked() const { return detail::access::memory(tensor_); }

  Tensor<T> tensor_;
  Shape piece_;
};

// ---- Making tensors ------------------------------------------------------------------------------------------------
template <Element T>
Tensor<T> Device::empty(const Shape& shape) const {
  return detail::access::adopt<T>(detail::allocate(*engine_, dtype_of<T>, shape));
}
template <Element T>
Tensor<T> Device::zeros(const Shape& shape) const {
  return full(shape, T{});
}
template <Element T>
Tensor<T> Device::full(const Shape& shape, T value) const {
  detail::storage* memory = detail::allocate(*engine_, dtype_of<T>, shape);
  detail::fill(memory, &value);
  return detail::access::adopt<T>(memory);
}
template <Element T>
Tensor<T> Device::iota(const Shape& shape) const {
  detail::storage* memory = detail::allocate(*engine_, dtype_of<T>, shape);
  detail::fill_iota(memory);
  return detail::access::adopt<T>(memory);
}
template <Element T>
Tensor<T> Device::randn(const Shape& shape, std::uint64_t seed) const {
  static_assert(is_floating(dtype_of<T>), "randn makes floating-point tensors");
  detail::storage* memory = detail::allocate(*engine_, dtype_of<T>, shape);
  detail::fill_normal(memory, seed);
  return detail::access::adopt<T>(memory);
}
template <Element T>
Tensor<T> Device::from_host(std::span<const T> values, const Shape& shape) const {
  detail::require_count(shape, values.size());
  detail::storage* memory = detail::allocate(*engine_, dtype_of<T>, shape);
  detail::write(memory, values.data());
  return detail::access::adopt<T>(memory);
}
template <Element T>
Tensor<T> Device::from_host(const std::vector<T>& values, const Shape& shape) const {
  if constexpr (std::is_same_v<T, bool>) {
    const std::vector<char> bytes(values.begin(), values.end());
    detail::require_count(shape, bytes.size());
    detail::storage* memory = detail::allocate(*engine_, dtype_of<T>, shape);
    detail::write(memory, bytes.data());
    return detail::access::adopt<T>(memory);
  } else {
    return from_host(std::span<const T>(values), shape);
  }
}

}  // namespace tilewright

#include "tilewright/runtime/lent.hpp"
#include "tilewright/runtime/shared.hpp"
