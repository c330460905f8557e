// SPDX-License-Identifier: Apache-2.0
// What a kernel's schedule writes: the order and number of blocks around the body, and hints to the assembler.
#pragma once

#include <functional>
#include <optional>

#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {

// Clusters of thread blocks and programmatic launches.
constexpr bool has_clusters(target where) { return where >= target::sm_90; }

// Adds a fault for each number that Tile IR gives no meaning: the assembler takes all hints in silence.
void check_schedule(kernel_state& state);

// Lets the next kernel of the stream start and waits for the one before, if the schedule asks for it and the target has
// it. Comes first: whatever stands before the wait breaks the assembler's pipeline of loads.
void emit_launch_control(kernel_state& state);

// Emits `body` once, inside the loop over logical blocks if there is one, with state.block_ids set. Blocks count
// row-major over the grid, or by groups of rows. The pieces of the first output make the grid; where all are Accums,
// those of the widest and the blocks that share each of them. An axis of one tile costs nothing. Blocks in turn are a
// loop of their own, inside.
void emit_blocks(kernel_state& state, const std::function<void()>& body);

// Hints of the kernel, and of one access to a parameter's tensor; none if the schedule sets nothing.
std::optional<attribute> kernel_hints(kernel_state& state);
enum class access_kind : std::uint8_t { load, store, load_by_pointers, store_by_pointers };
std::optional<attribute> access_hints(kernel_state& state, std::int64_t parameter, access_kind kind);

// Columns of the parameter's piece that one store writes: a part of them where the schedule splits the epilogue.
std::int64_t stored_columns(const program& source, std::int64_t parameter);

}  // namespace tilewright::compiler::tileir
