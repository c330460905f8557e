// SPDX-License-Identifier: Apache-2.0
// One GPU as this process uses it: its primary context, which other users of the process (such as PyTorch) share, and
// whether that context still lives. Everything that a device does on the GPU goes through here.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <type_traits>

#include "runtime/cuda/driver.hpp"

namespace tilewright::cuda {

class gpu_context {
 public:
  // Throws usage_error (no such device), driver_error.
  gpu_context(const driver_table& driver, int index);
  gpu_context(const gpu_context&) = delete;
  gpu_context& operator=(const gpu_context&) = delete;
  ~gpu_context();

  const driver_table& driver() const { return driver_; }
  const std::string& name() const { return name_; }  // "cuda:0 (NVIDIA H200)"
  int multiprocessors() const { return multiprocessors_; }
  int capability() const { return capability_; }  // 90 for 9.0
  int index() const { return index_; }
  device_number device() const { return device_; }
  std::size_t memory_bytes() const { return memory_bytes_; }
  context_handle handle() const { return context_; }

  // Makes a call with this context current on the thread, and leaves the thread as it was. The first throws.
  template <class... P>
  void call(const driver_call<P...>& entry, std::type_identity_t<P>... arguments) {
    const result code = try_call(entry, arguments...);
    if (code != result::success) [[unlikely]]
      refuse(driver_, entry.name, code);
  }
  template <class... P>
  result try_call(const driver_call<P...>& entry, std::type_identity_t<P>... arguments) noexcept {
    const current_scope scope(*this);
    result code = scope.code();
    if (code == result::success) code = entry.function(arguments...);
    if (is_fatal(code)) [[unlikely]]
      lose(code);
    return code;
  }
  // call() for what names a stream and comes often. Asking which context is current costs as much as all else that we
  // do for a launch, so it is tried with any, and again with ours where the driver refuses that. Whatever is wrong with
  // the other context then says nothing of ours.
  template <class... P>
  void call_on_stream(const driver_call<P...>& entry, std::type_identity_t<P>... arguments) {
    const result code = entry.function(arguments...);
    if (code == result::success) [[likely]]
      return;
    if (code == result::invalid_context || code == result::invalid_handle || is_fatal(code)) {
      return call(entry, arguments...);
    }
    refuse(driver_, entry.name, code);
  }

  // A kernel ran into a trap, or worse: nothing works on this context any more. The first reason stays.
  void lose(result code) noexcept;
  bool is_lost() const noexcept { return lost_.load(std::memory_order_relaxed) != 0; }
  // Throws driver_error when the context is lost.
  void require_alive() const {
    if (is_lost()) [[unlikely]]
      refuse_lost();
  }

 private:
  class current_scope {
   public:
    explicit current_scope(gpu_context& wanted) noexcept;
    current_scope(const current_scope&) = delete;
    current_scope& operator=(const current_scope&) = delete;
    ~current_scope();
    result code() const { return code_; }

   private:
    const driver_table& driver_;
    bool is_pushed_ = false;
    result code_;
  };

  int attribute(device_attribute wanted) const;
  [[noreturn]] void refuse_lost() const;

  const driver_table& driver_;
  const int index_;
  device_number device_ = 0;
  context_handle context_ = nullptr;
  std::string name_;
  int multiprocessors_ = 1, capability_ = 0;
  std::size_t memory_bytes_ = 0;
  std::atomic<int> lost_{0};  // the code of the failure
};

}  // namespace tilewright::cuda
