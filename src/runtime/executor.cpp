// SPDX-License-Identifier: Apache-2.0
// How the blocks of a launch are cut into chunks, and when other threads are worth calling.
#include "runtime/executor.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "runtime/scratch.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::runtime {
namespace {

// Work under this takes longer to share than to do: when workers are awake, and when they sleep. Workers stay awake
// for about that long after a launch, and launches that close together are worth waking them.
constexpr double least_shared_awake_ns = 6'000, least_shared_asleep_ns = 40'000;
constexpr std::int64_t awake_ns = 100'000;
// A chunk under this would spend its time on the counter.
constexpr double least_chunk_ns = 1'000;
// Launches under this are cut into larger chunks: each chunk starts in memory that no cache and no prefetcher knows,
// and so short a launch is seldom interrupted.
constexpr double short_launch_ns = 200'000;
constexpr int most_threads = 1024;

std::int64_t nanoseconds_now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// ---- What a thread launched before ----------------------------------------------------------------------------------
// The last launch of an image on this thread is the estimate for its next one. It decides only who works, never what
// is computed, so a wrong one (another image at the same address) costs time alone.
class launch_history {
 public:
  struct entry {
    const compiler::host_image* image = nullptr;
    double block_ns = 0;
  };

  entry& of(const compiler::host_image& image) noexcept {
    // SAFETY: the address is only hashed.
    const auto address = reinterpret_cast<std::uintptr_t>(&image);
    entry& found = entries_[(address / 64) * 0x9e3779b97f4a7c15u >> (64 - index_bits)];
    if (found.image != &image) found = {&image, unknown_ns};
    return found;
  }

  double least_shared_ns(std::int64_t now) const noexcept {
    return now - last_end_ < awake_ns ? least_shared_awake_ns : least_shared_asleep_ns;
  }
  void set_end(std::int64_t now) noexcept { last_end_ = now; }

 private:
  static constexpr double unknown_ns = 1e9;  // call everybody once rather than work alone for long
  static constexpr int index_bits = 8;
  std::array<entry, std::size_t{1} << index_bits> entries_;
  std::int64_t last_end_ = 0;
};

// ---- One launch ----------------------------------------------------------------------------------------------------
// Threads take chunks until none is left: a fraction of what remains, so that the last ones are small and a thread that
// was interrupted delays nobody.
class launch_work final : public shared_work {
 public:
  launch_work(const compiler::host_image& image, const std::uint64_t* parameters, const std::int64_t* grid,
              std::int64_t blocks, compiler::fault_status* faults, std::int64_t in_turn, std::int64_t share,
              std::int64_t least_chunk)
      : image_(image),
        parameters_(parameters),
        grid_(grid),
        blocks_(blocks),
        faults_(faults),
        in_turn_(in_turn),
        share_(share),
        least_chunk_(least_chunk) {}

  // The caller has met this scratch size before, so it always gets its memory; a worker without memory leaves the
  // blocks to the others.
  void run() noexcept override {
    std::byte* scratch = thread_scratch(image_.scratch_bytes());
    if (scratch == nullptr) return;
    const std::int64_t begun = nanoseconds_now();
    std::int64_t first = 0, last = 0;
    while (take(first, last)) image_.run(parameters_, grid_, first, last, scratch, faults_);
    busy_ns_.fetch_add(nanoseconds_now() - begun, std::memory_order_relaxed);
  }

  // What all threads spent together; known when the pool has returned.
  double busy_ns() const noexcept { return static_cast<double>(busy_ns_.load(std::memory_order_relaxed)); }

 private:
  bool take(std::int64_t& first, std::int64_t& last) noexcept {
    first = next_.load(std::memory_order_relaxed);
    do {
      if (first >= blocks_) return false;
      const std::int64_t wanted = std::max((blocks_ - first) / share_, least_chunk_);
      last = std::min(blocks_, first + (wanted + in_turn_ - 1) / in_turn_ * in_turn_);
    } while (!next_.compare_exchange_weak(first, last, std::memory_order_relaxed));
    return true;
  }

  const compiler::host_image& image_;
  const std::uint64_t* parameters_;
  const std::int64_t* grid_;
  const std::int64_t blocks_;
  compiler::fault_status* const faults_;
  const std::int64_t in_turn_;
  const std::int64_t share_;  // a chunk is one part in so many of what is left
  const std::int64_t least_chunk_;
  alignas(64) std::atomic<std::int64_t> next_{0};  // first block that nobody has taken
  std::atomic<std::int64_t> busy_ns_{0};
};

void require_scratch(std::size_t size_bytes) {
  if (thread_scratch(size_bytes) != nullptr) return;
  throw out_of_memory({.what = "no memory for a kernel's tiles",
                       .where = "launch on the cpu",
                       .expected = std::to_string(size_bytes) + " bytes for each thread",
                       .got = "none",
                       .fix = "use smaller tiles, or fewer threads (TILEWRIGHT_THREADS)"});
}

}  // namespace

executor::executor(int threads) : pool_(threads) {}

void executor::run(const compiler::host_image& image, const std::uint64_t* parameters, const std::int64_t* grid,
                   std::int64_t blocks, compiler::fault_status* faults, std::int64_t in_turn) {
  static thread_local launch_history history;
  if (blocks <= 0) return;
  require_scratch(image.scratch_bytes());
  launch_history::entry& cost = history.of(image);
  const std::int64_t begun = nanoseconds_now();
  const double expected_ns = cost.block_ns * static_cast<double>(blocks);
  if (threads() == 1 || blocks == in_turn || expected_ns < history.least_shared_ns(begun)) {
    image.run(parameters, grid, 0, blocks, thread_scratch(image.scratch_bytes()), faults);
    const std::int64_t ended = nanoseconds_now();
    history.set_end(ended);
    cost.block_ns = static_cast<double>(ended - begun) / static_cast<double>(blocks);
  } else {
    const auto least_chunk = static_cast<std::int64_t>(least_chunk_ns / std::max(cost.block_ns, 1.0)) + 1;
    const std::int64_t share = threads() * (expected_ns < short_launch_ns ? 1 : 2);
    launch_work work(image, parameters, grid, blocks, faults, in_turn, share, least_chunk);
    pool_.run(work, static_cast<int>(std::min<std::int64_t>(blocks / in_turn, threads())) - 1);
    history.set_end(nanoseconds_now());
    cost.block_ns = work.busy_ns() / static_cast<double>(blocks);
  }
}

int configured_threads() {
  const char* wanted = std::getenv("TILEWRIGHT_THREADS");
  if (wanted == nullptr || *wanted == '\0') {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
    return std::clamp(CPU_COUNT(&allowed), 1, most_threads);
  }
  const std::string_view text = wanted;
  int threads = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (fault == std::errc() && end == text.data() + text.size() && threads >= 1 && threads <= most_threads) {
    return threads;
  }
  throw usage_error({.what = "not a number of threads",
                     .where = "environment variable TILEWRIGHT_THREADS",
                     .expected = "a number from 1 to " + std::to_string(most_threads),
                     .got = "'" + std::string(text) + "'",
                     .fix = "set it to a number, or unset it to use all cores"});
}

executor& executor::shared() {
  // Never destroyed: streams may still run blocks while other objects with static storage are destroyed.
  static executor* const one = new executor(configured_threads());
  return *one;
}

void parallel_blocks(const compiler::host_image& image, const std::uint64_t* parameters, const std::int64_t* grid,
                     std::int64_t blocks, compiler::fault_status* faults, std::int64_t in_turn) {
  executor::shared().run(image, parameters, grid, blocks, faults, in_turn);
}

}  // namespace tilewright::runtime
