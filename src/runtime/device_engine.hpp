// SPDX-License-Identifier: Apache-2.0
// What a device must do for the runtime: memory, copies, and running a compiled launch on a stream. host_engine.cpp
// and cuda/cuda_engine.cpp implement it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/element_copy.hpp"
#include "runtime/memory_pool.hpp"
#include "runtime/process.hpp"
#include "runtime/stream_queue.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/device.hpp"

namespace tilewright::runtime {
struct compiled_kernel;
}

namespace tilewright::detail {

// Where a checked launch reports a fault.
struct fault_slot {
  std::shared_ptr<compiler::fault_status> status;  // of the device's make_fault_status()
  std::atomic<int> in_flight{0};                   // runs
  std::uint64_t device_address = 0;                // of the status, as a GPU sees it: the kernel's last word
};

// Bytes from memory of one device to memory of another, or of the same.
struct memory_copy {
  device_engine* to_device;
  std::byte* to;
  device_engine* from_device;
  const std::byte* from;
  std::size_t size_bytes;
};

// One launch as a device runs it.
struct compiled_launch {
  std::shared_ptr<const compiler::image> image;
  std::vector<std::uint64_t> parameters;
  std::int64_t grid[max_rank];
  std::int64_t blocks = 0;
  std::int64_t in_turn = 1;            // so many blocks each run one after the other; see compiler::blocks_in_turn
  std::shared_ptr<fault_slot> faults;  // none: the kernel has no residual checks
  std::optional<element_copy> copy;    // in place of the image and all else
  // What a GPU's engine adds in prepare().
  struct {
    void* function = nullptr;
    std::vector<void*> parameters;  // address of each word
    std::uint32_t grid = 0;         // blocks to start; 0: none
    bool is_programmatic = false;   // may start before the launch ahead of it on its stream has ended
  } gpu;
};

class graph_node;
using graph_nodes = std::vector<std::shared_ptr<const graph_node>>;

// A graph in the form of a device that runs all its launches by one submission, inside push().
class device_graph {
 public:
  device_graph() = default;
  device_graph(const device_graph&) = delete;
  device_graph& operator=(const device_graph&) = delete;
  virtual ~device_graph() = default;  // a replay in flight goes on

  // Later replays run these nodes; changes in place what it can. Throws what the device makes impossible.
  virtual void become(const graph_nodes& nodes) = 0;
  // What an entry of `stream` does for a replay.
  virtual void run(stream_queue& stream) = 0;
};

class device_engine {
 public:
  explicit device_engine(unsigned born = counted_forks()) : born_(born) {}
  device_engine(const device_engine&) = delete;
  device_engine& operator=(const device_engine&) = delete;
  virtual ~device_engine() = default;

  // Throws usage_error in a process that was forked after the device was made.
  void require_this_process() const {
    if (is_of_other_process()) [[unlikely]]
      refuse_fork();
  }
  bool is_of_other_process() const noexcept { return forks.load(std::memory_order_relaxed) != born_; }

  std::uint64_t number() const noexcept { return number_; }  // never used again, as an address may be
  virtual const char* name() const = 0;
  virtual compiler::target target() const = 0;
  virtual int cuda_index() const { return -1; }  // as the driver counts; -1: not a GPU of CUDA
  // The kernel of a launch, compiled for this device; from the caches where they have it.
  virtual const runtime::compiled_kernel& compile(const ast::module_view& module,
                                                  const compiler::specialization& special);

  // Throws out_of_memory, when nothing that is cached or in flight has helped. Blocks start at a multiple of 128 bytes.
  virtual memory_block allocate(std::size_t size_bytes, first_use by) = 0;
  virtual void free(std::byte* address, std::size_t size_bytes, const event& last_use) noexcept = 0;
  // Memory of the host that the device copies to and from while the host goes on; freed when all of that is done.
  virtual std::byte* allocate_on_host(std::size_t size_bytes) {
    return allocate(size_bytes, first_use::by_host).address;
  }
  virtual void free_on_host(std::byte* address, std::size_t size_bytes) noexcept { free(address, size_bytes, {}); }
  virtual memory_statistics memory() const = 0;
  virtual void release_cached_memory() noexcept = 0;

  // Whether what is written can be read again; if not, nobody needs to compute it.
  virtual bool keeps_values() const { return true; }
  virtual void copy_to_host(void* to, const std::byte* from, std::size_t size_bytes) = 0;
  virtual void copy_from_host(std::byte* to, const void* from, std::size_t size_bytes) = 0;
  // `count` copies of one element.
  virtual void fill(std::byte* to, const void* element, std::size_t element_bytes, std::size_t count) = 0;

  // Whether entries of its streams run on the host, which reads and writes its memory.
  virtual bool is_on_host() const { return true; }
  // Whether its streams can copy from memory of `other` by themselves.
  virtual bool copies_from(device_engine& other) { return &other == this; }
  // What an entry of `stream` does for a copy, on a stream of copying_device(to, from).
  virtual void copy(const memory_copy& what, stream_queue& stream);

  // Memory that kernels of this device write and the host reads.
  virtual std::shared_ptr<compiler::fault_status> make_fault_status() {
    return std::make_shared<compiler::fault_status>();
  }
  // Makes a launch ready, before anything is enqueued; its words stay where they are from then on. Throws what its
  // image or the device makes impossible.
  virtual void prepare(compiled_launch&) {}
  // What an entry of `stream` does for a launch. On the host it returns when the launch is done; on a GPU, when it is
  // submitted.
  virtual void run(const compiled_launch& launch, stream_queue& stream) = 0;
  // None: the launches of a graph run one after the other.
  virtual std::unique_ptr<device_graph> make_graph() { return nullptr; }

  // ---- Streams: made on demand, re-used, never destroyed while the program runs, so that events may point to them.
  Stream new_stream();
  stream_queue& thread_stream();
  Stream shared_thread_stream();
  // The thread that runs spawned tasks has several streams of each device in place of one: those of the task at hand.
  static constexpr int lanes = 4;
  static void set_lane_of_thread(int lane) noexcept;  // -1: no lane
  void synchronize();
  void end_streams() noexcept;  // at the end of the program

 protected:
  template <class Visit>
  void each_stream(Visit visit) {
    for (stream_queue* stream : all_streams()) visit(*stream);
  }
  memory_block allocate_from(memory_pool& pool, std::size_t size_bytes, first_use by);
  stream_queue* known_thread_stream() noexcept;  // none: the thread has used no stream of the device yet
  void destroy_streams() noexcept;               // for an engine that ends before the program
  virtual std::unique_ptr<stream_queue> make_stream() = 0;

 private:
  friend void release(stream_queue& queue) noexcept;
  std::vector<stream_queue*> all_streams();
  [[noreturn]] void refuse_fork() const;
  stream_queue& lane_stream(int lane);

  static std::uint64_t next_number() noexcept;

  const unsigned born_;  // after so many forks
  const std::uint64_t number_ = next_number();
  std::mutex mutex_;
  std::vector<std::unique_ptr<stream_queue>> streams_;
  std::vector<stream_queue*> unused_;
  std::array<stream_queue*, lanes> lane_streams_{};
};

// On whose streams memory of `from` is copied to memory of `to`, so that the thread that enqueues the copy waits for
// nothing: the host's where one of them is the host, or where two GPUs do not reach each other; else those of `to`.
device_engine& copying_device(device_engine& to, device_engine& from);

device_engine& cpu_engine();
device_engine& interp_engine();

}  // namespace tilewright::detail
