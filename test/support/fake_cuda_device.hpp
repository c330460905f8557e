// SPDX-License-Identifier: Apache-2.0
// A CUDA device on the fake driver that runs real kernels: the interpreter computes what the GPU would. So whatever
// runs on a Device runs on it, with the runtime's own memory, streams and order.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cuda/cuda_engine.hpp"
#include "runtime/image_cache.hpp"
#include "support/fake_driver.hpp"

namespace tilewright::test {

class fake_cuda_engine final : public cuda::cuda_engine {
 public:
  explicit fake_cuda_engine(fake_driver& driver, int index = 0) : cuda_engine(driver.table(), index), driver_(driver) {}

  compiler::gpu_launch_form form{.architecture = compiler::target::sm_86};  // of what is compiled from now on

  const runtime::compiled_kernel& compile(const ast::module_view& module,
                                          const compiler::specialization& special) override;

 private:
  // A kernel's words are the interpreter's parameter block; the logical grid follows from it.
  struct interpreted {
    std::shared_ptr<const compiler::image> image;
    std::vector<compiler::program_parameter> parameters;
    bool has_status = false;

    void run(const std::uint64_t* words) const;
  };
  struct known {
    compiler::image_key key;
    const ast::module_view* module;
    runtime::compiled_kernel kernel;
  };

  fake_driver& driver_;
  std::mutex mutex_;
  std::deque<known> kernels_;
};

}  // namespace tilewright::test
