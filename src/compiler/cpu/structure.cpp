// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/structure.hpp"

#include "compiler/cpu/boxes.hpp"
#include "compiler/cpu/chosen_code.hpp"
#include "compiler/cpu/combine_code.hpp"
#include "compiler/cpu/element_code.hpp"
#include "compiler/cpu/elements.hpp"
#include "compiler/cpu/fault_code.hpp"
#include "compiler/cpu/print_code.hpp"
#include "compiler/cpu/products.hpp"
#include "compiler/cpu/reductions.hpp"
#include "compiler/tile_access.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

constexpr ir::type i64_type{ir::scalar_type::i64, 1};

// An output larger than this does not stay in any cache, so its lines need not be read first.
constexpr std::int64_t streamed_bytes = std::int64_t{24} << 20;

ir::value word(kernel_state& state, std::int64_t parameter, std::int64_t n) {
  return state.code.load(i64_type, parameter_word(state, parameter, n), 8, ir::memory::input);
}

ir::value tile_count(kernel_state& state, const instruction& i) {
  const ir::value extent = word(state, i.attributes[0], 1 + i.attributes[1]);
  const ir::value above = state.code.add_index(extent, state.number(i.attributes[2] - 1));
  return state.code.signed_divide(above, state.number(i.attributes[2]));
}

ir::value scalar_parameter(kernel_state& state, const instruction& i) {
  const dtype element = state.type(i.results[0]).element;
  const ir::value loaded =
      state.code.load({memory_type(element), 1}, parameter_word(state, i.attributes[0], 0), 8, ir::memory::input);
  return from_memory(state.code, element, loaded);
}

ir::value scalar_result(kernel_state& state, const instruction& i) {
  switch (i.op) {
    case op::scalar:
      return scalar_parameter(state, i);
    case op::block_id:
      return state.block_ids[at(i.attributes[0])];
    case op::block_count:
      return state.code.load(i64_type, state.code.offset(state.code.grid(), 8 * i.attributes[0]), 8, ir::memory::input);
    case op::extent:
      return word(state, i.attributes[0], 1 + i.attributes[1]);
    case op::tiles:
      return tile_count(state, i);
    case op::constant:
      return constant_element(state.code, state.type(i.results[0]).element, i.attributes[0], 1);
    case op::load:
    case op::load_window:
      return load_from_tensor(state, state.windows[at(i.results[0])], state.type(i.results[0]), first_place(state), {});
    case op::load_piece: {
      const value_type& type = state.type(i.results[0]);
      const tensor_window window = window_of(state, i, state.block_ids);
      return load_from_tensor(state, window, type, first_place(state), {});
    }
    case op::gather:
      return gathered_elements(state, i, first_place(state));
    case op::reshape:
    case op::broadcast:
    case op::extract:
    case op::permute: {
      const remembering_scope scope(state);
      return element_at(state, i.operands[0], first_place(state));
    }
    default:
      break;
  }
  std::vector<ir::value> operands;
  for (const value_id id : i.operands) operands.push_back(state.scalars[at(id)]);
  if (!i.residual_checks.empty()) check_divisor(state, i, operands[1]);
  return element_op(state.code, i, state.type(i.results[0]).element, state.type(i.operands.back()).element, operands);
}

void emit_cat(kernel_state& state, const instruction& i) {
  const value_type& result = state.type(i.results[0]);
  const auto axis = at(i.attributes[0]);
  std::int64_t start = 0;
  for (const value_id id : i.operands) {
    const value_type& part = state.type(id);
    for_each_vector(state, part, state.plan.lanes, [&](const position& place) {
      position target = place;
      target.axes[axis].base = state.code.add_index(place.axes[axis].base, state.number(start));
      store_stored(state, result, state.offsets[at(i.results[0])], target, vector_at(state, id, place));
    });
    start += part.extents[axis];
  }
}

void emit_load_piece(kernel_state& state, const instruction& i) {
  const value_id result = i.results[0];
  const value_type& type = state.type(result);
  const tensor_window window = window_of(state, i, state.block_ids);
  for_each_vector(state, type, state.plan.lanes, [&](const position& place) {
    store_stored(state, type, state.offsets[at(result)], place, load_from_tensor(state, window, type, place, {}));
  });
}

void open_window(kernel_state& state, const instruction& i) {
  std::array<ir::value, max_rank> tile{};
  const value_type& type = state.type(i.results[0]);
  if (i.op == op::gather_rows) {
    tile[1] = state.scalars[at(i.operands[1])];
  } else {
    for (int axis = 0; axis < type.rank; ++axis) tile[at(axis)] = state.scalars[at(i.operands[at(axis)])];
  }
  const ir::value holds = check_tile_indices(state, i, tile);
  tensor_window window = window_of(state, i, tile);
  if (holds) clear_unless(state, holds, type, window);
  state.windows[at(i.results[0])] = window;
  if (i.op == op::gather_rows) check_rows(state, i);
}

void emit_stored(kernel_state& state, const instruction& i) {
  const value_id result = i.results[0];
  switch (i.op) {
    case op::reduce_sum:
    case op::reduce_product:
    case op::reduce_max:
    case op::reduce_min:
      return emit_reduce(state, i);
    case op::argmax:
      return emit_argmax(state, i);
    case op::scan_sum:
    case op::scan_product:
    case op::scan_max:
    case op::scan_min:
      return emit_scan(state, i);
    case op::mma:
      return emit_product(state, i);
    case op::cat:
      return emit_cat(state, i);
    case op::load_piece:
      return emit_load_piece(state, i);
    default:
      break;
  }
  fill_room(state, result);
}

// Row by row, each to the row of the tensor that its index names; past the last index there is none.
void emit_store_rows(kernel_state& state, const instruction& i) {
  ir::module_builder& code = state.code;
  const value_id stored = i.operands[0];
  const value_type& type = state.type(stored);
  const tensor_window window = window_of(state, i, {{{}, state.block_ids[1]}});
  const ir::value rows = is_masked(state.source, i, 0) ? word(state, i.attributes[0], 1) : ir::value{};
  const bool is_column = vector_axis_of(type) == 0;
  for_each_vector(state, type, is_column ? 1 : state.plan.lanes, [&](const position& place) {
    const ir::value row = row_number(state, i.operands[1], place);
    const ir::value elements = vector_at(state, stored, place);
    position target = place;
    target.axes[0] = {row, 0, 1};
    const auto store = [&] { store_to_tensor(state, window, type, target, elements, false); };
    if (!rows) return store();
    code.branch(code.compare_integers(ir::compare::unsigned_less, row, rows), store);
  });
}

void emit_instruction(kernel_state& state, const instruction& i) {
  switch (i.op) {
    case op::for_begin:
    case op::while_begin:
      return emit_loop(state, i);
    case op::if_begin:
      return emit_branch(state, i);
    case op::reduce_begin:
    case op::scan_begin:
      return emit_combined(state, i);
    case op::store:
    case op::store_tile:
      return emit_store(state, i);
    case op::store_rows:
      return emit_store_rows(state, i);
    case op::combine:
      return emit_combine(state, i);
    case op::assertion:
      return check_assertion(state, i);
    case op::print:
      return emit_print(state, i);
    case op::combine_at:
      return emit_combine_at(state, i);
    default:
      break;
  }
  if (ast::loads_tile(i.op) || i.op == op::gather_rows) open_window(state, i);
  const value_id result = i.results[0];
  if (state.home(result) == value_home::scalar) state.scalars[at(result)] = scalar_result(state, i);
  if (state.home(result) == value_home::stored) emit_stored(state, i);
}

// Whether vector stores to the output lie at multiples of their size and never overhang.
bool may_stream(const kernel_state& state, const instruction& store, const value_type& piece) {
  const tensor_facts& facts = state.source.parameters[at(store.attributes[0])].facts;
  const int axis = vector_axis_of(piece);
  const int vector = state.plan.lanes * info(piece.element).size_bytes;
  if (facts.alignment_bytes < vector || vector < 16 || !facts.unit_stride[at(axis)]) return false;
  for (int a = 0; a < piece.rank; ++a) {
    if (is_masked(state.source, store, at(a))) return false;
    if (a != axis && facts.stride_divisor[at(a)] * info(piece.element).size_bytes % vector != 0) return false;
  }
  return axis == piece.rank - 1 && piece.extents[at(axis)] % state.plan.lanes == 0;
}

}  // namespace

void emit_store(kernel_state& state, const instruction& i) {
  const value_id stored = i.operands[0];
  const value_type& type = state.type(stored);
  const auto parameter = i.attributes[0];
  const program_parameter& output = state.source.parameters[at(parameter)];
  std::array<ir::value, max_rank> tile = state.block_ids;
  std::size_t next = 1;
  for (int axis = 0; axis < output.rank; ++axis) {
    if (output.has_whole(at(axis))) tile[at(axis)] = state.scalars[at(i.operands[next++])];
  }
  const tensor_window window = window_of(state, i, tile);
  const auto write_all = [&](bool is_non_temporal) {
    for_each_vector(
        state, type, state.plan.lanes,
        [&](const position& place) {
          store_to_tensor(state, window, type, place, vector_at(state, stored, place), is_non_temporal);
        },
        [&](const position& place) { remember_uniform(state, stored, place, vector_axis_of(type)); });
  };
  if (!may_stream(state, i, type)) {
    write_all(false);
    return;
  }
  ir::value bytes = state.number(info(type.element).size_bytes);
  for (int axis = 0; axis < type.rank; ++axis) {
    bytes = state.code.multiply_index(bytes, word(state, parameter, 1 + axis));
  }
  const ir::value is_large = state.code.compare_integers(ir::compare::greater, bytes, state.number(streamed_bytes));
  state.code.branch(
      is_large,
      [&] {
        write_all(true);
        state.code.store_fence();
        return ir::module_builder::values{};
      },
      [&] {
        write_all(false);
        return ir::module_builder::values{};
      });
}

void emit_instructions(kernel_state& state, std::span<const instruction> code) {
  for (const instruction& i : code) emit_instruction(state, i);
}

}  // namespace tilewright::compiler
