// SPDX-License-Identifier: Apache-2.0
// The structures of the DLPack ABI, versions 0.8 and 1.x, as libraries exchange them. Declared here: Debian 12 packages
// 0.6, from before booleans and versions.
#pragma once

#include <cstddef>
#include <cstdint>

struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace tilewright::dlpack {

enum class device_type : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3 };
enum class type_code : std::uint8_t {
  integer = 0,
  unsigned_integer = 1,
  floating = 2,
  bfloat = 4,
  boolean = 6,
  float8_e4m3fn = 10,  // this and the next ones from 1.1 on
  float8_e5m2 = 12,
  float8_e8m0fnu = 14
};

struct device {
  device_type type;
  std::int32_t id;
};
struct data_type {
  type_code code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct tensor {
  void* data;
  dlpack::device device;
  std::int32_t rank;
  data_type type;
  std::int64_t* shape;
  std::int64_t* strides;  // of elements; null: row-major
  std::uint64_t byte_offset;
};
static_assert(sizeof(tensor) == 48 && offsetof(tensor, shape) == 24);

struct version {
  std::uint32_t major, minor;
};
inline constexpr std::uint64_t flag_read_only = 1;

}  // namespace tilewright::dlpack

struct DLManagedTensor {
  tilewright::dlpack::tensor tensor;
  void* context;
  void (*deleter)(DLManagedTensor* self);  // may be null
};
static_assert(sizeof(DLManagedTensor) == 64);

struct DLManagedTensorVersioned {
  tilewright::dlpack::version version;  // of another major number: only this and the deleter are known
  void* context;
  void (*deleter)(DLManagedTensorVersioned* self);
  std::uint64_t flags;
  tilewright::dlpack::tensor tensor;
};
static_assert(sizeof(DLManagedTensorVersioned) == 80 && offsetof(DLManagedTensorVersioned, tensor) == 32);
