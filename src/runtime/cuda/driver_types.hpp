// SPDX-License-Identifier: Apache-2.0
// Types of the CUDA driver's C interface, declared anew from its published layout, so that the build needs no CUDA
// toolkit. Only what is used; sizes and offsets are asserted. Enumerations keep the driver's numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilewright::cuda {

// CUresult. Names of the others come from the driver itself.
enum class result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  deinitialized = 4,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  ecc_uncorrectable = 214,
  peer_access_unsupported = 217,
  nvlink_uncorrectable = 220,
  unsupported_ptx_version = 222,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_access_already_enabled = 704,
  context_is_destroyed = 709,
  assertion = 710,
  hardware_stack_error = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_pc = 718,
  launch_failed = 719,
  not_permitted = 800,
  not_supported = 801,
  system_not_ready = 802,
  system_driver_mismatch = 803,
  graph_exec_update_failure = 910,
  unknown = 999,
};

using context_handle = struct opaque_context*;
using module_handle = struct opaque_module*;
using function_handle = struct opaque_function*;
using stream_handle = struct opaque_stream*;
using event_handle = struct opaque_event*;
using graph_handle = struct opaque_graph*;
using graph_node_handle = struct opaque_graph_node*;
using graph_exec_handle = struct opaque_graph_exec*;
using device_number = int;
using device_address = std::uint64_t;

enum class device_attribute : int {
  multiprocessor_count = 16,
  compute_capability_major = 75,
  compute_capability_minor = 76,
};

enum class function_attribute : int { shared_size_bytes = 1, local_size_bytes = 3, registers = 4 };

inline constexpr unsigned stream_non_blocking = 1;
inline constexpr unsigned wait_value_at_least = 0;  // as a difference of 32 bits that may wrap
inline constexpr unsigned event_default = 0, event_disable_timing = 2;
inline constexpr unsigned host_memory_portable = 1, host_memory_mapped = 2;

// ---- Copies of rows ------------------------------------------------------------------------------------------------
enum class memory_type : int { host = 1, device = 2 };

// One side of CUDA_MEMCPY2D.
struct memory_rows {
  std::size_t first_byte_of_row, first_row;
  memory_type type;
  device_address host;  // a pointer of the host
  device_address device;
  void* array;
  std::size_t pitch;  // bytes from row to row
};
struct rows_to_copy {
  memory_rows from, to;
  std::size_t width_bytes, height;
};
static_assert(sizeof(rows_to_copy) == 128 && offsetof(memory_rows, host) == 24 && offsetof(memory_rows, pitch) == 48);

// ---- Launches ------------------------------------------------------------------------------------------------------
enum class launch_attribute_id : unsigned { programmatic_stream_serialization = 6 };

struct launch_attribute {
  launch_attribute_id id;
  char unused[4];
  union {
    char bytes[64];
    int number;
  } value;
};
static_assert(sizeof(launch_attribute) == 72 && offsetof(launch_attribute, value) == 8);

struct launch_config {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_memory_bytes;
  stream_handle stream;
  launch_attribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(launch_config) == 56 && offsetof(launch_config, stream) == 32);

// ---- Graphs --------------------------------------------------------------------------------------------------------
// CUDA_KERNEL_NODE_PARAMS, version 2 (and 3, which is the same).
struct kernel_node_params {
  function_handle function;
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_memory_bytes;
  void** parameters;
  void** extra;
  void* kernel;            // of a library; read where `function` is null
  context_handle context;  // null: the current one
};
static_assert(sizeof(kernel_node_params) == 72 && offsetof(kernel_node_params, parameters) == 40);

// One side of CUDA_MEMCPY3D: memory_rows in layers, of which copies of ours have one.
struct memory_layers {
  std::size_t first_byte_of_row, first_row, first_layer, level;
  memory_type type;
  device_address host;
  device_address device;
  void* array;
  void* reserved;
  std::size_t pitch, rows_of_layer;
};
// CUDA_MEMCPY_NODE_PARAMS.
struct copy_node_params {
  int flags, reserved;
  context_handle context;  // on whose behalf
  memory_layers from, to;
  std::size_t width_bytes, height, depth;
};
static_assert(sizeof(copy_node_params) == 216 && offsetof(copy_node_params, from) == 16);
static_assert(sizeof(memory_layers) == 88 && offsetof(memory_layers, host) == 40);

enum class graph_node_type : int { kernel = 0, copy = 1, empty = 5 };

struct graph_node_params {
  graph_node_type type;
  int reserved_first[3];
  union {
    std::int64_t reserved[29];
    kernel_node_params kernel;
    copy_node_params copy;
  };
  std::int64_t reserved_last;
};
static_assert(sizeof(graph_node_params) == 256 && offsetof(graph_node_params, kernel) == 16);

// An edge; all zero is the ordinary one. A programmatic edge leaves at `port_programmatic` of a kernel node: where all
// its blocks have launched their dependents, or ended.
struct graph_edge {
  static constexpr std::uint8_t port_programmatic = 1, type_programmatic = 1;
  std::uint8_t from_port, to_port, type;
  std::uint8_t reserved[5];
};
static_assert(sizeof(graph_edge) == 8);

struct graph_update_result {
  int code;
  graph_node_handle error_node;
  graph_node_handle error_from_node;
};
static_assert(sizeof(graph_update_result) == 24);

}  // namespace tilewright::cuda
