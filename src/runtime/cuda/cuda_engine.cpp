// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_engine.hpp"

#include <new>
#include <string>

#include "runtime/cuda/cuda_graph.hpp"
#include "runtime/cuda/cuda_stream.hpp"
#include "runtime/cuda/row_copies.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::cuda {
namespace {

using compiler::target;

// Code for 8.x runs on later GPUs of that generation too; from 9.0 on it runs on the one it was made for.
target target_for(const gpu_context& gpu) {
  switch (gpu.capability()) {
    case 80:
      return target::sm_80;
    case 86:
    case 87:
      return target::sm_86;
    case 89:
      return target::sm_89;
    case 90:
      return target::sm_90;
    case 100:
      return target::sm_100;
    case 120:
      return target::sm_120;
    default:
      throw runtime_error({.what = "no images are made for this GPU",
                           .where = gpu.name(),
                           .expected = "compute capability 8.0, 8.6, 8.7, 8.9, 9.0, 10.0 or 12.0",
                           .got = std::to_string(gpu.capability() / 10) + "." + std::to_string(gpu.capability() % 10),
                           .fix = "use cpu_device()"});
  }
}

constexpr std::int64_t most_blocks = INT32_MAX;  // of the grid's first axis

std::uint32_t grid_for(const compiler::gpu_image& image, std::int64_t blocks, int multiprocessors) {
  if (blocks == 0) return 0;
  const std::int64_t started = image.form().grid_of(blocks, multiprocessors);
  if (started <= most_blocks) return static_cast<std::uint32_t>(started);
  throw usage_error({.what = "a launch has too many blocks for a GPU",
                     .where = "kernel function '" + image.symbol() + "'",
                     .expected = "at most " + std::to_string(most_blocks),
                     .got = std::to_string(started),
                     .fix = "use larger pieces, or a persistent schedule"});
}

}  // namespace

cuda_engine::cuda_engine(const driver_table& driver, int index)
    : context_(driver, index),
      target_(target_for(context_)),
      blocks_(context_),
      pool_(blocks_, detail::memory_pool::keep::all),
      pinned_blocks_(context_),
      pinned_(pinned_blocks_, detail::memory_pool::keep::all),
      modules_(context_),
      copies_(context_),
      signals_(context_),
      slots_(std::make_shared<status_slots>(context_)) {}

cuda_engine::~cuda_engine() { destroy_streams(); }

// ---- Memory --------------------------------------------------------------------------------------------------------
// Best memory that the thread's own stream has left, or that is known to be at rest; else the GPU is asked first.
detail::memory_block cuda_engine::allocate(detail::memory_pool& pool, std::size_t size_bytes, detail::first_use by) {
  using pending = detail::memory_pool::pending;
  require_this_process();
  context_.require_alive();
  const auto allowed = by == detail::first_use::on_device ? pending::of_stream : pending::none;
  const detail::memory_block cached = pool.take_cached(size_bytes, known_thread_stream(), allowed);
  if (cached.address != nullptr) return cached;
  each_stream([](detail::stream_queue& stream) { static_cast<cuda_stream&>(stream).give_back_passed(); });
  return allocate_from(pool, size_bytes, by);
}

void cuda_engine::release_cached_memory() noexcept {
  try {
    each_stream([](detail::stream_queue& stream) { static_cast<cuda_stream&>(stream).give_back_passed(); });
  } catch (const std::bad_alloc&) {  // then less is known to be at rest
  }
  pool_.release_cached();
  pinned_.release_cached();
}

void cuda_engine::copy_to_host(void* to, const std::byte* from, std::size_t size_bytes) {
  context_.require_alive();
  copies_.to_host(to, gpu_blocks::address_of(from), size_bytes);
}

void cuda_engine::copy_from_host(std::byte* to, const void* from, std::size_t size_bytes) {
  context_.require_alive();
  copies_.to_device(gpu_blocks::address_of(to), from, size_bytes);
}

void cuda_engine::fill(std::byte* to, const void* element, std::size_t element_bytes, std::size_t count) {
  context_.require_alive();
  copies_.fill(gpu_blocks::address_of(to), element, element_bytes, count);
}

// An answer is kept, a failure is not.
bool cuda_engine::copies_from(device_engine& other) {
  if (&other == this) return true;
  const auto* peer = dynamic_cast<const cuda_engine*>(&other);
  if (peer == nullptr) return false;
  const std::lock_guard lock(peers_mutex_);
  for (const auto& [known, is_reached] : peers_) {
    if (known == peer) return is_reached;
  }
  const driver_table& driver = context_.driver();
  int is_reached = 0;
  if (context_.try_call(driver.peer_is_reachable, &is_reached, context_.device(), peer->context_.device()) !=
      result::success) {
    return false;
  }
  if (is_reached != 0) {
    const result code = context_.try_call(driver.peer_enable, peer->context_.handle(), 0u);
    if (code != result::success && code != result::peer_access_already_enabled) return false;
  }
  peers_.emplace_back(peer, is_reached != 0);
  return is_reached != 0;
}

void cuda_engine::copy(const detail::memory_copy& what, detail::stream_queue& stream) {
  context_.require_alive();
  if (what.size_bytes == 0) return;
  const driver_table& driver = context_.driver();
  const device_address to = gpu_blocks::address_of(what.to), from = gpu_blocks::address_of(what.from);
  const stream_handle where = static_cast<cuda_stream&>(stream).handle();
  if (what.to_device == what.from_device) {
    return context_.call(driver.copy_on_device, to, from, what.size_bytes, where);
  }
  const auto& there = static_cast<const cuda_engine&>(*what.from_device).context_;
  context_.call(driver.copy_to_peer, to, context_.handle(), from, there.handle(), what.size_bytes, where);
}

// ---- Launches ------------------------------------------------------------------------------------------------------
void cuda_engine::prepare(detail::compiled_launch& launch) {
  context_.require_alive();
  if (launch.copy) return require_few_transfers(*launch.copy);
  const compiler::gpu_image* image = launch.image->gpu();
  require_internal(image != nullptr, "a GPU runs images for GPUs only");
  launch.gpu.grid = grid_for(*image, launch.blocks / launch.in_turn, context_.multiprocessors());
  launch.gpu.is_programmatic = image->form().programmatic;
  const bool has_status = launch.faults != nullptr;
  launch.gpu.function = modules_.function_of(launch.image, launch.parameters.size() + (has_status ? 1 : 0));
  launch.gpu.parameters.clear();
  launch.gpu.parameters.reserve(launch.parameters.size() + 1);
  for (std::uint64_t& word : launch.parameters) launch.gpu.parameters.push_back(&word);
  if (!has_status) return;
  launch.faults->device_address = slots_->address_of(*launch.faults->status);
  launch.gpu.parameters.push_back(&launch.faults->device_address);
}

void cuda_engine::run(const detail::compiled_launch& launch, detail::stream_queue& stream) {
  context_.require_alive();
  if (launch.copy) return submit(context_, *launch.copy, static_cast<cuda_stream&>(stream).handle());
  if (launch.gpu.grid == 0) return;
  auto* function = static_cast<function_handle>(launch.gpu.function);
  const stream_handle where = static_cast<cuda_stream&>(stream).handle();
  auto** parameters = const_cast<void**>(launch.gpu.parameters.data());  // SAFETY: the driver only reads them
  const driver_table& driver = context_.driver();
  if (!launch.gpu.is_programmatic) {
    context_.call_on_stream(driver.launch, function, launch.gpu.grid, 1u, 1u, 1u, 1u, 1u, 0u, where, parameters,
                            nullptr);
    return;
  }
  launch_attribute early{.id = launch_attribute_id::programmatic_stream_serialization, .unused = {}, .value = {}};
  early.value.number = 1;
  const launch_config config{launch.gpu.grid, 1, 1, 1, 1, 1, 0, where, &early, 1};
  context_.call_on_stream(driver.launch_with, &config, function, parameters, nullptr);
}

std::unique_ptr<detail::device_graph> cuda_engine::make_graph() { return std::make_unique<cuda_graph>(context_); }

std::unique_ptr<detail::stream_queue> cuda_engine::make_stream() {
  return std::make_unique<cuda_stream>(*this, context_, signals_);
}

}  // namespace tilewright::cuda
