// SPDX-License-Identifier: Apache-2.0
// A CUDA driver for tests on machines without a GPU: it fills the same table, keeps device memory in host memory, runs
// kernels that tests give as functions, and notes what a real driver would leave undefined. Machine code for it is the
// text "fake:" and the kernel's symbol.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "runtime/cuda/driver.hpp"
#include "support/fake_gpu.hpp"

namespace tilewright::test {

struct fake_kernel {
  std::vector<bool> is_pointer;  // one for each parameter
  std::function<void(std::uint32_t grid, const std::uint64_t* words)> run;
};

// One at a time.
class fake_driver {
 public:
  explicit fake_driver(int devices = 1);
  fake_driver(const fake_driver&) = delete;
  fake_driver& operator=(const fake_driver&) = delete;
  ~fake_driver();

  const cuda::driver_table& table() const { return table_; }
  fake_gpu& gpu() { return gpu_; }
  void add_kernel(const std::string& symbol, fake_kernel kernel);
  static std::vector<std::byte> code_of(const std::string& symbol);

  // The n-th call from now on, counted from 1, does nothing and gives `code`. Calls that only give something back
  // (free, destroy, unload) are not counted: nobody can act on their failure.
  void fail_call(std::int64_t n, cuda::result code);
  void fail_next(const std::string& call_name, cuda::result code);
  // From now on every call gives `code`, as after a trap in a kernel.
  void lose_context(cuda::result code);
  std::int64_t calls() const { return calls_; }
  const std::string& failed_call() const { return failed_call_; }  // the last one that was made to fail

  // Everything that was made and not given back: one line each.
  std::vector<std::string> leaks() const;
  // With the lock that the driver's functions take.
  void run_all();
  void set_delayed(bool is_delayed);
  void set_peers_reachable(bool are_reachable);
  std::vector<std::string> faults() const;
  std::vector<std::string> journal() const;

 private:
  template <auto Method>
  struct entry;
  template <auto Method, class Call>
  void serve(Call& call);
  void fill_table();
  void fill_graph_table();
  cuda::result begin(const char* name);
  cuda::result misuse(const std::string& text);

  struct fake_event {
    std::shared_ptr<fake_point> last{};  // null: never recorded
    const void* context = nullptr;
  };
  struct fake_function {
    std::string symbol;
    const fake_kernel* kernel;
  };
  struct fake_module {
    std::string symbol;
    std::unique_ptr<fake_function> function;
  };
  struct fake_node {
    cuda::graph_node_type type;
    const fake_function* function = nullptr;
    std::uint32_t grid = 0;
    std::vector<std::uint64_t> words{};
    std::vector<const fake_node*> after{};
    cuda::rows_to_copy rows{};  // of a copy
  };
  struct fake_graph {
    std::vector<std::shared_ptr<fake_node>> nodes;  // in the order of making, which is one that edges allow
  };
  struct fake_exec {
    std::vector<std::shared_ptr<fake_node>> originals;
    std::vector<fake_node> nodes;
  };

  template <class Object, class Handle>
  Object* find(const std::map<const void*, std::unique_ptr<Object>>& objects, Handle handle, const char* what);
  fake_timeline* timeline(cuda::stream_handle stream);
  fake_work launch_work(const fake_function& function, std::uint32_t grid, std::vector<std::uint64_t> words);
  cuda::result enqueue(cuda::function_handle function, std::uint32_t grid, bool is_single, cuda::stream_handle stream,
                       void** parameters, const char* how);
  bool read_node(const cuda::kernel_node_params& params, fake_node& node);
  bool read_node(const cuda::copy_node_params& params, fake_node& node);
  bool submit_rows(fake_timeline& stream, const cuda::rows_to_copy& rows, bool& is_pinned);
  static std::string describe(const fake_graph& graph, const fake_node& node, bool is_early);
  bool is_current() const;
  static const void* current_context();
  bool is_in(const void* context, std::uint64_t address, const char* what);

  // ---- The driver's functions
  cuda::result init(unsigned);
  cuda::result driver_version(int*);
  cuda::result device_count(int*);
  cuda::result device_get(cuda::device_number*, int);
  cuda::result device_name(char*, int, cuda::device_number);
  cuda::result device_attribute_of(int*, cuda::device_attribute, cuda::device_number);
  cuda::result device_memory_bytes(std::size_t*, cuda::device_number);
  cuda::result primary_context_retain(cuda::context_handle*, cuda::device_number);
  cuda::result primary_context_release(cuda::device_number);
  cuda::result context_current(cuda::context_handle*);
  cuda::result context_set_current(cuda::context_handle);
  cuda::result context_push(cuda::context_handle);
  cuda::result context_pop(cuda::context_handle*);
  cuda::result memory_info(std::size_t*, std::size_t*);
  cuda::result memory_allocate(cuda::device_address*, std::size_t);
  cuda::result memory_free(cuda::device_address);
  cuda::result host_allocate(void**, std::size_t, unsigned);
  cuda::result host_free(void*);
  cuda::result host_device_address(cuda::device_address*, void*, unsigned);
  cuda::result copy_to_device(cuda::device_address, const void*, std::size_t, cuda::stream_handle);
  cuda::result copy_to_host(void*, cuda::device_address, std::size_t, cuda::stream_handle);
  cuda::result copy_on_device(cuda::device_address, cuda::device_address, std::size_t, cuda::stream_handle);
  cuda::result copy_to_peer(cuda::device_address, cuda::context_handle, cuda::device_address, cuda::context_handle,
                            std::size_t, cuda::stream_handle);
  cuda::result peer_is_reachable(int*, cuda::device_number, cuda::device_number);
  cuda::result peer_enable(cuda::context_handle, unsigned);
  cuda::result copy_rows(const cuda::rows_to_copy*, cuda::stream_handle);
  template <class Word>
  cuda::result set(cuda::device_address, Word, std::size_t, cuda::stream_handle);
  cuda::result stream_create(cuda::stream_handle*, unsigned);
  cuda::result stream_destroy(cuda::stream_handle);
  cuda::result stream_synchronize(cuda::stream_handle);
  cuda::result stream_query(cuda::stream_handle);
  cuda::result stream_wait_event(cuda::stream_handle, cuda::event_handle, unsigned);
  cuda::result stream_wait_value(cuda::stream_handle, cuda::device_address, std::uint32_t, unsigned);
  cuda::result event_create(cuda::event_handle*, unsigned);
  cuda::result event_destroy(cuda::event_handle);
  cuda::result event_record(cuda::event_handle, cuda::stream_handle);
  cuda::result event_synchronize(cuda::event_handle);
  cuda::result event_query(cuda::event_handle);
  cuda::result event_elapsed_ms(float*, cuda::event_handle, cuda::event_handle);
  cuda::result module_load(cuda::module_handle*, const void*);
  cuda::result module_unload(cuda::module_handle);
  cuda::result module_function(cuda::function_handle*, cuda::module_handle, const char*);
  cuda::result function_attribute_of(int*, cuda::function_attribute, cuda::function_handle);
  cuda::result function_parameter(cuda::function_handle, std::size_t, std::size_t*, std::size_t*);
  cuda::result launch(cuda::function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      cuda::stream_handle, void**, void**);
  cuda::result launch_with(const cuda::launch_config*, cuda::function_handle, void**, void**);
  cuda::result graph_create(cuda::graph_handle*, unsigned);
  cuda::result graph_destroy(cuda::graph_handle);
  cuda::result graph_add(cuda::graph_node_handle*, cuda::graph_handle, const cuda::graph_node_handle*,
                         const cuda::graph_edge*, std::size_t, cuda::graph_node_params*);
  cuda::result graph_instantiate(cuda::graph_exec_handle*, cuda::graph_handle, unsigned long long);
  cuda::result graph_exec_destroy(cuda::graph_exec_handle);
  cuda::result graph_set_kernel(cuda::graph_exec_handle, cuda::graph_node_handle, const cuda::kernel_node_params*);
  cuda::result graph_exec_update(cuda::graph_exec_handle, cuda::graph_handle, cuda::graph_update_result*);
  cuda::result graph_upload(cuda::graph_exec_handle, cuda::stream_handle);
  cuda::result graph_launch(cuda::graph_exec_handle, cuda::stream_handle);

  static inline fake_driver* current_ = nullptr;
  cuda::driver_table table_;
  const int devices_;
  bool peers_are_reachable_ = true;
  mutable std::recursive_mutex mutex_;
  fake_gpu gpu_;
  std::map<std::string, fake_kernel> kernels_;
  std::map<const void*, std::unique_ptr<fake_event>> events_;
  std::map<const void*, std::unique_ptr<fake_module>> modules_;
  std::map<const void*, const fake_function*> functions_;
  std::map<const void*, std::unique_ptr<fake_graph>> graphs_;
  std::map<const void*, std::unique_ptr<fake_exec>> execs_;
  std::vector<int> contexts_;                            // by device: how often retained
  std::set<std::pair<const void*, const void*>> peers_;  // contexts: the first reaches the second
  std::int64_t calls_ = 0, failing_call_ = 0;
  std::string failing_name_, failed_call_;
  cuda::result failing_code_ = cuda::result::unknown, lost_code_ = cuda::result::success;
};

// The static function behind an entry of the table: the driver's functions have no room for an object.
template <class... P, cuda::result (fake_driver::*Method)(P...)>
struct fake_driver::entry<Method> {
  static inline const char* name = nullptr;
  static cuda::result call(P... arguments) {
    fake_driver& driver = *current_;
    const std::lock_guard lock(driver.mutex_);
    const cuda::result code = driver.begin(name);
    return code != cuda::result::success ? code : (driver.*Method)(arguments...);
  }
};

template <auto Method, class Call>
void fake_driver::serve(Call& call) {
  entry<Method>::name = call.name;
  call.function = entry<Method>::call;
}

template <class Object, class Handle>
Object* fake_driver::find(const std::map<const void*, std::unique_ptr<Object>>& objects, Handle handle,
                          const char* what) {
  const auto found = objects.find(handle);
  if (found != objects.end()) return found->second.get();
  gpu_.fault(std::string(what) + " that is not there was used");
  return nullptr;
}

}  // namespace tilewright::test
