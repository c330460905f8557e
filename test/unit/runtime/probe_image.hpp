// SPDX-License-Identifier: Apache-2.0
// Images that are no kernels: they tell the tests of the executor and the caches what was done with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tilewright/compiler/image.hpp"

namespace tilewright::test {

// Calls a function for each block that it runs.
class probe_image final : public compiler::host_image {
 public:
  using block_function = std::function<void(std::int64_t block, std::byte* scratch)>;

  explicit probe_image(block_function each, std::size_t scratch_bytes = 0, std::vector<std::byte> object = {})
      : each_(std::move(each)), scratch_bytes_(scratch_bytes), object_(std::move(object)) {}

  void run(const std::uint64_t*, const std::int64_t*, std::int64_t first, std::int64_t last, std::byte* scratch,
           compiler::fault_status*) const noexcept override {
    for (std::int64_t block = first; block < last; ++block) each_(block, scratch);
  }
  std::size_t scratch_bytes() const noexcept override { return scratch_bytes_; }
  const std::vector<std::byte>& object() const noexcept override { return object_; }

 private:
  block_function each_;
  std::size_t scratch_bytes_;
  std::vector<std::byte> object_;
};

}  // namespace tilewright::test
