// SPDX-License-Identifier: Apache-2.0
// The worker pool over std::thread, for builds without oneTBB and for ThreadSanitizer, which cannot see into oneTBB.
// One word, the gate, holds all that threads agree on; workers that find it open enter, take part and leave.
#include "runtime/worker_pool.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace tilewright::runtime {
namespace {

using clock = std::chrono::steady_clock;

// Launches follow each other within microseconds; a worker that slept in between would come too late to help. It gives
// the core away at each look, so that a busy machine loses little, and sleeps after this time.
constexpr auto watch_time = std::chrono::microseconds(200);

// Looks again and again until `is_over` holds or the time is up; returns what it said last.
template <class Condition>
bool watch(Condition is_over) {
  const auto begun = clock::now();
  while (!is_over()) {
    if (clock::now() - begun > watch_time) return is_over();
    std::this_thread::yield();
  }
  return true;
}

}  // namespace

class worker_pool::state {
 public:
  explicit state(int threads) {
    for (int n = 1; n < threads; ++n) workers_.emplace_back([this] { serve(); });
  }

  ~state() {
    stopping_.store(true);
    bell_.fetch_add(1);
    bell_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void run(shared_work& work, int helpers) {
    const std::scoped_lock turn(one_launch_);
    work_ = &work;
    helpers_ = static_cast<std::uint32_t>(helpers);
    const std::uint32_t generation = (gate_.load(std::memory_order_relaxed) & generation_bits) + one_generation;
    gate_.store(generation | open_bit);
    if (sleepers_.load() > 0) {
      bell_.fetch_add(1);
      for (int i = 0; i < helpers; ++i) bell_.notify_one();
    }
    work.run();
    gate_.fetch_and(~open_bit);
    const auto is_empty = [this] { return (gate_.load() & inside_bits) == 0; };
    if (watch(is_empty)) return;
    for (std::uint32_t seen = gate_.load(); (seen & inside_bits) != 0; seen = gate_.load()) gate_.wait(seen);
  }

 private:
  // The gate: how many workers are inside, whether more may enter, and which launch this is.
  static constexpr std::uint32_t inside_bits = 0x7fff, open_bit = 0x8000, one_generation = 0x10000,
                                 generation_bits = 0xffff0000;

  void serve() {
    std::uint32_t last = 0;  // the launch that this worker took part in; there is nothing left of it to take
    while (!stopping_.load()) {
      if (enter(last)) {
        work_->run();
        leave();
      } else {
        wait(last);
      }
    }
  }

  bool is_offered(std::uint32_t gate, std::uint32_t last) const {
    return (gate & open_bit) != 0 && (gate & generation_bits) != last;
  }

  bool enter(std::uint32_t& last) {
    std::uint32_t gate = gate_.load();
    while (is_offered(gate, last)) {
      if (!gate_.compare_exchange_weak(gate, gate + 1)) continue;
      last = gate & generation_bits;
      if ((gate & inside_bits) < helpers_) return true;
      leave();
    }
    return false;
  }

  void leave() {
    const std::uint32_t before = gate_.fetch_sub(1);
    if ((before & (inside_bits | open_bit)) == 1) gate_.notify_one();
  }

  void wait(std::uint32_t last) {
    const auto is_wanted = [this, last] { return is_offered(gate_.load(), last) || stopping_.load(); };
    if (watch(is_wanted)) return;
    const std::uint32_t rung = bell_.load();
    sleepers_.fetch_add(1);
    // Either this look sees the open gate or the opener sees the sleeper: both sides write before they read.
    if (!is_wanted()) bell_.wait(rung);
    sleepers_.fetch_sub(1);
  }

  std::mutex one_launch_;
  // SAFETY: written before the gate opens, while nobody is inside; read by threads inside.
  shared_work* work_ = nullptr;
  std::uint32_t helpers_ = 0;
  alignas(64) std::atomic<std::uint32_t> gate_{0};
  alignas(64) std::atomic<std::uint32_t> bell_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> workers_;  // last: they use all the above
};

worker_pool::worker_pool(int threads) : threads_(threads), state_(std::make_unique<state>(threads)) {}

worker_pool::~worker_pool() = default;

void worker_pool::run(shared_work& work, int helpers) {
  if (helpers <= 0) return work.run();
  state_->run(work, helpers);
}

}  // namespace tilewright::runtime
