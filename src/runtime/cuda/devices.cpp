// SPDX-License-Identifier: Apache-2.0
// The CUDA devices of this process: made when asked for, never destroyed, since tensors of static storage may die
// after everything else.
#include <unistd.h>

#include <array>
#include <mutex>
#include <string>

#include "runtime/cuda/cuda_engine.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright {
namespace {

constexpr int most_devices = 64;

class device_list {
 public:
  static device_list& shared() {
    static auto* const one = new device_list;
    static const struct finisher {
      ~finisher() { one->end(); }
    } at_exit;
    (void)at_exit;
    return *one;
  }

  detail::device_engine& at(int index) {
    const std::lock_guard lock(mutex_);
    require_same_process();
    const cuda::driver_table& driver = cuda::loaded_driver();
    const bool is_known = index >= 0 && index < most_devices;
    if (is_known && made_[static_cast<std::size_t>(index)]) return *made_[static_cast<std::size_t>(index)];
    auto made = std::make_unique<cuda::cuda_engine>(driver, index);  // refuses an index that is none
    require_internal(is_known, "more GPUs than a device list holds");
    return *(made_[static_cast<std::size_t>(index)] = std::move(made));
  }

 private:
  // The work in flight is finished before the libraries below are taken down. A forked child has none.
  void end() noexcept {
    if (getpid() != process_) return;
    for (const auto& each : made_) {
      if (each) each->end_streams();
    }
  }

  void require_same_process() const {
    if (getpid() == process_) return;
    throw usage_error({.what = "a device does not survive a fork",
                       .where = "cuda_device() in process " + std::to_string(getpid()),
                       .expected = "process " + std::to_string(process_) + ", which began to use GPUs",
                       .got = "a process forked from it",
                       .fix = "fork before the first use of a GPU, or start a new program"});
  }

  const pid_t process_ = getpid();
  std::mutex mutex_;
  std::array<std::unique_ptr<cuda::cuda_engine>, most_devices> made_;
};

}  // namespace

Device cuda_device(int index) { return Device(device_list::shared().at(index)); }

int cuda_device_count() noexcept {
  try {
    const cuda::driver_table& driver = cuda::loaded_driver();
    int count = 0;
    return driver.device_count.function(&count) == cuda::result::success ? count : 0;
  } catch (...) {
    return 0;
  }
}

}  // namespace tilewright
