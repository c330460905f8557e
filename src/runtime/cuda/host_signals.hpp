// SPDX-License-Identifier: Apache-2.0
// How a GPU waits for the host: a stream of the host writes a number into a word of pinned memory, and a stream of the
// GPU goes on when it sees it. No thread waits.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "runtime/cuda/gpu_context.hpp"
#include "runtime/stream_queue.hpp"

namespace tilewright::cuda {

class host_signals {
 public:
  explicit host_signals(gpu_context& context) : context_(context) {}
  host_signals(const host_signals&) = delete;
  host_signals& operator=(const host_signals&) = delete;
  ~host_signals();

  // What is submitted to `stream` from now on starts after `before`, of a stream of the host. False: the driver cannot
  // do that now, and nothing was submitted.
  bool hold_until(stream_handle stream, const detail::event& before);

 private:
  using number = std::atomic<std::uint32_t>;
  // One for each stream of the host, whose entries write it in their order, so that it only grows.
  struct word {
    detail::stream_queue* writer;
    number* place;
    device_address address;
    std::uint32_t written = 0;      // by the last entry that was pushed
    std::uint64_t last_ticket = 0;  // of that entry
  };
  static constexpr std::size_t page_bytes = 4096, word_bytes = 64;

  word* word_of(detail::stream_queue& writer) noexcept;
  bool add_page() noexcept;

  gpu_context& context_;
  std::mutex mutex_;
  std::vector<void*> pages_;
  std::vector<word> words_;
};

}  // namespace tilewright::cuda
