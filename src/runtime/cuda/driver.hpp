// SPDX-License-Identifier: Apache-2.0
// The CUDA driver as a table of its functions, found at run time: the build needs no CUDA toolkit, and tests put a fake
// in its place. Every call goes through call(), which turns the driver's codes into errors of ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "runtime/cuda/driver_types.hpp"

namespace tilewright::cuda {

// One function of the driver with its name there, version suffix apart.
template <class... P>
struct driver_call {
  const char* name;
  result (*function)(P...) = nullptr;
};

struct driver_table {
  driver_call<unsigned> init{"cuInit"};
  driver_call<int*> driver_version{"cuDriverGetVersion"};
  driver_call<result, const char**> error_name{"cuGetErrorName"};
  driver_call<result, const char**> error_text{"cuGetErrorString"};

  driver_call<int*> device_count{"cuDeviceGetCount"};
  driver_call<device_number*, int> device_get{"cuDeviceGet"};
  driver_call<char*, int, device_number> device_name{"cuDeviceGetName"};
  driver_call<int*, device_attribute, device_number> device_attribute_of{"cuDeviceGetAttribute"};
  driver_call<std::size_t*, device_number> device_memory_bytes{"cuDeviceTotalMem"};
  driver_call<context_handle*, device_number> primary_context_retain{"cuDevicePrimaryCtxRetain"};
  driver_call<device_number> primary_context_release{"cuDevicePrimaryCtxRelease"};
  driver_call<context_handle*> context_current{"cuCtxGetCurrent"};
  driver_call<context_handle> context_set_current{"cuCtxSetCurrent"};
  driver_call<context_handle> context_push{"cuCtxPushCurrent"};
  driver_call<context_handle*> context_pop{"cuCtxPopCurrent"};

  driver_call<std::size_t*, std::size_t*> memory_info{"cuMemGetInfo"};  // free, total
  driver_call<device_address*, std::size_t> memory_allocate{"cuMemAlloc"};
  driver_call<device_address> memory_free{"cuMemFree"};
  driver_call<void**, std::size_t, unsigned> host_allocate{"cuMemHostAlloc"};
  driver_call<void*> host_free{"cuMemFreeHost"};
  driver_call<device_address*, void*, unsigned> host_device_address{"cuMemHostGetDevicePointer"};
  driver_call<device_address, const void*, std::size_t, stream_handle> copy_to_device{"cuMemcpyHtoDAsync"};
  driver_call<void*, device_address, std::size_t, stream_handle> copy_to_host{"cuMemcpyDtoHAsync"};
  driver_call<device_address, device_address, std::size_t, stream_handle> copy_on_device{"cuMemcpyDtoDAsync"};
  // to, its context, from, its context: with or without direct access of the two GPUs
  driver_call<device_address, context_handle, device_address, context_handle, std::size_t, stream_handle> copy_to_peer{
      "cuMemcpyPeerAsync"};
  driver_call<int*, device_number, device_number> peer_is_reachable{
      "cuDeviceCanAccessPeer"};                                                // the second, by the first
  driver_call<context_handle, unsigned> peer_enable{"cuCtxEnablePeerAccess"};  // for the current context
  driver_call<const rows_to_copy*, stream_handle> copy_rows{"cuMemcpy2DAsync"};
  driver_call<device_address, unsigned char, std::size_t, stream_handle> set_bytes{"cuMemsetD8Async"};
  driver_call<device_address, unsigned short, std::size_t, stream_handle> set_halves{"cuMemsetD16Async"};
  driver_call<device_address, unsigned, std::size_t, stream_handle> set_words{"cuMemsetD32Async"};

  driver_call<stream_handle*, unsigned> stream_create{"cuStreamCreate"};
  driver_call<stream_handle> stream_destroy{"cuStreamDestroy"};
  driver_call<stream_handle> stream_synchronize{"cuStreamSynchronize"};
  driver_call<stream_handle> stream_query{"cuStreamQuery"};
  driver_call<stream_handle, event_handle, unsigned> stream_wait_event{"cuStreamWaitEvent"};
  driver_call<stream_handle, device_address, std::uint32_t, unsigned> stream_wait_value{"cuStreamWaitValue32"};
  driver_call<event_handle*, unsigned> event_create{"cuEventCreate"};
  driver_call<event_handle> event_destroy{"cuEventDestroy"};
  driver_call<event_handle, stream_handle> event_record{"cuEventRecord"};
  driver_call<event_handle> event_synchronize{"cuEventSynchronize"};
  driver_call<event_handle> event_query{"cuEventQuery"};
  driver_call<float*, event_handle, event_handle> event_elapsed_ms{"cuEventElapsedTime"};

  driver_call<module_handle*, const void*> module_load{"cuModuleLoadData"};
  driver_call<module_handle> module_unload{"cuModuleUnload"};
  driver_call<function_handle*, module_handle, const char*> module_function{"cuModuleGetFunction"};
  driver_call<int*, function_attribute, function_handle> function_attribute_of{"cuFuncGetAttribute"};
  // Offset and size of a parameter; invalid_value past the last one.
  driver_call<function_handle, std::size_t, std::size_t*, std::size_t*> function_parameter{"cuFuncGetParamInfo"};
  driver_call<function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, stream_handle,
              void**, void**>
      launch{"cuLaunchKernel"};
  driver_call<const launch_config*, function_handle, void**, void**> launch_with{"cuLaunchKernelEx"};

  driver_call<graph_handle*, unsigned> graph_create{"cuGraphCreate"};
  driver_call<graph_handle> graph_destroy{"cuGraphDestroy"};
  // node, graph, dependencies, their edges (null: ordinary ones), their count, what it does
  driver_call<graph_node_handle*, graph_handle, const graph_node_handle*, const graph_edge*, std::size_t,
              graph_node_params*>
      graph_add{"cuGraphAddNode"};
  driver_call<graph_exec_handle*, graph_handle, unsigned long long> graph_instantiate{"cuGraphInstantiateWithFlags"};
  driver_call<graph_exec_handle> graph_exec_destroy{"cuGraphExecDestroy"};
  driver_call<graph_exec_handle, graph_node_handle, const kernel_node_params*> graph_set_kernel{
      "cuGraphExecKernelNodeSetParams"};
  driver_call<graph_exec_handle, graph_handle, graph_update_result*> graph_exec_update{"cuGraphExecUpdate"};
  driver_call<graph_exec_handle, stream_handle> graph_upload{"cuGraphUpload"};
  driver_call<graph_exec_handle, stream_handle> graph_launch{"cuGraphLaunch"};
};

// Calls visit(entry) for each entry of a table.
template <class Table, class Visit>
void each_call(Table& table, Visit visit) {
  const auto visit_all = [&](auto&... entries) { (visit(entries), ...); };
  visit_all(table.init, table.driver_version, table.error_name, table.error_text, table.device_count, table.device_get,
            table.device_name, table.device_attribute_of, table.device_memory_bytes, table.primary_context_retain,
            table.primary_context_release, table.context_current, table.context_set_current, table.context_push,
            table.context_pop, table.memory_info, table.memory_allocate, table.memory_free, table.host_allocate,
            table.host_free, table.host_device_address, table.copy_to_device, table.copy_to_host, table.copy_on_device,
            table.copy_to_peer, table.peer_is_reachable, table.peer_enable, table.copy_rows, table.set_bytes,
            table.set_halves, table.set_words, table.stream_create, table.stream_destroy, table.stream_synchronize,
            table.stream_query, table.stream_wait_event, table.stream_wait_value, table.event_create,
            table.event_destroy, table.event_record, table.event_synchronize, table.event_query, table.event_elapsed_ms,
            table.module_load, table.module_unload, table.module_function, table.function_attribute_of,
            table.function_parameter, table.launch, table.launch_with, table.graph_create, table.graph_destroy,
            table.graph_add, table.graph_instantiate, table.graph_exec_destroy, table.graph_set_kernel,
            table.graph_exec_update, table.graph_upload, table.graph_launch);
}
// An entry that each_call() forgets would stay null.
inline constexpr std::size_t driver_calls = sizeof(driver_table) / sizeof(driver_call<unsigned>);

// The driver of this machine, initialised once. Throws runtime_error that names what is missing.
const driver_table& loaded_driver();

// Throws out_of_memory or driver_error: the call, the code's name, and what to do.
[[noreturn]] void refuse(const driver_table& driver, const char* call_name, result code);

// After these no later call on the context succeeds.
bool is_fatal(result code) noexcept;

template <class... P>
void call(const driver_table& driver, const driver_call<P...>& entry, std::type_identity_t<P>... arguments) {
  const result code = entry.function(arguments...);
  if (code != result::success) [[unlikely]]
    refuse(driver, entry.name, code);
}

}  // namespace tilewright::cuda
