// SPDX-License-Identifier: Apache-2.0
// Machine code of images on one GPU: each image is loaded once, and unloaded when it is gone.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "runtime/cuda/gpu_context.hpp"
#include "tilewright/compiler/gpu_image.hpp"

namespace tilewright::cuda {

class modules {
 public:
  explicit modules(gpu_context& context) : context_(context) {}
  modules(const modules&) = delete;
  modules& operator=(const modules&) = delete;
  ~modules();

  // Valid as long as somebody holds the image. Any thread may call. Throws driver_error, out_of_memory; runtime_error
  // when the code does not take `parameters` parameters.
  function_handle function_of(const std::shared_ptr<const compiler::image>& image, std::size_t parameters);

 private:
  struct loaded {
    std::weak_ptr<const compiler::image> image;
    module_handle module = nullptr;
    function_handle function = nullptr;
    std::size_t parameters = 0;
  };

  loaded load(const std::shared_ptr<const compiler::image>& image);
  std::size_t parameters_of(function_handle function);
  void unload(const loaded& gone) noexcept;
  void drop_dead();

  gpu_context& context_;
  std::mutex mutex_;
  std::map<const compiler::image*, loaded> loaded_;
};

}  // namespace tilewright::cuda
