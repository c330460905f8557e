// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/host_signals.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace tilewright::cuda {

host_signals::~host_signals() {
  for (const word& each : words_) each.writer->wait(each.last_ticket);
  for (void* page : pages_) (void)context_.try_call(context_.driver().host_free, page);
}

bool host_signals::add_page() noexcept {
  const driver_table& driver = context_.driver();
  void* page = nullptr;
  try {
    pages_.reserve(pages_.size() + 1);
    words_.reserve((pages_.size() + 1) * (page_bytes / word_bytes));
  } catch (const std::bad_alloc&) {
    return false;
  }
  const auto flags = host_memory_portable | host_memory_mapped;
  if (context_.try_call(driver.host_allocate, &page, page_bytes, flags) != result::success) return false;
  pages_.push_back(page);
  return true;
}

host_signals::word* host_signals::word_of(detail::stream_queue& writer) noexcept {
  const auto found =
      std::find_if(words_.begin(), words_.end(), [&](const word& each) { return each.writer == &writer; });
  if (found != words_.end()) return &*found;
  constexpr std::size_t in_page = page_bytes / word_bytes;
  const std::size_t place = words_.size() % in_page;
  if (words_.size() == pages_.size() * in_page && !add_page()) return nullptr;
  auto* memory = static_cast<std::byte*>(pages_[words_.size() / in_page]) + place * word_bytes;
  device_address address = 0;
  if (context_.try_call(context_.driver().host_device_address, &address, memory, 0u) != result::success) return nullptr;
  words_.push_back({&writer, new (memory) number(0), address});
  return &words_.back();
}

bool host_signals::hold_until(stream_handle stream, const detail::event& before) {
  struct signal {
    number* place;
    std::uint32_t value;
  };
  device_address address = 0;
  std::uint32_t value = 0;
  {
    const std::lock_guard lock(mutex_);  // numbers are pushed in their order
    word* mine = word_of(*before.stream);
    if (mine == nullptr) return false;
    auto made = std::make_unique<signal>(signal{mine->place, value = mine->written + 1});
    const auto write = [](void* context, detail::stream_queue&) {
      const auto* told = static_cast<const signal*>(context);
      told->place->store(told->value, std::memory_order_release);
    };
    const auto done = [](void* context) {
      delete static_cast<signal*>(context);
      return std::exception_ptr();
    };
    mine->last_ticket = before.stream->push({write, done, made.get()});
    (void)made.release();
    mine->written = value;
    address = mine->address;
    before.stream->let_run(mine->last_ticket);
  }
  return context_.try_call(context_.driver().stream_wait_value, stream, address, value, wait_value_at_least) ==
         result::success;
}

}  // namespace tilewright::cuda
