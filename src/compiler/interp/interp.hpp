// SPDX-License-Identifier: Apache-2.0
// The interpreter back end: runs a program instruction by instruction, tile by tile. It defines the meaning that the
// other back ends are compared with, so it reads like the specification and optimises nothing.
#pragma once

#include <memory>

#include "compiler/interp/block_run.hpp"
#include "compiler/scaled_products.hpp"
#include "tilewright/compiler/image.hpp"

namespace tilewright::compiler {

namespace interp {

class TILEWRIGHT_API interpreted_image final : public host_image {
 public:
  explicit interpreted_image(const program& source)
      : source_(with_plain_products(source)), plan_(plan_memory(source_)) {}

  void run(const std::uint64_t* parameters, const std::int64_t* grid, std::int64_t first, std::int64_t last,
           std::byte* scratch, fault_status* faults) const noexcept override;
  std::size_t scratch_bytes() const noexcept override { return plan_.bytes; }
  const std::vector<std::byte>& object() const noexcept override { return nothing_; }

  // All blocks, one after the other; throws what the observer throws.
  void run_observed(const std::uint64_t* parameters, const std::int64_t* grid, std::int64_t blocks, std::byte* scratch,
                    fault_status* faults, observer& watching) const;
  const program& source() const { return source_; }

 private:
  program source_;
  memory_plan plan_;
  std::vector<std::byte> nothing_;
};

}  // namespace interp

std::shared_ptr<const image> emit_interp(const program& source);

}  // namespace tilewright::compiler
