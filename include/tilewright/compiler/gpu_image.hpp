// SPDX-License-Identifier: Apache-2.0
// An image for a GPU: machine code (a cubin) and how it is launched.
// The kernel takes one parameter for each word of the parameter block, in its order: pointers, then numbers as i32 or
// i64, so that a launch passes the address of each word. A kernel with a status takes one pointer more, at the end.
// Blocks of threads are (1, 1, 1): the code says itself how many threads it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tilewright/compiler/image.hpp"
#include "tilewright/compiler/target.hpp"

namespace tilewright::compiler {

struct gpu_launch_form {
  bool persistent = false;     // blocks walk over the grid: start no more than fit the device
  std::int32_t num_ctas = 0;   // thread blocks of one block; 0 is 1
  std::int32_t occupancy = 0;  // blocks that a multiprocessor has room for; 0 is 1
  bool programmatic = false;   // it waits itself for the kernel before, so it may start before that one's end
  bool has_status = false;
  target architecture = target::sm_90;
  bool operator==(const gpu_launch_form&) const = default;

  // How many blocks to start (the grid's first axis; the others are 1) for so many logical blocks, at least 1.
  std::int64_t grid_of(std::int64_t blocks, std::int64_t multiprocessors) const {
    const std::int64_t fitting = multiprocessors * (occupancy > 0 ? occupancy : 1) / (num_ctas > 0 ? num_ctas : 1);
    const std::int64_t started = persistent && fitting < blocks ? fitting : blocks;
    return started > 0 ? started : 1;
  }
};

class TILEWRIGHT_API gpu_image final : public image {
 public:
  gpu_image(std::span<const std::byte> cubin, std::string symbol, const gpu_launch_form& form);

  // From object() of an image; `where` tells messages the kernel. Throws runtime_error unless every byte is as stored
  // and the image is one for `architecture`.
  static std::shared_ptr<const gpu_image> load(std::span<const std::byte> object, target architecture,
                                               const std::string& where);

  std::span<const std::byte> cubin() const noexcept { return std::span(object_).subspan(cubin_at_); }
  const std::string& symbol() const noexcept { return symbol_; }  // the kernel's name in the cubin
  const gpu_launch_form& form() const noexcept { return form_; }

  const gpu_image* gpu() const noexcept override { return this; }
  const std::vector<std::byte>& object() const noexcept override { return object_; }

 private:
  std::string symbol_;
  gpu_launch_form form_;
  std::vector<std::byte> object_;
  std::size_t cubin_at_ = 0;
};

// How every GPU image of this process is made. Part of the key of images: set it before the first launch, or by
// TILEWRIGHT_SANITIZE=memcheck in the environment.
struct gpu_options {
  bool memcheck = false;  // the code checks its accesses (compute-sanitizer needs no more): slow, for finding faults
  bool operator==(const gpu_options&) const = default;
};
TILEWRIGHT_API gpu_options current_gpu_options() noexcept;
TILEWRIGHT_API void set_gpu_options(const gpu_options& options) noexcept;

}  // namespace tilewright::compiler
