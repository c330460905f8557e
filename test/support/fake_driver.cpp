// SPDX-License-Identifier: Apache-2.0
#include "support/fake_driver.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <utility>

namespace tilewright::test {
namespace {

using cuda::result;

// SAFETY, for the casts below: handles of the fake are addresses of its own objects; device addresses are addresses of
// its blocks in host memory, which the driver's functions check before they follow them.
template <class Handle, class Object>
Handle handle_of(Object* object) {
  return reinterpret_cast<Handle>(object);
}
std::byte* memory_at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

thread_local std::vector<cuda::context_handle> context_stack;

const std::set<std::string> givers_back = {"cuMemFree",       "cuMemFreeHost",  "cuStreamDestroy",
                                           "cuEventDestroy",  "cuModuleUnload", "cuDevicePrimaryCtxRelease",
                                           "cuCtxPopCurrent", "cuGraphDestroy", "cuGraphExecDestroy"};
const std::set<std::string> without_context = {
    "cuInit",           "cuDriverGetVersion",       "cuDeviceGetCount",
    "cuDeviceGet",      "cuDeviceGetName",          "cuDeviceGetAttribute",
    "cuDeviceTotalMem", "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease",
    "cuCtxGetCurrent",  "cuCtxSetCurrent",          "cuCtxPushCurrent",
    "cuCtxPopCurrent",  "cuDeviceCanAccessPeer"};
// Refused without a context, as all are; but callers may try.
const std::set<std::string> may_try = {"cuLaunchKernel", "cuLaunchKernelEx", "cuGraphLaunch"};

template <class Object, class Handle>
result make(std::map<const void*, std::unique_ptr<Object>>& objects, Handle* handle) {
  auto made = std::make_unique<Object>();
  *handle = handle_of<Handle>(made.get());
  objects.emplace(made.get(), std::move(made));
  return result::success;
}

result name_of(result code, const char** text) {
  static thread_local std::string name;
  name = "FAKE_CODE_" + std::to_string(static_cast<int>(code));
  *text = name.c_str();
  return result::success;
}

}  // namespace

fake_driver::fake_driver(int devices) : devices_(devices), contexts_(static_cast<std::size_t>(devices)) {
  current_ = this;
  fill_table();
  fill_graph_table();
  gpu_.give_way = [this] {
    mutex_.unlock();
    std::this_thread::yield();
    mutex_.lock();
  };
}

fake_driver::~fake_driver() { current_ = nullptr; }

// ---- For tests -----------------------------------------------------------------------------------------------------
void fake_driver::add_kernel(const std::string& symbol, fake_kernel kernel) {
  const std::lock_guard lock(mutex_);
  kernels_[symbol] = std::move(kernel);
}

std::vector<std::byte> fake_driver::code_of(const std::string& symbol) {
  const std::string text = "fake:" + symbol;
  std::vector<std::byte> code(text.size() + 1);
  std::memcpy(code.data(), text.c_str(), code.size());
  return code;
}

void fake_driver::fail_call(std::int64_t n, result code) {
  const std::lock_guard lock(mutex_);
  failing_call_ = calls_ + n;
  failing_code_ = code;
}

void fake_driver::fail_next(const std::string& call_name, result code) {
  const std::lock_guard lock(mutex_);
  failing_name_ = call_name;
  failing_code_ = code;
}

void fake_driver::lose_context(result code) {
  const std::lock_guard lock(mutex_);
  lost_code_ = code;
}

std::vector<std::string> fake_driver::leaks() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> found;
  const auto note = [&](std::size_t count, const char* what) {
    if (count > 0) found.push_back(std::to_string(count) + " " + what);
  };
  note(gpu_.blocks(), "blocks of memory");
  note(gpu_.host_blocks(), "blocks of pinned memory");
  note(gpu_.streams(), "streams");
  note(events_.size(), "events");
  note(modules_.size(), "modules");
  note(graphs_.size(), "graphs");
  note(execs_.size(), "instantiated graphs");
  for (const int retained : contexts_) note(static_cast<std::size_t>(retained), "uses of a context");
  return found;
}

void fake_driver::run_all() {
  const std::lock_guard lock(mutex_);
  gpu_.run_all();
}

void fake_driver::set_delayed(bool is_delayed) {
  const std::lock_guard lock(mutex_);
  gpu_.is_delayed = is_delayed;
}

void fake_driver::set_peers_reachable(bool are_reachable) {
  const std::lock_guard lock(mutex_);
  peers_are_reachable_ = are_reachable;
}

std::vector<std::string> fake_driver::faults() const {
  const std::lock_guard lock(mutex_);
  return gpu_.faults;
}

std::vector<std::string> fake_driver::journal() const {
  const std::lock_guard lock(mutex_);
  return gpu_.journal;
}

// ---- Before every call ---------------------------------------------------------------------------------------------
result fake_driver::begin(const char* name) {
  if (without_context.count(name) == 0 && !is_current()) {
    if (may_try.count(name) == 1) return result::invalid_context;
    return gpu_.fault(std::string(name) + " without a current context"), result::invalid_context;
  }
  if (lost_code_ != result::success && without_context.count(name) == 0) return lost_code_;
  if (givers_back.count(name) == 1) return result::success;
  ++calls_;
  if (calls_ != failing_call_ && failing_name_ != name) return result::success;
  if (failing_name_ == name) failing_name_.clear();
  failed_call_ = name;
  return failing_code_;
}

result fake_driver::misuse(const std::string& text) {
  gpu_.fault(text);
  return result::invalid_value;
}

bool fake_driver::is_current() const {
  if (context_stack.empty() || context_stack.back() == nullptr) return false;
  return std::any_of(contexts_.begin(), contexts_.end(), [](const int& retained) {
    return context_stack.back() == handle_of<cuda::context_handle>(const_cast<int*>(&retained)) && retained > 0;
  });
}

const void* fake_driver::current_context() { return context_stack.empty() ? nullptr : context_stack.back(); }

// Memory and streams are of the context in which they were made.
bool fake_driver::is_in(const void* context, std::uint64_t address, const char* what) {
  const void* owner = gpu_.context_of(address);
  if (owner == context || peers_.count({context, owner}) == 1) return true;
  gpu_.fault(std::string(what) + " of memory of another GPU");
  return false;
}

// ---- Devices and contexts ------------------------------------------------------------------------------------------
result fake_driver::init(unsigned) { return result::success; }
result fake_driver::driver_version(int* version) { return *version = 13'000, result::success; }
result fake_driver::device_count(int* count) { return *count = devices_, result::success; }
result fake_driver::device_get(cuda::device_number* device, int index) {
  if (index < 0 || index >= devices_) return result::invalid_device;
  return *device = index, result::success;
}
result fake_driver::device_name(char* name, int size, cuda::device_number) {
  std::strncpy(name, "fake", static_cast<std::size_t>(size));
  return result::success;
}
// An 8.6 with 4 multiprocessors: no machine of ours has one, so no real image is taken for one of the fake.
result fake_driver::device_attribute_of(int* value, cuda::device_attribute wanted, cuda::device_number) {
  *value = wanted == cuda::device_attribute::compute_capability_major   ? 8
           : wanted == cuda::device_attribute::compute_capability_minor ? 6
                                                                        : 4;
  return result::success;
}
result fake_driver::device_memory_bytes(std::size_t* size, cuda::device_number) {
  return *size = gpu_.memory_bytes, result::success;
}
result fake_driver::primary_context_retain(cuda::context_handle* context, cuda::device_number device) {
  int& retained = contexts_[static_cast<std::size_t>(device)];
  ++retained;
  return *context = handle_of<cuda::context_handle>(&retained), result::success;
}
result fake_driver::primary_context_release(cuda::device_number device) {
  int& retained = contexts_[static_cast<std::size_t>(device)];
  if (retained == 0) return misuse("a context was released more often than retained");
  --retained;
  return result::success;
}
result fake_driver::context_current(cuda::context_handle* context) {
  return *context = context_stack.empty() ? nullptr : context_stack.back(), result::success;
}
result fake_driver::context_set_current(cuda::context_handle context) {
  if (context_stack.empty()) context_stack.push_back(nullptr);
  return context_stack.back() = context, result::success;
}
result fake_driver::context_push(cuda::context_handle context) {
  return context_stack.push_back(context), result::success;
}
result fake_driver::context_pop(cuda::context_handle* context) {
  if (context_stack.empty()) return misuse("a context was popped that was not pushed");
  *context = context_stack.back();
  context_stack.pop_back();
  return result::success;
}

// ---- Memory --------------------------------------------------------------------------------------------------------
result fake_driver::memory_info(std::size_t* free, std::size_t* total) {
  *total = gpu_.memory_bytes;
  return *free = gpu_.memory_bytes - gpu_.bytes_in_use(), result::success;
}
result fake_driver::memory_allocate(cuda::device_address* address, std::size_t size_bytes) {
  if (size_bytes == 0) return misuse("0 bytes were allocated");
  *address = gpu_.allocate(size_bytes, current_context());
  return *address != 0 ? result::success : result::out_of_memory;
}
result fake_driver::memory_free(cuda::device_address address) {
  return gpu_.free(address) ? result::success : result::invalid_value;
}
result fake_driver::host_allocate(void** address, std::size_t size_bytes, unsigned) {
  return *address = gpu_.allocate_host(size_bytes), result::success;
}
result fake_driver::host_free(void* address) {
  return gpu_.free_host(address) ? result::success : result::invalid_value;
}
result fake_driver::host_device_address(cuda::device_address* to, void* from, unsigned) {
  if (!gpu_.is_pinned(from)) return misuse("the device address of memory that is not pinned");
  return *to = reinterpret_cast<std::uint64_t>(from), result::success;
}

// Memory that is not pinned is read, or written, before the call returns.
result fake_driver::copy_to_device(cuda::device_address to, const void* from, std::size_t size,
                                   cuda::stream_handle handle) {
  fake_timeline* stream = timeline(handle);
  if (stream == nullptr || !gpu_.covers(to, size)) return misuse("a copy outside of live memory");
  gpu_.require_at_rest(*stream, to, "a copy");
  gpu_.submit(*stream, {"copy to device", [=] { std::memcpy(memory_at(to), from, size); }, nullptr, {to}});
  if (!gpu_.is_pinned(from)) gpu_.run(*stream);
  return result::success;
}
result fake_driver::copy_to_host(void* to, cuda::device_address from, std::size_t size, cuda::stream_handle handle) {
  fake_timeline* stream = timeline(handle);
  if (stream == nullptr || !gpu_.covers(from, size)) return misuse("a copy outside of live memory");
  gpu_.submit(*stream, {"copy to host", [=] { std::memcpy(to, memory_at(from), size); }, nullptr, {from}});
  if (!gpu_.is_pinned(to)) gpu_.run(*stream);
  return result::success;
}
result fake_driver::copy_on_device(cuda::device_address to, cuda::device_address from, std::size_t size,
                                   cuda::stream_handle handle) {
  fake_timeline* stream = timeline(handle);
  if (stream == nullptr || !gpu_.covers(to, size) || !gpu_.covers(from, size)) {
    return misuse("a copy outside of live memory");
  }
  gpu_.require_at_rest(*stream, to, "a copy");
  gpu_.submit(*stream, {"copy", [=] { std::memmove(memory_at(to), memory_at(from), size); }, nullptr, {to, from}});
  return result::success;
}
result fake_driver::copy_to_peer(cuda::device_address to, cuda::context_handle to_context, cuda::device_address from,
                                 cuda::context_handle from_context, std::size_t size, cuda::stream_handle handle) {
  fake_timeline* stream = timeline(handle);
  if (stream == nullptr || !gpu_.covers(to, size) || !gpu_.covers(from, size)) {
    return misuse("a copy outside of live memory");
  }
  if (gpu_.context_of(to) != to_context || gpu_.context_of(from) != from_context) {
    return misuse("a peer copy with another context than its memory's");
  }
  gpu_.require_at_rest(*stream, to, "a peer copy");
  gpu_.journal.push_back("peer copy on " + std::to_string(gpu_.number_of(stream)));
  gpu_.submit(*stream, {"peer copy", [=] { std::memcpy(memory_at(to), memory_at(from), size); }, nullptr, {to, from}});
  return result::success;
}
result fake_driver::peer_is_reachable(int* is_reachable, cuda::device_number, cuda::device_number) {
  return *is_reachable = peers_are_reachable_ ? 1 : 0, result::success;
}
result fake_driver::peer_enable(cuda::context_handle peer, unsigned) {
  if (!peers_are_reachable_) return result::peer_access_unsupported;
  if (!peers_.insert({current_context(), peer}).second) return result::peer_access_already_enabled;
  return result::success;
}
// False, and a fault, where memory or rows are not as they must be.
bool fake_driver::submit_rows(fake_timeline& stream, const cuda::rows_to_copy& rows, bool& is_pinned) {
  const auto refuse = [&](const char* why) { return gpu_.fault(why), false; };
  fake_work work{"copy rows",
                 [copied = rows] {
                   const auto address = [](const cuda::memory_rows& side) {
                     return memory_at(side.type == cuda::memory_type::host ? side.host : side.device);
                   };
                   for (std::size_t row = 0; row < copied.height; ++row) {
                     std::memmove(address(copied.to) + row * copied.to.pitch,
                                  address(copied.from) + row * copied.from.pitch, copied.width_bytes);
                   }
                 },
                 nullptr};
  is_pinned = true;
  for (const cuda::memory_rows* side : {&rows.from, &rows.to}) {
    if (side->pitch < rows.width_bytes) return refuse("rows that overlap were copied");
    if (side->type == cuda::memory_type::host) {
      is_pinned = is_pinned && gpu_.is_pinned(memory_at(side->host));
      continue;
    }
    const std::size_t size = rows.height == 0 ? 0 : (rows.height - 1) * side->pitch + rows.width_bytes;
    if (!gpu_.covers(side->device, size)) return refuse("a copy outside of live memory");
    work.addresses.push_back(side->device);
  }
  if (rows.to.type == cuda::memory_type::device) gpu_.require_at_rest(stream, rows.to.device, "a copy");
  gpu_.submit(stream, std::move(work));
  return true;
}
result fake_driver::copy_rows(const cuda::rows_to_copy* rows, cuda::stream_handle handle) {
  fake_timeline* stream = timeline(handle);
  if (stream == nullptr) return result::invalid_handle;
  bool is_pinned = true;
  if (!submit_rows(*stream, *rows, is_pinned)) return result::invalid_value;
  if (!is_pinned) gpu_.run(*stream);
  return result::success;
}
template <class Word>
result fake_driver::set(cuda::device_address to, Word word, std::size_t count, cuda::stream_handle handle) {
  fake_timeline* stream = timeline(handle);
  if (stream == nullptr || !gpu_.covers(to, count * sizeof(Word))) return misuse("a set outside of live memory");
  if (to % sizeof(Word) != 0) return misuse("a set of words that are not aligned");
  gpu_.require_at_rest(*stream, to, "a set");
  gpu_.submit(*stream, {"set",
                        [=] {
                          for (std::size_t i = 0; i < count; ++i) {
                            std::memcpy(memory_at(to) + i * sizeof(Word), &word, sizeof(Word));
                          }
                        },
                        nullptr,
                        {to}});
  return result::success;
}

// ---- Streams and events --------------------------------------------------------------------------------------------
fake_timeline* fake_driver::timeline(cuda::stream_handle stream) {
  auto* found = reinterpret_cast<fake_timeline*>(stream);
  if (gpu_.has_stream(found)) return found;
  gpu_.fault("a stream that is not there was used");
  return nullptr;
}
result fake_driver::stream_create(cuda::stream_handle* stream, unsigned flags) {
  if (flags != cuda::stream_non_blocking) return misuse("a stream that waits for the default stream");
  return *stream = handle_of<cuda::stream_handle>(gpu_.make_stream(current_context())), result::success;
}
result fake_driver::stream_destroy(cuda::stream_handle stream) {
  return gpu_.destroy_stream(reinterpret_cast<fake_timeline*>(stream)) ? result::success : result::invalid_handle;
}
result fake_driver::stream_synchronize(cuda::stream_handle handle) {
  fake_timeline* stream = timeline(handle);
  if (stream == nullptr) return result::invalid_handle;
  return gpu_.run(*stream), result::success;
}
result fake_driver::stream_query(cuda::stream_handle handle) {
  fake_timeline* stream = timeline(handle);
  if (stream == nullptr) return result::invalid_handle;
  if (!gpu_.is_delayed) gpu_.run_ready(*stream);
  return gpu_.is_idle(*stream) ? result::success : result::not_ready;
}
result fake_driver::stream_wait_event(cuda::stream_handle handle, cuda::event_handle event, unsigned) {
  fake_timeline* stream = timeline(handle);
  const fake_event* found = find(events_, event, "an event");
  if (stream == nullptr || found == nullptr) return result::invalid_handle;
  if (found->last == nullptr) return misuse("an event was waited for before it was recorded");
  gpu_.journal.push_back("wait " + std::to_string(gpu_.number_of(stream)) + " for " +
                         std::to_string(gpu_.number_of(found->last->stream)));
  gpu_.submit(*stream, {"wait", [] {}, found->last, {}});
  return result::success;
}
// The host, a stream of ours that runs on another thread, writes the word.
result fake_driver::stream_wait_value(cuda::stream_handle handle, cuda::device_address address, std::uint32_t value,
                                      unsigned flags) {
  fake_timeline* stream = timeline(handle);
  if (stream == nullptr) return result::invalid_handle;
  const auto* word = reinterpret_cast<const std::atomic<std::uint32_t>*>(address);
  if (!gpu_.is_pinned(word) || address % 4 != 0) return misuse("a wait for a word that is not there");
  if (flags != cuda::wait_value_at_least) return misuse("a wait of another kind");
  gpu_.journal.push_back("wait " + std::to_string(gpu_.number_of(stream)) + " for the host");
  gpu_.submit(*stream, {"wait",
                        [] {},
                        nullptr,
                        {},
                        [word, value] {
                          return static_cast<std::int32_t>(word->load(std::memory_order_acquire) - value) >= 0;
                        }});
  return result::success;
}
result fake_driver::event_create(cuda::event_handle* event, unsigned) {
  make(events_, event);
  events_.at(*event)->context = current_context();
  return result::success;
}
result fake_driver::event_destroy(cuda::event_handle event) {
  return events_.erase(event) == 1 ? result::success : misuse("an event that is not there was destroyed");
}
result fake_driver::event_record(cuda::event_handle event, cuda::stream_handle handle) {
  fake_timeline* stream = timeline(handle);
  fake_event* found = find(events_, event, "an event");
  if (stream == nullptr || found == nullptr) return result::invalid_handle;
  if (found->context != stream->context) return misuse("an event was recorded in a stream of another context");
  found->last = std::make_shared<fake_point>(fake_point{stream, false});
  gpu_.submit(*stream, {"record", [point = found->last] { point->is_passed = true; }, nullptr, {}});
  return result::success;
}
result fake_driver::event_synchronize(cuda::event_handle event) {
  const fake_event* found = find(events_, event, "an event");
  if (found == nullptr) return result::invalid_handle;
  if (found->last == nullptr) return misuse("an event was waited for before it was recorded");
  return gpu_.run_to(*std::shared_ptr(found->last)), result::success;
}
result fake_driver::event_query(cuda::event_handle event) {
  const fake_event* found = find(events_, event, "an event");
  if (found == nullptr) return result::invalid_handle;
  if (found->last == nullptr) return misuse("an event was asked for before it was recorded");
  if (!gpu_.is_delayed && gpu_.has_stream(found->last->stream)) gpu_.run_ready(*found->last->stream);
  return found->last->is_passed ? result::success : result::not_ready;
}
result fake_driver::event_elapsed_ms(float* elapsed, cuda::event_handle, cuda::event_handle) {
  return *elapsed = 0.0f, result::success;
}

// ---- Modules and launches ------------------------------------------------------------------------------------------
result fake_driver::module_load(cuda::module_handle* module, const void* code) {
  const std::string text(static_cast<const char*>(code));
  if (text.rfind("fake:", 0) != 0) return result::invalid_image;
  make(modules_, module);
  modules_.at(*module)->symbol = text.substr(5);
  return result::success;
}
result fake_driver::module_unload(cuda::module_handle module) {
  gpu_.run_all();
  const auto found = modules_.find(module);
  if (found == modules_.end()) return misuse("a module that is not there was unloaded");
  functions_.erase(found->second->function.get());
  modules_.erase(found);
  return result::success;
}
result fake_driver::module_function(cuda::function_handle* function, cuda::module_handle module, const char* name) {
  fake_module* found = find(modules_, module, "a module");
  if (found == nullptr) return result::invalid_handle;
  const auto kernel = kernels_.find(name);
  if (kernel == kernels_.end() || found->symbol != name) return result::not_found;
  found->function = std::make_unique<fake_function>(fake_function{name, &kernel->second});
  functions_[found->function.get()] = found->function.get();
  return *function = handle_of<cuda::function_handle>(found->function.get()), result::success;
}
result fake_driver::function_attribute_of(int* value, cuda::function_attribute, cuda::function_handle) {
  return *value = 0, result::success;
}
result fake_driver::function_parameter(cuda::function_handle function, std::size_t index, std::size_t* offset,
                                       std::size_t* size) {
  const auto found = functions_.find(function);
  if (found == functions_.end()) return misuse("a function that is not there was used");
  if (index >= found->second->kernel->is_pointer.size()) return result::invalid_value;
  *offset = 8 * index;
  return *size = 8, result::success;
}

fake_work fake_driver::launch_work(const fake_function& function, std::uint32_t grid,
                                   std::vector<std::uint64_t> words) {
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!function.kernel->is_pointer[i]) continue;
    if (gpu_.is_pinned(reinterpret_cast<const void*>(words[i]))) continue;  // memory of the host, mapped
    if (gpu_.is_live(words[i])) {
      addresses.push_back(words[i]);
    } else {
      gpu_.fault("launch " + function.symbol + " with memory that is not there");
    }
  }
  const auto run = [kernel = function.kernel, grid, kept = std::move(words)] { kernel->run(grid, kept.data()); };
  return {"launch " + function.symbol, run, nullptr, std::move(addresses)};
}

result fake_driver::enqueue(cuda::function_handle handle, std::uint32_t grid, bool is_single, cuda::stream_handle where,
                            void** parameters, const char* how) {
  fake_timeline* stream = timeline(where);
  const auto found = functions_.find(handle);
  if (stream == nullptr) return result::invalid_handle;
  if (stream->context != current_context()) return result::invalid_handle;
  if (found == functions_.end()) return misuse("a function that is not there was launched");
  if (grid == 0 || !is_single) return misuse("a launch with a grid or block of the wrong form");
  const fake_function& function = *found->second;
  std::vector<std::uint64_t> words(function.kernel->is_pointer.size());
  for (std::size_t i = 0; i < words.size(); ++i) std::memcpy(&words[i], parameters[i], sizeof words[i]);
  gpu_.journal.push_back(how + (" " + function.symbol) + " " + std::to_string(grid) + " on " +
                         std::to_string(gpu_.number_of(stream)));
  fake_work work = launch_work(function, grid, std::move(words));
  for (const std::uint64_t address : work.addresses) (void)is_in(stream->context, address, "a launch");
  gpu_.submit(*stream, std::move(work));
  return result::success;
}

result fake_driver::launch(cuda::function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                           unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                           cuda::stream_handle stream, void** parameters, void**) {
  const bool is_single = grid_y == 1 && grid_z == 1 && block_x == 1 && block_y == 1 && block_z == 1 && shared == 0;
  return enqueue(function, grid_x, is_single, stream, parameters, "launch");
}
result fake_driver::launch_with(const cuda::launch_config* config, cuda::function_handle function, void** parameters,
                                void**) {
  const bool is_single = config->grid_y == 1 && config->grid_z == 1 && config->block_x == 1 && config->block_y == 1 &&
                         config->block_z == 1 && config->shared_memory_bytes == 0;
  const bool is_early = config->attribute_count == 1 &&
                        config->attributes[0].id == cuda::launch_attribute_id::programmatic_stream_serialization &&
                        config->attributes[0].value.number == 1;
  return enqueue(function, config->grid_x, is_single, config->stream, parameters, is_early ? "launch early" : "launch");
}

void fake_driver::fill_table() {
  serve<&fake_driver::init>(table_.init);
  serve<&fake_driver::driver_version>(table_.driver_version);
  table_.error_name.function = table_.error_text.function = name_of;
  serve<&fake_driver::device_count>(table_.device_count);
  serve<&fake_driver::device_get>(table_.device_get);
  serve<&fake_driver::device_name>(table_.device_name);
  serve<&fake_driver::device_attribute_of>(table_.device_attribute_of);
  serve<&fake_driver::device_memory_bytes>(table_.device_memory_bytes);
  serve<&fake_driver::primary_context_retain>(table_.primary_context_retain);
  serve<&fake_driver::primary_context_release>(table_.primary_context_release);
  serve<&fake_driver::context_current>(table_.context_current);
  serve<&fake_driver::context_set_current>(table_.context_set_current);
  serve<&fake_driver::context_push>(table_.context_push);
  serve<&fake_driver::context_pop>(table_.context_pop);
  serve<&fake_driver::memory_info>(table_.memory_info);
  serve<&fake_driver::memory_allocate>(table_.memory_allocate);
  serve<&fake_driver::memory_free>(table_.memory_free);
  serve<&fake_driver::host_allocate>(table_.host_allocate);
  serve<&fake_driver::host_free>(table_.host_free);
  serve<&fake_driver::host_device_address>(table_.host_device_address);
  serve<&fake_driver::copy_to_device>(table_.copy_to_device);
  serve<&fake_driver::copy_to_host>(table_.copy_to_host);
  serve<&fake_driver::copy_on_device>(table_.copy_on_device);
  serve<&fake_driver::copy_to_peer>(table_.copy_to_peer);
  serve<&fake_driver::peer_is_reachable>(table_.peer_is_reachable);
  serve<&fake_driver::peer_enable>(table_.peer_enable);
  serve<&fake_driver::copy_rows>(table_.copy_rows);
  serve<&fake_driver::set<unsigned char>>(table_.set_bytes);
  serve<&fake_driver::set<unsigned short>>(table_.set_halves);
  serve<&fake_driver::set<unsigned>>(table_.set_words);
  serve<&fake_driver::stream_create>(table_.stream_create);
  serve<&fake_driver::stream_destroy>(table_.stream_destroy);
  serve<&fake_driver::stream_synchronize>(table_.stream_synchronize);
  serve<&fake_driver::stream_query>(table_.stream_query);
  serve<&fake_driver::stream_wait_event>(table_.stream_wait_event);
  serve<&fake_driver::stream_wait_value>(table_.stream_wait_value);
  serve<&fake_driver::event_create>(table_.event_create);
  serve<&fake_driver::event_destroy>(table_.event_destroy);
  serve<&fake_driver::event_record>(table_.event_record);
  serve<&fake_driver::event_synchronize>(table_.event_synchronize);
  serve<&fake_driver::event_query>(table_.event_query);
  serve<&fake_driver::event_elapsed_ms>(table_.event_elapsed_ms);
  serve<&fake_driver::module_load>(table_.module_load);
  serve<&fake_driver::module_unload>(table_.module_unload);
  serve<&fake_driver::module_function>(table_.module_function);
  serve<&fake_driver::function_attribute_of>(table_.function_attribute_of);
  serve<&fake_driver::function_parameter>(table_.function_parameter);
  serve<&fake_driver::launch>(table_.launch);
  serve<&fake_driver::launch_with>(table_.launch_with);
}

}  // namespace tilewright::test
