// SPDX-License-Identifier: Apache-2.0
// Copies between devices as the tests of the runtime's order enqueue them.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "runtime/memory_uses.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::test {

// On the stream of the calling thread, after what is in flight on either. Who reads what a failed copy was to write
// gets the failure.
inline void enqueue_copy(Tensor<f32>& to, Tensor<f32>& from) {
  struct entry {
    detail::memory_copy what;
    detail::device_engine* by;
    detail::storage *written, *read;
    std::exception_ptr failure;

    static void run(void* context, detail::stream_queue& where) {
      auto* mine = static_cast<entry*>(context);
      try {
        mine->by->copy(mine->what, where);
      } catch (...) {
        mine->failure = std::current_exception();
      }
    }
    static std::exception_ptr done(void* context) {
      const std::unique_ptr<entry> mine(static_cast<entry*>(context));
      mine->written->fault = mine->failure ? mine->failure : mine->read->fault;
      detail::release_flight(mine->written);
      detail::release_flight(mine->read);
      return {};
    }
  };
  detail::storage *written = detail::access::memory(to), *read = detail::access::memory(from);
  detail::storage* memories[] = {written, read};
  if (std::less<>()(read, written)) std::swap(memories[0], memories[1]);
  detail::device_engine& by = detail::copying_device(*written->device, *read->device);
  detail::stream_queue& stream = by.thread_stream();
  auto made = std::make_unique<entry>(entry{
      {written->device, written->address, read->device, read->address, read->size_bytes}, &by, written, read, nullptr});
  const detail::ordered_uses uses(memories, stream);
  for (detail::storage* memory : memories) detail::retain_flight(memory);
  const detail::event pushed{&stream, stream.push({entry::run, entry::done, made.release()})};
  for (detail::storage* memory : memories) detail::note_use(memory, pushed, true);
}

}  // namespace tilewright::test
