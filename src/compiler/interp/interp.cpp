// SPDX-License-Identifier: Apache-2.0
#include "compiler/interp/interp.hpp"

#include <algorithm>

#include "compiler/interp/along_axis.hpp"
#include "compiler/interp/block_run.hpp"

namespace tilewright::compiler {
namespace interp {
namespace {

constexpr std::size_t alignment = 64;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

std::size_t scratch_of(const program& source, const block& body) {
  std::size_t bytes = 0;
  for (const instruction& i : body.body) {
    if (i.op == ast::op::mma) {
      const auto type = [&](std::size_t n) { return source.values[static_cast<std::size_t>(i.operands[n])]; };
      bytes = std::max(bytes, mma_scratch_bytes(type(0), type(1)));
    }
    for (const block& inner : i.blocks) bytes = std::max(bytes, scratch_of(source, inner));
  }
  return bytes;
}

}  // namespace

memory_plan plan_memory(const program& source) {
  memory_plan plan;
  std::size_t words = 0;
  for (const program_parameter& p : source.parameters) {
    plan.parameter_at.push_back(words);
    words += parameter_block_words(p);
  }
  for (const value_type& type : source.values) {
    plan.value_at.push_back(plan.bytes);
    plan.bytes += aligned(static_cast<std::size_t>(type.elements() * info(type.element).size_bytes));
  }
  plan.operand_scratch_at = plan.bytes;
  plan.bytes += aligned(scratch_of(source, source.entry));
  return plan;
}

void interpreted_image::run(const std::uint64_t* parameters, const std::int64_t* grid, std::int64_t first,
                            std::int64_t last, std::byte* scratch, fault_status* faults) const noexcept {
  block_run blocks(source_, plan_, parameters, grid, scratch, faults);
  for (std::int64_t n = first; n < last; ++n) blocks.run(n);
}

void interpreted_image::run_observed(const std::uint64_t* parameters, const std::int64_t* grid, std::int64_t blocks,
                                     std::byte* scratch, fault_status* faults, observer& watching) const {
  block_run each(source_, plan_, parameters, grid, scratch, faults, &watching);
  for (std::int64_t n = 0; n < blocks; ++n) each.run(n);
}

}  // namespace interp

std::shared_ptr<const image> emit_interp(const program& source) {
  return std::make_shared<interp::interpreted_image>(source);
}

}  // namespace tilewright::compiler
