// SPDX-License-Identifier: Apache-2.0
// The order of work behind a Stream of a GPU. An entry is submitted by the thread that pushes it; how far the GPU is,
// is only looked at when somebody wants to know, by events recorded now and then, so that a launch costs little more
// than the driver's call.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/cuda/gpu_context.hpp"
#include "runtime/cuda/host_signals.hpp"
#include "runtime/failures.hpp"
#include "runtime/ring.hpp"
#include "runtime/stream_queue.hpp"

namespace tilewright::cuda {

class cuda_stream final : public detail::stream_queue {
 public:
  // Throws driver_error.
  cuda_stream(detail::device_engine& device, gpu_context& context, host_signals& signals);
  ~cuda_stream() override;

  stream_handle handle() const { return handle_; }

  std::uint64_t push(detail::work entry) override;
  // The GPU waits, not the host; only where the driver fails at that, the host does.
  void wait_for(const detail::event& before) override;
  void mark(std::uint64_t ticket) override;
  bool is_done(std::uint64_t ticket) override;
  bool has_passed(std::uint64_t ticket) const noexcept override {
    return completed_.load(std::memory_order_acquire) >= ticket;
  }
  std::uint64_t last_ticket() const override { return submitted_.load(std::memory_order_acquire); }
  void wait(std::uint64_t ticket) noexcept override;
  // While the context is lost, every call throws that.
  void throw_failure(std::uint64_t first, std::uint64_t last, const void* context = nullptr) override;

  // Calls done() of what the GPU has passed. Does not wait.
  void give_back_passed() noexcept;

 private:
  // What is to do once the GPU has passed a ticket: done() of an entry; or, first, what another stream owes up to a
  // ticket that this one waited for. So done() is called in the order of the work, whichever stream is looked at.
  struct owed {
    std::uint64_t ticket;
    std::exception_ptr (*done)(void* context);
    void* context;
    cuda_stream* other = nullptr;
    std::uint64_t other_ticket = 0;
    bool operator==(const owed&) const = default;
  };
  struct gpu_event {
    gpu_context& context;
    event_handle handle = nullptr;
    explicit gpu_event(gpu_context& of) : context(of) {}
    gpu_event(const gpu_event&) = delete;
    gpu_event& operator=(const gpu_event&) = delete;
    ~gpu_event();
  };
  using shared_event = std::shared_ptr<gpu_event>;
  // An event and the last entry before it.
  struct mark_point {
    std::uint64_t ticket;
    shared_event event;
  };
  static constexpr std::uint64_t between_marks = 256;  // entries
  static constexpr std::uint64_t between_looks = 4 * between_marks;
  static constexpr std::uint64_t most_in_flight = 64 * between_marks;

  // Without the mutex.
  void complete(std::uint64_t ticket) noexcept;  // what is owed up to a ticket that the GPU has passed
  void complete_lost() noexcept;
  void look() noexcept;
  void mark_now_and_then() noexcept;
  std::pair<result, std::uint64_t> wait_past(std::uint64_t ticket) noexcept;
  void wait_for_gpu(cuda_stream& other, std::uint64_t ticket);

  // With the mutex held.
  const mark_point* standing_mark(std::uint64_t ticket) const noexcept;  // the first one at or after the ticket
  const mark_point* mark_after(std::uint64_t ticket) noexcept;           // or one made now; null: no event to be had
  const mark_point* make_mark() noexcept;
  shared_event unused_event() noexcept;
  std::uint64_t passed() noexcept;  // the last ticket that the GPU is known to have passed
  void pay(std::uint64_t ticket) noexcept;

  gpu_context& context_;
  host_signals& signals_;
  stream_handle handle_ = nullptr;
  std::atomic<std::uint64_t> submitted_{0}, completed_{0};
  detail::failures failures_;

  std::mutex mutex_;
  detail::ring<owed> owed_;
  std::vector<mark_point> marks_;     // oldest first
  std::vector<shared_event> passed_;  // of marks that were passed; one that a thread still waits for is not used again
  std::atomic<std::uint64_t> last_mark_{0};  // its ticket
  std::atomic<std::uint64_t> last_look_{0};  // what was the last ticket then
};

}  // namespace tilewright::cuda
