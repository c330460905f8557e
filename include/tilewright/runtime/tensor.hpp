// SPDX-License-Identifier: Apache-2.0
// Who may touch memory: Tensor owns it alone, Shared is one of many readers, Partition is a Tensor on its way into a
// launch as output. The Lent... types lend a tensor for one launch expression; they cannot be stored or copied.
#pragma once

#include <type_traits>
#include <utility>

#include "tilewright/runtime/detail/loans.hpp"
#include "tilewright/runtime/device.hpp"
#include "tilewright/runtime/misuse.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

template <Element T>
class Shared;
template <Element T>
class Partition;
template <Element T>
class LentPartition;
template <Element T>
class LentInput;
template <Element T>
class LentShared;
template <class T>
class TensorSlice;
template <class T>
struct SplitSlices;
template <class T>
class TensorChunks;

namespace diagnostics {
TILEWRIGHT_REFUSAL(error_use_after_give, "this Tensor, Partition or Op was given away before");
TILEWRIGHT_REFUSAL(error_tensor_dies_or_moves_while_lent, "a Tensor is destroyed or moved while a launch borrows it");
}  // namespace diagnostics

namespace detail {

// What a tensor can have lent: to one writer, or to many readers. Empty; only the analyser looks at them.
class TILEWRIGHT_LOAN_KIND("loan to a writer") writer_loan {};
class TILEWRIGHT_LOAN_KIND_OF_MANY("loan to readers") reader_loan {};

// The runtime's own way into the handles.
struct access {
  template <class Handle>
  static storage* memory(const Handle& handle) {
    return static_cast<storage*>(handle.checked());  // not in a rehearsal
  }
  template <class Handle>
  static constexpr ownership* owned(const Handle& handle) {
    return handle.checked();
  }
  template <class T>
  [[gnu::always_inline]] static constexpr Tensor<T> adopt(ownership* memory) {
    return Tensor<T>(memory);
  }
  template <class T>
  [[gnu::always_inline]] static constexpr Shared<T> share(ownership* memory) {
    return Shared<T>(memory);
  }
  template <class Handle>
  static constexpr layout seen(const Handle& handle) {
    return handle.seen();
  }
  template <class Handle>
  static constexpr const Shape& piece(const Handle& handle) {
    return handle.piece_;
  }
  template <class Handle>
  static constexpr index_t sharers(const Handle& handle) {
    return handle.sharing_.blocks;
  }
  static constexpr Device device(const ownership* memory) {
    if (in_rehearsal()) return Device(*memory->rehearsed);
    return Device(*static_cast<const storage*>(memory)->device);
  }
  template <class Loan>
  static constexpr lent_view& view(Loan& lent) {
    return lent.view_;
  }
  // Loans are immovable for everybody else.
  template <class Loan>
  [[gnu::always_inline]] static constexpr Loan move(Loan&& lent) {
    return Loan(std::move(lent));
  }
};

template <class T>
std::vector<T> read_values(storage* memory, const layout& from) {
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

template <class T>
constexpr std::vector<T> host_values(ownership* memory, const layout& from) {
  if (!in_rehearsal()) return read_values<T>(static_cast<storage*>(memory), from);
  if (memory->is_pending) refuse_read_of_what_is_not_computed_yet();
  rehearse_host_use(*memory->rehearsed);
  return std::vector<T>(static_cast<std::size_t>(from.extents.elements()), T{});
}

}  // namespace detail

// ---- Tensor: the only handle of its memory -------------------------------------------------------------------------
// One thread at a time. Use after give is refused: by the compiler where it sees it, else by usage_error.
template <Element T>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_USE("a Tensor owns device memory") Tensor {
  static_assert(is_of_tensors<T>,
                "f4e2m1, i4 and u4 are elements of tiles alone, and a tensor of such packed numbers holds u8: "
                "device.zeros<u8>(...), which a kernel unpacks");

 public:
  using element = T;
  [[no_unique_address]] detail::writer_loan to_writer;
  [[no_unique_address]] detail::reader_loan to_readers;

  [[gnu::always_inline]] constexpr Tensor(Tensor&& other) : memory_(other.take()) { detail::touch(memory_); }
  [[gnu::always_inline]] constexpr Tensor& operator=(Tensor&& other) TILEWRIGHT_RENEWS {
    detail::ownership* taken = other.take();
    drop();
    memory_ = taken;
    detail::touch(taken);
    return *this;
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  [[gnu::always_inline]] constexpr ~Tensor() { drop(); }

  [[gnu::always_inline]] constexpr Shape shape() const TILEWRIGHT_UNSPENT { return touched()->shape; }
  [[gnu::always_inline]] constexpr Device device() const TILEWRIGHT_UNSPENT {
    return detail::access::device(touched());
  }
  // A copy of the elements in row-major order, once they are computed.
  [[gnu::always_inline]] constexpr std::vector<T> to_host() const TILEWRIGHT_UNSPENT
      TILEWRIGHT_LOAN(locks_excluded(to_writer)) {
    detail::ownership* memory = touched();
    detail::require_not_lent_to_writer(*memory);
    return detail::host_values<T>(memory, detail::dense_layout(memory->shape));
  }

  // Gives the tensor to many readers; there is no writer any more.
  [[gnu::always_inline]] constexpr Shared<T> share() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS
      TILEWRIGHT_LOAN(locks_excluded(to_writer, to_readers)) {
    (void)touched();
    return detail::access::share<T>(take());
  }
  Shared<T> share() & = delete;
  // The same elements in another shape of as many elements.
  [[gnu::always_inline]] constexpr Tensor reshape(const Shape& shape) && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    Tensor result(take());
    result.memory_->shape = detail::reshape_layout(detail::dense_layout(result.memory_->shape), shape).extents;
    return result;
  }

  // Cut into pieces, one for each block: the output of a launch. Given away, or lent for one expression. For an Accum
  // parameter shared_by(n) says how many blocks share each piece.
  [[gnu::always_inline]] constexpr Partition<T> partition(const Shape& piece, Sharing sharing = {}) &&
      TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS TILEWRIGHT_LOAN(locks_excluded(to_writer, to_readers)) {
    return Partition<T>(take(), piece, sharing);
  }
  [[nodiscard, gnu::always_inline]] constexpr LentPartition<T> partition(const Shape& piece, Sharing sharing = {}) &
      TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT
      TILEWRIGHT_LOAN(acquire_capability(to_writer), locks_excluded(to_readers));
  // Lent whole, as one piece: to a launch of one block, or of some that share it, or to a copy.
  [[nodiscard, gnu::always_inline]] constexpr LentPartition<T> all(Sharing sharing = {}) & TILEWRIGHT_LIFETIME_BOUND
      TILEWRIGHT_UNSPENT TILEWRIGHT_LOAN(acquire_capability(to_writer), locks_excluded(to_readers));
  void all() const& = delete;
  void all() const&& = delete;
  void partition(const Shape&) const& = delete;  // a const tensor cannot be written
  void partition(const Shape&) const&& = delete;

  // Lends the tensor as an input, for one expression.
  [[nodiscard, gnu::always_inline]] constexpr LentInput<T> borrow() const& TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT
      TILEWRIGHT_LOAN(acquire_shared_capability(to_readers), locks_excluded(to_writer));
  LentInput<T> borrow() const&& = delete;  // a temporary does not live long enough

  // A part of the tensor, for one expression: slice(axis, begin, end).partition({...}) or .borrow(). Parts that share
  // no element may be lent together, to readers and writers.
  [[nodiscard]] constexpr TensorSlice<T> slice(int axis, index_t begin, index_t end) & TILEWRIGHT_LIFETIME_BOUND
      TILEWRIGHT_UNSPENT {
    detail::ownership* memory = checked();
    return {detail::loan(memory), detail::slice_layout(detail::dense_layout(memory->shape), axis, begin, end)};
  }
  [[nodiscard]] constexpr TensorSlice<const T> slice(int axis, index_t begin,
                                                     index_t end) const& TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    detail::ownership* memory = checked();
    return {detail::loan(memory), detail::slice_layout(detail::dense_layout(memory->shape), axis, begin, end)};
  }
  void slice(int, index_t, index_t) const&& = delete;
  // The parts before and from `index` on, as two slices that share no element; split.hpp says more.
  [[nodiscard]] constexpr SplitSlices<T> split_at(int axis, index_t index) & TILEWRIGHT_LIFETIME_BOUND
      TILEWRIGHT_UNSPENT {
    return reshape(shape()).split_at(axis, index);
  }
  [[nodiscard]] constexpr SplitSlices<const T> split_at(int axis, index_t index) const& TILEWRIGHT_LIFETIME_BOUND
      TILEWRIGHT_UNSPENT {
    return reshape(shape()).split_at(axis, index);
  }
  void split_at(int, index_t) const&& = delete;
  // The parts of `size` indices of an axis, in their order; the last one may be shorter.
  [[nodiscard]] constexpr TensorChunks<T> chunks(int axis, index_t size) & TILEWRIGHT_LIFETIME_BOUND
      TILEWRIGHT_UNSPENT {
    return reshape(shape()).chunks(axis, size);
  }
  [[nodiscard]] constexpr TensorChunks<const T> chunks(int axis, index_t size) const& TILEWRIGHT_LIFETIME_BOUND
      TILEWRIGHT_UNSPENT {
    return reshape(shape()).chunks(axis, size);
  }
  void chunks(int, index_t) const&& = delete;
  // The tensor with its axes in another order, for one expression: axis a of the view is axis Order[a]. As an output it
  // is cut into pieces in that order, t.permute<1, 0>().partition({64, 32}), and each element still has one place.
  template <int... Order>
      [[nodiscard]] constexpr TensorSlice<T> permute() & TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    detail::ownership* memory = checked();
    return {detail::loan(memory), detail::permute_layout<Order...>(detail::dense_layout(memory->shape))};
  }
  template <int... Order>
  [[nodiscard]] constexpr TensorSlice<const T> permute() const& TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    detail::ownership* memory = checked();
    return {detail::loan(memory), detail::permute_layout<Order...>(detail::dense_layout(memory->shape))};
  }
  template <int... Order>
  void permute() const&& = delete;
  // The tensor in another shape, for one expression.
  [[nodiscard]] constexpr TensorSlice<T> reshape(const Shape& shape) & TILEWRIGHT_LIFETIME_BOUND TILEWRIGHT_UNSPENT {
    detail::ownership* memory = checked();
    return {detail::loan(memory), detail::reshape_layout(detail::dense_layout(memory->shape), shape)};
  }
  [[nodiscard]] constexpr TensorSlice<const T> reshape(const Shape& shape) const& TILEWRIGHT_LIFETIME_BOUND
      TILEWRIGHT_UNSPENT {
    detail::ownership* memory = checked();
    return {detail::loan(memory), detail::reshape_layout(detail::dense_layout(memory->shape), shape)};
  }

  friend constexpr void swap(Tensor& a TILEWRIGHT_KEEPS, Tensor& b TILEWRIGHT_KEEPS) {
    Tensor held(std::move(a));
    a = std::move(b);
    b = std::move(held);
  }

 private:
  friend struct detail::access;

  [[gnu::always_inline]] constexpr explicit Tensor(detail::ownership* memory) : memory_(memory) {}

  [[gnu::always_inline]] constexpr detail::ownership* checked() const {
    TILEWRIGHT_REFUSE_IF(memory_ == nullptr, diagnostics::error_use_after_give);
    if (memory_ == nullptr) detail::refuse_use_after_give("Tensor");
    return memory_;
  }
  [[gnu::always_inline]] constexpr detail::ownership* touched() const {
    detail::ownership* memory = checked();
    detail::touch(memory);
    return memory;
  }
  constexpr detail::layout seen() const { return detail::dense_layout(checked()->shape); }
  [[gnu::always_inline]] constexpr detail::ownership* take() {
    detail::ownership* memory = checked();
    TILEWRIGHT_REFUSE_IF(memory->is_lent, diagnostics::error_tensor_dies_or_moves_while_lent);
    if (memory->is_lent) detail::refuse_move_while_lent();
    memory_ = nullptr;
    return memory;
  }
  [[gnu::always_inline]] constexpr void drop() noexcept {
    if (memory_ == nullptr) return;
    TILEWRIGHT_REFUSE_IF(memory_->is_lent, diagnostics::error_tensor_dies_or_moves_while_lent);
    if (memory_->is_lent) {
      memory_->is_orphan = true;  // safe, whatever the handler does
      detail::report_tensor_destroyed_while_lent();
    } else {
      detail::release(memory_);
    }
    memory_ = nullptr;
  }

  detail::ownership* memory_;
};

// ---- Partition: an output that a launch owns and gives back as Tensor ----------------------------------------------
template <Element T>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_USE("a Partition owns its tensor") Partition {
 public:
  using element = T;

  [[gnu::always_inline]] constexpr Partition(Partition&& other)
      : tensor_(std::move(other.tensor_)), piece_(other.piece_), sharing_(other.sharing_) {}
  [[gnu::always_inline]] constexpr Partition& operator=(Partition&& other) TILEWRIGHT_RENEWS {
    tensor_ = std::move(other.tensor_);
    piece_ = other.piece_;
    sharing_ = other.sharing_;
    return *this;
  }

  // The tensor without a launch.
  [[gnu::always_inline]] constexpr Tensor<T> unpartition() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return std::move(tensor_);
  }
  Tensor<T> unpartition() & = delete;

 private:
  friend struct detail::access;
  friend class Tensor<T>;

  [[gnu::always_inline]] constexpr Partition(detail::ownership* memory, const Shape& piece, Sharing sharing)
      : tensor_(detail::access::adopt<T>(memory)), piece_(piece), sharing_(sharing) {}
  [[gnu::always_inline]] constexpr detail::ownership* checked() const { return detail::access::owned(tensor_); }
  constexpr detail::layout seen() const { return detail::access::seen(tensor_); }

  Tensor<T> tensor_;
  Shape piece_;
  Sharing sharing_;
};

// ---- Making tensors ------------------------------------------------------------------------------------------------
template <Element T>
[[gnu::always_inline]] constexpr Tensor<T> Device::empty(const Shape& shape) const {
  if (detail::in_rehearsal()) return detail::access::adopt<T>(detail::rehearse_allocation(*rehearsed_, shape));
  return detail::access::adopt<T>(detail::allocate(*engine_, dtype_of<T>, shape));
}
namespace detail {
// Two returns: g++ 12 does not rehearse a conditional expression that makes tensors.
template <Element T>
[[gnu::always_inline]] constexpr Tensor<T> make_for_host(const Device& device, const Shape& shape) {
  if (in_rehearsal()) {
    auto made = device.empty<T>(shape);
    rehearse_host_use(*access::owned(made)->rehearsed);
    return made;
  }
  return access::adopt<T>(allocate(device.engine(), dtype_of<T>, shape, first_use::by_host));
}
}  // namespace detail
template <Element T>
[[gnu::always_inline]] constexpr Tensor<T> Device::zeros(const Shape& shape) const {
  return full(shape, T{});
}
template <Element T>
[[gnu::always_inline]] constexpr Tensor<T> Device::full(const Shape& shape, T value) const {
  auto made = detail::make_for_host<T>(*this, shape);
  if (!detail::in_rehearsal()) detail::fill(detail::access::memory(made), &value);
  return made;
}
template <Element T>
[[gnu::always_inline]] constexpr Tensor<T> Device::iota(const Shape& shape) const {
  auto made = detail::make_for_host<T>(*this, shape);
  if (!detail::in_rehearsal()) detail::fill_iota(detail::access::memory(made));
  return made;
}
template <Element T>
[[gnu::always_inline]] constexpr Tensor<T> Device::randn(const Shape& shape, std::uint64_t seed) const {
  static_assert(is_floating(dtype_of<T>), "randn makes floating-point tensors");
  auto made = detail::make_for_host<T>(*this, shape);
  if (!detail::in_rehearsal()) detail::fill_normal(detail::access::memory(made), seed);
  return made;
}
template <Element T>
[[gnu::always_inline]] constexpr Tensor<T> Device::from_host(std::span<const T> values, const Shape& shape) const {
  if (static_cast<std::size_t>(shape.elements()) != values.size()) detail::refuse_count(shape, values.size());
  auto made = detail::make_for_host<T>(*this, shape);
  if (!detail::in_rehearsal()) detail::write(detail::access::memory(made), values.data());
  return made;
}
template <Element T>
[[gnu::always_inline]] constexpr Tensor<T> Device::from_host(const std::vector<T>& values, const Shape& shape) const {
  if constexpr (std::is_same_v<T, bool>) {
    const std::vector<char> bytes(values.begin(), values.end());
    if (static_cast<std::size_t>(shape.elements()) != bytes.size()) detail::refuse_count(shape, bytes.size());
    auto made = detail::make_for_host<T>(*this, shape);
    if (!detail::in_rehearsal()) detail::write(detail::access::memory(made), bytes.data());
    return made;
  } else {
    return from_host(std::span<const T>(values), shape);
  }
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS

#include "tilewright/runtime/lent.hpp"
#include "tilewright/runtime/shared.hpp"
