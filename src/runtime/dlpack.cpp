// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/dlpack.hpp"

#include <array>
#include <limits>
#include <memory>
#include <string>

#include "runtime/device_engine.hpp"
#include "runtime/dlpack_layout.hpp"
#include "runtime/graph_recorder.hpp"
#include "runtime/memory_uses.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::detail {
namespace {

using dlpack::device_type;
using dlpack::type_code;

dlpack::data_type type_of(dtype element) {
  const auto bits = static_cast<std::uint8_t>(info(element).size_bytes * 8);
  switch (info(element).kind) {
    case dtype_kind::boolean:
      return {type_code::boolean, bits, 1};
    case dtype_kind::signed_integer:
      return {type_code::integer, bits, 1};
    case dtype_kind::unsigned_integer:
      return {type_code::unsigned_integer, bits, 1};
    case dtype_kind::floating:
      break;
  }
  if (element == dtype::f8e4m3) return {type_code::float8_e4m3fn, bits, 1};
  if (element == dtype::f8e5m2) return {type_code::float8_e5m2, bits, 1};
  if (element == dtype::f8e8m0) return {type_code::float8_e8m0fnu, bits, 1};
  return {element == dtype::bf16 ? type_code::bfloat : type_code::floating, bits, 1};
}

// ---- Out -----------------------------------------------------------------------------------------------------------
template <class Managed>
struct exported {
  Managed managed{};
  storage* memory = nullptr;
  std::array<std::int64_t, max_rank> shape{}, strides{};

  static void give_back(Managed* self) {
    auto* held = static_cast<exported*>(self->context);
    release(held->memory);
    delete held;
  }
};

template <class Managed>
std::unique_ptr<exported<Managed>> make_exported(storage* memory, const layout& seen) {
  auto made = std::make_unique<exported<Managed>>();
  for (int axis = 0; axis < seen.extents.rank(); ++axis) {
    made->shape[static_cast<std::size_t>(axis)] = seen.extents[axis];
    made->strides[static_cast<std::size_t>(axis)] = seen.strides[axis];
  }
  const int index = memory->device->cuda_index();
  made->managed.tensor = {.data = memory->address,
                          .device = {index < 0 ? device_type::cpu : device_type::cuda, index < 0 ? 0 : index},
                          .rank = seen.extents.rank(),
                          .type = type_of(memory->element),
                          .shape = made->shape.data(),
                          .strides = made->strides.data(),
                          .byte_offset = static_cast<std::uint64_t>(seen.first * info(memory->element).size_bytes)};
  made->managed.context = made.get();
  made->managed.deleter = exported<Managed>::give_back;
  made->memory = memory;
  retain(memory);
  return made;
}

}  // namespace

void require_exportable(storage* memory) {
  require_outside_then("to_dlpack()");
  require_no_capture(*memory->device, "to_dlpack()");
  if (memory->element == dtype::tf32) {
    throw usage_error({.what = "a tensor cannot be exported: DLPack has no such element",
                       .where = "to_dlpack()",
                       .expected = "an element of DLPack",
                       .got = "tf32",
                       .fix = "export a tensor of f32: cast<f32>(x) in a kernel"});
  }
  const host_use use(memory, host_use::kind::read);
  if (memory->fault) std::rethrow_exception(memory->fault);
}

DLManagedTensor* export_dlpack(storage* memory, const layout& seen) {
  return &make_exported<DLManagedTensor>(memory, seen).release()->managed;
}

DLManagedTensorVersioned* export_dlpack_versioned(storage* memory, const layout& seen, bool is_read_only) {
  auto made = make_exported<DLManagedTensorVersioned>(memory, seen);
  made->managed.version = {1, is_floating(memory->element) && info(memory->element).bits == 8 ? 1U : 0U};
  made->managed.flags = is_read_only ? dlpack::flag_read_only : 0;
  return &made.release()->managed;
}

void delete_exported(DLManagedTensor* managed) noexcept { managed->deleter(managed); }
void delete_exported(DLManagedTensorVersioned* managed) noexcept { managed->deleter(managed); }

// ---- In ------------------------------------------------------------------------------------------------------------
namespace {

[[noreturn]] void refuse(const char* field, std::string expected, std::string got, const char* fix) {
  throw usage_error({.what = std::string("a DLPack tensor cannot be taken: ") + field,
                     .where = "from_dlpack()",
                     .expected = std::move(expected),
                     .got = std::move(got),
                     .fix = fix});
}

std::string text_of(const dlpack::data_type& type) {
  return "type code " + std::to_string(static_cast<int>(type.code)) + ", " + std::to_string(type.bits) + " bits, " +
         std::to_string(type.lanes) + " lanes";
}

void require_type(const dlpack::data_type& got, dtype element) {
  if (element == dtype::tf32) {
    refuse("its element type", "an element of DLPack", "tf32", "take it as f32, and write cast<tf32>(x) in a kernel");
  }
  const dlpack::data_type wanted = type_of(element);
  if (got.code == wanted.code && got.bits == wanted.bits && got.lanes == wanted.lanes) return;
  refuse("its element type", std::string(info(element).name) + ": " + text_of(wanted), text_of(got),
         "ask for the type that it has, or convert it where it comes from");
}

Shape shape_of(const dlpack::tensor& from) {
  if (from.rank < 0 || from.rank > max_rank) {
    refuse("its rank", "0 to " + std::to_string(max_rank), std::to_string(from.rank), "reshape it where it comes from");
  }
  if (from.rank > 0 && from.shape == nullptr) {
    refuse("its shape", std::to_string(from.rank) + " extents", "a null pointer", "report this to who made it");
  }
  for (std::int32_t axis = 0; axis < from.rank; ++axis) {
    if (from.shape[axis] >= 0) continue;
    refuse("its shape", "extents of 0 or more", std::to_string(from.shape[axis]), "report this to who made it");
  }
  return Shape(std::span<const index_t>(from.shape, static_cast<std::size_t>(from.rank)));
}

std::size_t bytes_of(const Shape& shape, dtype element) {
  index_t bytes = 0;
  if (!__builtin_mul_overflow(shape.elements(), index_t{info(element).size_bytes}, &bytes)) {
    return static_cast<std::size_t>(bytes);
  }
  refuse("its size", "fewer than 2^63 bytes", to_text(shape), "report this to who made it");
}

void require_row_major(const dlpack::tensor& from, const Shape& shape) {
  if (from.strides == nullptr) return;
  const Shape strides(std::span<const index_t>(from.strides, static_cast<std::size_t>(from.rank)));
  if (is_row_major({shape, strides, 0})) return;
  refuse("its strides", to_text(dense_layout(shape).strides), to_text(strides),
         "make it contiguous where it comes from");
}

std::byte* address_of(const dlpack::tensor& from, std::size_t bytes, dtype element) {
  // SAFETY: only compared and added to; nobody follows it here.
  const auto data = reinterpret_cast<std::uintptr_t>(from.data);
  std::uintptr_t first = 0, end = 0;
  if (bytes == 0) return static_cast<std::byte*>(from.data);
  if (from.data == nullptr) refuse("its data", "an address", "a null pointer", "report this to who made it");
  if (__builtin_add_overflow(data, from.byte_offset, &first) || __builtin_add_overflow(first, bytes, &end)) {
    refuse("its byte offset", "an end inside of memory", std::to_string(from.byte_offset),
           "report this to who made it");
  }
  const auto size = static_cast<std::uintptr_t>(info(element).size_bytes);
  if (first % size != 0) {
    refuse("its address", "a multiple of " + std::to_string(size), std::to_string(first % size) + " bytes more",
           "copy it to aligned memory where it comes from");
  }
  return static_cast<std::byte*>(from.data) + from.byte_offset;
}

device_engine& device_of(const dlpack::device& place, device_engine* wanted) {
  const bool is_on_host = place.type == device_type::cpu || place.type == device_type::cuda_host;
  if (!is_on_host && (place.type != device_type::cuda || place.id < 0)) {
    refuse("its device", "the CPU (1), CUDA (2) or pinned memory (3)",
           "type " + std::to_string(static_cast<int>(place.type)) + ", id " + std::to_string(place.id),
           "copy it to one of these where it comes from");
  }
  if (wanted == nullptr) return is_on_host ? cpu_engine() : cuda_device(place.id).engine();
  if (wanted->cuda_index() == (is_on_host ? -1 : place.id)) return *wanted;
  refuse("its device", wanted->name(), is_on_host ? "the CPU" : "cuda:" + std::to_string(place.id),
         "name the device that it is on, then copy() it");
}

template <class Managed>
struct spent {
  void operator()(Managed* managed) const noexcept {
    if (managed->deleter != nullptr) managed->deleter(managed);
  }
};

void require_version(const DLManagedTensor&) {}
void require_version(const DLManagedTensorVersioned& managed) {
  if (managed.version.major != 1) {
    refuse("its version", "1.x", std::to_string(managed.version.major) + "." + std::to_string(managed.version.minor),
           "ask for a version 1 where it comes from");
  }
  if ((managed.flags & dlpack::flag_read_only) != 0) {
    refuse("its flags", "a tensor that may be written", "a read-only one", "copy it where it comes from");
  }
}

template <class Managed>
storage* import_tensor(Managed* given, dtype element, device_engine* device) {
  if (given == nullptr) refuse("the tensor itself", "one", "a null pointer", "give a tensor that was exported");
  std::unique_ptr<Managed, spent<Managed>> managed(given);
  require_version(*managed);
  const dlpack::tensor& from = managed->tensor;
  require_type(from.type, element);
  auto made = std::make_unique<storage>();
  made->shape = shape_of(from);
  made->element = element;
  made->size_bytes = bytes_of(made->shape, element);
  require_row_major(from, made->shape);
  made->address = address_of(from, made->size_bytes, element);
  made->device = &device_of(from.device, device);
  made->give_back = [](storage& memory) noexcept { spent<Managed>()(static_cast<Managed*>(memory.foreign)); };
  made->foreign = managed.release();
  return made.release();
}

}  // namespace

storage* import_dlpack(DLManagedTensor* managed, dtype element, device_engine* device) {
  return import_tensor(managed, element, device);
}
storage* import_dlpack(DLManagedTensorVersioned* managed, dtype element, device_engine* device) {
  return import_tensor(managed, element, device);
}

}  // namespace tilewright::detail
