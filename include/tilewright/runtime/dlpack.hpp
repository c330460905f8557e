// SPDX-License-Identifier: Apache-2.0
// Tensors to and from other libraries, by the DLPack ABI (0.8 and 1.x), without a copy. <dlpack/dlpack.h> is not
// needed.
#pragma once

#include <utility>

#include "tilewright/runtime/misuse.hpp"
#include "tilewright/runtime/tensor.hpp"

TILEWRIGHT_BEGIN_OWNERS

struct DLManagedTensor;           // of <dlpack/dlpack.h>
struct DLManagedTensorVersioned;  // the same, since DLPack 1.0

namespace tilewright {

namespace detail {

// Waits for what is in flight on it; throws what its values are lost by.
TILEWRIGHT_API void require_exportable(storage* memory);
// One owner more of the storage, until the consumer calls the deleter.
TILEWRIGHT_API DLManagedTensor* export_dlpack(storage* memory, const layout& seen);
TILEWRIGHT_API DLManagedTensorVersioned* export_dlpack_versioned(storage* memory, const layout& seen,
                                                                 bool is_read_only);
TILEWRIGHT_API void delete_exported(DLManagedTensor* managed) noexcept;
TILEWRIGHT_API void delete_exported(DLManagedTensorVersioned* managed) noexcept;
// No engine: the device that the tensor names.
TILEWRIGHT_API storage* import_dlpack(DLManagedTensor* managed, dtype element, device_engine* device);
TILEWRIGHT_API storage* import_dlpack(DLManagedTensorVersioned* managed, dtype element, device_engine* device);

inline void report_export_that_nobody_took() noexcept {
  report_misuse("an exported tensor was dropped; give it to the library that takes it, which calls its deleter");
}

}  // namespace detail

// What to_dlpack() gives: a tensor on its way to another library, which owns the pointer that it gets by release(), or
// where this is given by &&. Managed: DLManagedTensor or DLManagedTensorVersioned.
template <class Managed>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_RUN("give an exported tensor to the library that takes it") Exported {
 public:
  Exported(Exported&& other) noexcept : managed_(std::exchange(other.managed_, nullptr)) {}
  Exported& operator=(Exported&&) = delete;
  ~Exported() TILEWRIGHT_WANTS_SPENT {
    if (managed_ == nullptr) return;
    detail::delete_exported(managed_);
    detail::report_export_that_nobody_took();
  }

  // Throws usage_error the second time.
  Managed* release() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    if (managed_ == nullptr) detail::refuse_use_after_give("Exported");
    return std::exchange(managed_, nullptr);
  }
  operator Managed*() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { return std::move(*this).release(); }
  Managed* release() & = delete;

  // For the runtime itself.
  explicit Exported(Managed* managed) noexcept : managed_(managed) {}

 private:
  Managed* managed_;
};

// Gives a tensor, or a view to read, to a library that takes DLPack. It calls the deleter once, on any thread; until
// then the memory stays. Waits until the values are computed. Who takes a Shared must not write it: the versioned form
// says so. Throws what the values are lost by, usage_error in a capture; the argument stays what it was then.
template <Element T>
[[nodiscard, gnu::always_inline]] inline Exported<DLManagedTensor> to_dlpack(Tensor<T>&& given) {
  detail::require_exportable(detail::access::memory(given));
  const Shared<T> held = std::move(given).share();
  return Exported(detail::export_dlpack(detail::access::memory(held), detail::access::seen(held)));
}
template <Element T>
[[nodiscard]] Exported<DLManagedTensor> to_dlpack(const Shared<T>& given) {
  detail::require_exportable(detail::access::memory(given));
  return Exported(detail::export_dlpack(detail::access::memory(given), detail::access::seen(given)));
}
template <Element T>
[[nodiscard, gnu::always_inline]] inline Exported<DLManagedTensorVersioned> to_dlpack_versioned(Tensor<T>&& given) {
  detail::require_exportable(detail::access::memory(given));
  const Shared<T> held = std::move(given).share();
  return Exported(detail::export_dlpack_versioned(detail::access::memory(held), detail::access::seen(held), false));
}
template <Element T>
[[nodiscard]] Exported<DLManagedTensorVersioned> to_dlpack_versioned(const Shared<T>& given) {
  detail::require_exportable(detail::access::memory(given));
  return Exported(detail::export_dlpack_versioned(detail::access::memory(given), detail::access::seen(given), true));
}
template <Element T>
void to_dlpack(const Tensor<T>&) = delete;  // give it: to_dlpack(std::move(t))
template <Element T>
void to_dlpack_versioned(const Tensor<T>&) = delete;

// Takes a tensor of another library. `managed` is spent, whatever happens: its deleter is called exactly once, when the
// last user of the memory is done (on any thread), or at once where this throws. The one who gives it promises that the
// values are computed, that the memory is as large as it says, and that nobody else writes it.
// Every field is checked. usage_error for: another element type, lanes, more than six axes, a negative extent or a size
// of 2^63 bytes or more, elements that do not lie in row-major order, no data, an address that wraps or is not a
// multiple of the element's size, a device other than the CPU or CUDA, a read-only tensor, another major version.
// Without a device: cpu_device(), or cuda_device() of its number; pinned memory counts as the CPU's.
template <Element T>
Tensor<T> from_dlpack(DLManagedTensor* managed) {
  return detail::access::adopt<T>(detail::import_dlpack(managed, dtype_of<T>, nullptr));
}
template <Element T>
Tensor<T> from_dlpack(DLManagedTensorVersioned* managed) {
  return detail::access::adopt<T>(detail::import_dlpack(managed, dtype_of<T>, nullptr));
}
// For a device of one's own choice, such as interp_device(); usage_error when the tensor lies elsewhere.
template <Element T>
Tensor<T> from_dlpack(DLManagedTensor* managed, const Device& device) {
  return detail::access::adopt<T>(detail::import_dlpack(managed, dtype_of<T>, &device.engine()));
}
template <Element T>
Tensor<T> from_dlpack(DLManagedTensorVersioned* managed, const Device& device) {
  return detail::access::adopt<T>(detail::import_dlpack(managed, dtype_of<T>, &device.engine()));
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
