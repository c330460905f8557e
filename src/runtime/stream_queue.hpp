// SPDX-License-Identifier: Apache-2.0
// What a Stream is to the runtime: an order in which one device does its work. Each kind of device has its own
// (host_stream.hpp, cuda/cuda_stream.hpp); this interface knows no launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>

#include "tilewright/runtime/detail/storage.hpp"

namespace tilewright::detail {

// An entry of a stream. A failure of either function fails this entry, not the stream.
struct work {
  // Hands the entry to the device: a host stream computes here, when its turn comes; a GPU's stream submits, on the
  // thread that pushes.
  void (*run)(void* context, stream_queue& stream);
  // If there is one: called once, when the device is done with the entry, or when run() has failed. It gives back what
  // the entry owned, and neither waits nor pushes. Gives what the entry failed by, if it did; throws nothing.
  std::exception_ptr (*done)(void* context);
  void* context;
};

class wake_signal;

class stream_queue {
 public:
  explicit stream_queue(device_engine& device) : device_(device) {}
  stream_queue(const stream_queue&) = delete;
  stream_queue& operator=(const stream_queue&) = delete;
  virtual ~stream_queue() = default;  // after all that is there

  device_engine& device() const { return device_; }

  // Appends and gives the place in the order, counted from 1. Waits while the stream is full.
  virtual std::uint64_t push(work entry) = 0;
  // Makes the next pushes wake the stream's thread, or not: see stream_scope.
  virtual void hold() {}
  virtual void let_go() {}
  // What comes after this starts after `before`, of a stream of any device. The calling thread does not wait.
  virtual void wait_for(const event& before) = 0;
  // A wait() for `ticket` then waits for nothing that is pushed after this call: what is pushed later may itself wait
  // for whoever waits.
  virtual void mark(std::uint64_t) {}
  // Entries up to `ticket` run though the stream is held: a device that cannot run them waits for them.
  virtual void let_run(std::uint64_t) {}

  // Entry `ticket` and all before it are done, and so are their done().
  virtual bool is_done(std::uint64_t ticket) = 0;
  // The same, of what is known: asks no device and takes no lock.
  virtual bool has_passed(std::uint64_t ticket) const noexcept = 0;
  virtual std::uint64_t last_ticket() const = 0;
  // Returns when entry `ticket` is done; may run entries itself.
  virtual void wait(std::uint64_t ticket) noexcept = 0;
  // Runs entry `ticket` on the calling thread if it comes next and nobody is at work here. False: it did not.
  virtual bool run_if_next(std::uint64_t) noexcept { return false; }
  // Sets the signal once entry `ticket` is done. False: this stream cannot tell, it has to be asked.
  virtual bool signal_when_done(std::uint64_t, const std::shared_ptr<wake_signal>&) { return false; }
  // Throws the failure of an entry first ... last, and forgets it. With a context: of an entry with that one, and
  // forgets them all.
  virtual void throw_failure(std::uint64_t first, std::uint64_t last, const void* context = nullptr) = 0;

 private:
  friend void retain(stream_queue& queue) noexcept;
  friend void release(stream_queue& queue) noexcept;

  device_engine& device_;
  std::atomic<int> handles_{0};
};

}  // namespace tilewright::detail
