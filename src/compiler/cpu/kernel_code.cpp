// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/kernel_code.hpp"

#include <algorithm>

#include "compiler/cpu/structure.hpp"

namespace tilewright::compiler {
namespace {

constexpr ir::type i64_type{ir::scalar_type::i64, 1};

// Axes that block ids may differ on.
int grid_axes(const program& source) {
  int axes = source.grid_rank;
  for (const program_parameter& parameter : source.parameters) {
    if (is_output(parameter.kind)) axes = std::max<int>(axes, parameter.rank);
  }
  return axes;
}

// Row-major: the last axis runs fastest.
void split_block_number(kernel_state& state, ir::value block) {
  const int axes = grid_axes(state.source);
  for (ir::value& id : state.block_ids) id = state.number(0);
  for (int axis = axes - 1; axis > 0; --axis) {
    const ir::value extent =
        state.code.load(i64_type, state.code.offset(state.code.grid(), 8 * std::int64_t{axis}), 8, ir::memory::input);
    state.block_ids[at(axis)] = state.code.unsigned_remainder(block, extent);
    block = state.code.unsigned_divide(block, extent);
  }
  state.block_ids[0] = block;
}

}  // namespace

kernel_code make_kernel_code(const program& source, int vector_bytes) {
  ir::module_builder code(kernel_symbol);
  const kernel_plan plan = plan_kernel(source, vector_bytes);
  kernel_state state{.source = source,
                     .plan = plan,
                     .code = code,
                     .vector_bytes = vector_bytes,
                     .scalars = std::vector<ir::value>(source.values.size()),
                     .offsets = plan.offsets,
                     .windows = std::vector<tensor_window>(source.values.size()),
                     .tables = std::vector<ir::value>(source.values.size()),
                     .remembered = {},
                     .scratch_bytes = plan.scratch_bytes};
  code.loop(code.first(), code.last(), 1, [&](ir::value block) {
    split_block_number(state, block);
    emit_instructions(state, source.entry.body);
  });
  code.finish();
  return {std::move(code), state.scratch_bytes};
}

}  // namespace tilewright::compiler
