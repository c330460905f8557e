// SPDX-License-Identifier: Apache-2.0
#include "support/fake_cuda_device.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace tilewright::test {

// The output of greatest rank gives the grid, an Accum only where no other is; it has an axis more.
void fake_cuda_engine::interpreted::run(const std::uint64_t* words) const {
  std::int64_t grid[max_rank];
  std::fill(std::begin(grid), std::end(grid), 1);
  std::int8_t widest = -1;
  bool has_own = false;
  const std::uint64_t* at = words;
  const auto rows_of = [&](std::int32_t indices) {
    std::size_t before = 0;
    for (std::int32_t p = 0; p < indices; ++p) {
      before += compiler::parameter_block_words(parameters[static_cast<std::size_t>(p)]);
    }
    return words[before + 1];
  };
  for (const compiler::program_parameter& parameter : parameters) {
    const bool is_accum = parameter.kind == parameter_kind::accum;
    const bool is_own = is_output(parameter.kind) && !is_accum;
    if ((is_own && (!has_own || parameter.rank > widest)) || (is_accum && !has_own && parameter.rank > widest)) {
      widest = parameter.rank;
      has_own = is_own;
      std::fill(std::begin(grid), std::end(grid), 1);
      if (is_accum) grid[parameter.rank] = static_cast<std::int64_t>(at[1 + 2 * parameter.rank]);
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(parameter.rank); ++axis) {
        const bool is_placed = parameter.placed_by >= 0 && axis == 0;
        const auto extent = static_cast<std::int64_t>(is_placed ? rows_of(parameter.placed_by) : at[1 + axis]);
        if (parameter.has_whole(axis)) continue;
        grid[axis] = (extent + parameter.piece[axis] - 1) / parameter.piece[axis];
      }
    }
    at += compiler::parameter_block_words(parameter);
  }
  std::int64_t blocks = 1;
  for (const std::int64_t extent : grid) blocks *= extent;
  const compiler::host_image& code = compiler::host_of(*image);
  const std::size_t room = code.scratch_bytes() / sizeof(std::max_align_t) + 64;
  std::vector<std::max_align_t> scratch(room);
  void* aligned = scratch.data();
  std::size_t space = room * sizeof(std::max_align_t);
  std::align(64, code.scratch_bytes(), aligned, space);
  // SAFETY: the last word of a checked kernel is the address of its status, in memory of the host.
  auto* faults = has_status ? reinterpret_cast<compiler::fault_status*>(*at) : nullptr;
  code.run(words, grid, 0, blocks, static_cast<std::byte*>(aligned), faults);
}

const runtime::compiled_kernel& fake_cuda_engine::compile(const ast::module_view& module,
                                                          const compiler::specialization& special) {
  const std::lock_guard lock(mutex_);
  const compiler::image_key key = compiler::key_of(module, special, target());
  for (const known& each : kernels_) {
    if (each.key == key && each.module == &module) return each.kernel;
  }
  runtime::compiled_kernel made;
  made.program = compiler::front(module, special);
  interpreted code{compiler::emit(made.program, compiler::target::interp), made.program.parameters,
                   !made.program.residual_checks.empty()};
  fake_kernel kernel;
  for (const compiler::program_parameter& parameter : code.parameters) {
    kernel.is_pointer.push_back(parameter.kind != parameter_kind::scalar);
    kernel.is_pointer.insert(kernel.is_pointer.end(), compiler::parameter_block_words(parameter) - 1, false);
  }
  if (code.has_status) kernel.is_pointer.push_back(true);
  kernel.run = [code](std::uint32_t, const std::uint64_t* words) { code.run(words); };
  const std::string symbol = std::string(module.name) + "_" + std::to_string(kernels_.size());
  driver_.add_kernel(symbol, std::move(kernel));
  compiler::gpu_launch_form now = form;
  now.has_status = code.has_status;
  made.image = std::make_shared<compiler::gpu_image>(fake_driver::code_of(symbol), symbol, now);
  kernels_.push_back({key, &module, std::move(made)});
  return kernels_.back().kernel;
}

}  // namespace tilewright::test
