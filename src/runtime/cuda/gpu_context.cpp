// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/gpu_context.hpp"

#include "tilewright/base/error.hpp"

namespace tilewright::cuda {

gpu_context::gpu_context(const driver_table& driver, int index) : driver_(driver), index_(index) {
  int count = 0;
  cuda::call(driver_, driver_.device_count, &count);
  if (index < 0 || index >= count) {
    throw usage_error({.what = "no such CUDA device",
                       .where = "cuda_device(" + std::to_string(index) + ")",
                       .expected = "0 or more, less than " + std::to_string(count),
                       .got = std::to_string(index),
                       .fix = "ask cuda_device_count(); CUDA_VISIBLE_DEVICES chooses devices"});
  }
  cuda::call(driver_, driver_.device_get, &device_, index);
  char model[256] = {};
  cuda::call(driver_, driver_.device_name, model, static_cast<int>(sizeof model - 1), device_);
  name_ = "cuda:" + std::to_string(index) + " (" + model + ")";
  multiprocessors_ = attribute(device_attribute::multiprocessor_count);
  capability_ = 10 * attribute(device_attribute::compute_capability_major) +
                attribute(device_attribute::compute_capability_minor);
  cuda::call(driver_, driver_.device_memory_bytes, &memory_bytes_, device_);
  cuda::call(driver_, driver_.primary_context_retain, &context_, device_);
}

gpu_context::~gpu_context() { (void)driver_.primary_context_release.function(device_); }

int gpu_context::attribute(device_attribute wanted) const {
  int value = 0;
  cuda::call(driver_, driver_.device_attribute_of, &value, wanted, device_);
  return value;
}

void gpu_context::lose(result code) noexcept {
  int none = 0;
  lost_.compare_exchange_strong(none, static_cast<int>(code));
}

void gpu_context::refuse_lost() const { refuse(driver_, name_.c_str(), static_cast<result>(lost_.load())); }

// A thread without a context keeps ours: that costs one call a launch less, and takes nothing from anybody.
gpu_context::current_scope::current_scope(gpu_context& wanted) noexcept : driver_(wanted.driver_) {
  context_handle current = nullptr;
  code_ = driver_.context_current.function(&current);
  if (code_ != result::success || current == wanted.context_) return;
  if (current == nullptr) {
    code_ = driver_.context_set_current.function(wanted.context_);
    return;
  }
  code_ = driver_.context_push.function(wanted.context_);
  is_pushed_ = code_ == result::success;
}

gpu_context::current_scope::~current_scope() {
  context_handle ours = nullptr;
  if (is_pushed_) (void)driver_.context_pop.function(&ours);
}

}  // namespace tilewright::cuda
