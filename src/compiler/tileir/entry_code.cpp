// SPDX-License-Identifier: Apache-2.0
// The start of a kernel: one parameter for each word of the parameter block, one for the status of checks, what the
// facts say of them, a view for each tile extent that is loaded or stored.
#include "compiler/loops.hpp"
#include "compiler/tileir/kernel_state.hpp"
#include "compiler/tileir/memory_code.hpp"
#include "compiler/tileir/schedule_code.hpp"
#include "compiler/tileir/view_masks.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

void for_each_instruction(const block& code, const auto& visit) {
  for (const instruction& i : code.body) {
    visit(i);
    for (const block& inner : i.blocks) for_each_instruction(inner, visit);
  }
}

class entry {
 public:
  explicit entry(kernel_state& state) : state_(state), code_(state.code) {}

  std::vector<type_id> emit() {
    for (const program_parameter& parameter : state_.source.parameters) declare(parameter);
    if (!state_.source.residual_checks.empty()) {
      types_.push_back(state_.ids.pointer_tile(type_tag::i32));
      state_.status = static_cast<value_number>(types_.size() - 1);
    }
    code_.reserve_parameters(types_.size());
    const std::vector<bool> is_flattened = find_flattened(state_.source);
    for (std::size_t p = 0; p < state_.tensors.size(); ++p) state_.tensors[p].is_flattened = is_flattened[p];
    emit_launch_control(state_);
    for (std::size_t p = 0; p < state_.tensors.size(); ++p) {
      if (is_tensor(p)) assume_facts(p);
    }
    for_each_instruction(state_.source.entry, [&](const instruction& i) { use_view(i); });
    find_ordered();
    return std::move(types_);
  }

 private:
  const program_parameter& parameter(std::size_t p) const { return state_.source.parameters[p]; }
  bool is_tensor(std::size_t p) const { return parameter(p).kind != parameter_kind::scalar; }

  // ---- Parameters
  code_value take(type_tag element) {
    types_.push_back(state_.ids.tile(element));
    return {static_cast<value_number>(types_.size() - 1), element, {}};
  }

  void declare(const program_parameter& next) {
    tensor_state tensor;
    code_value scalar;
    tensor.element = element_in_memory(next.element);
    tensor.index = next.facts.fits_31_bits ? type_tag::i32 : type_tag::i64;
    if (next.kind == parameter_kind::scalar) {
      scalar = take(tensor.element);
    } else {
      types_.push_back(state_.ids.pointer_tile(tensor.element));
      tensor.base = static_cast<value_number>(types_.size() - 1);
      for (int axis = 0; axis < next.rank; ++axis) tensor.extents.push_back(take(tensor.index));
      for (int axis = 0; axis < next.rank; ++axis) tensor.strides.push_back(take(tensor.index));
      if (next.kind == parameter_kind::accum) tensor.sharers = take(type_tag::i64);
    }
    state_.tensors.push_back(std::move(tensor));
    state_.scalars.push_back(scalar);
  }

  // ---- Facts
  value_number assume(value_number x, type_id type, attribute what) {
    operation made;
    made.code = opcode::assume;
    made.attributes = {std::move(what)};
    made.operands = {x};
    made.results = {type};
    return code_.append(std::move(made));
  }
  value_number assume_divisible(value_number x, type_id type, std::int64_t by) {
    if (by <= 1) return x;
    attribute divisible;
    divisible.tag = attribute_tag::divisible;
    divisible.word = static_cast<std::uint64_t>(by);
    return assume(x, type, std::move(divisible));
  }
  value_number assume_not_negative(value_number x, type_id type) {
    attribute bounded;
    bounded.tag = attribute_tag::bounded;
    bounded.first = 0;
    return assume(x, type, std::move(bounded));
  }

  void assume_facts(std::size_t p) {
    tensor_state& tensor = state_.tensors[p];
    const tensor_facts& facts = parameter(p).facts;
    const type_id index = state_.ids.tile(tensor.index);
    tensor.ends_on_vectors = ends_on_vectors(p);
    const auto told = [&](std::int64_t divisor) { return tensor.is_flattened ? std::int64_t{1} : divisor; };
    const type_id pointer = state_.ids.pointer_tile(tensor.element);
    tensor.base = assume_divisible(tensor.base, pointer, told(facts.alignment_bytes));
    for (std::size_t axis = 0; axis < tensor.extents.size(); ++axis) {
      code_value &extent = tensor.extents[axis], &stride = tensor.strides[axis];
      const index_t fixed = parameter(p).fixed_extents[axis];
      if (fixed > 0) {
        extent = code_.integer(tensor.index, fixed);
      } else {
        extent.number = assume_not_negative(extent.number, index);
        extent.number = assume_divisible(extent.number, index, told(extent_divisor(state_.source, p, axis)));
      }
      if (!facts.unit_stride[axis]) {
        stride.number = assume_divisible(stride.number, index, told(facts.stride_divisor[axis]));
      }
    }
  }

  // Whether an axis with steps of one element, which need not be the last, is known and holds whole groups.
  bool ends_on_vectors(std::size_t p) const {
    const program_parameter& form = parameter(p);
    const std::int64_t vector = 16 / info(form.element).size_bytes;
    bool is_known = form.rank == 0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(form.rank); ++axis) {
      if (!form.facts.unit_stride[axis]) continue;
      const index_t fixed = form.fixed_extents[axis];
      const std::int64_t divisor = fixed > 0 ? fixed : extent_divisor(state_.source, p, axis);
      if (divisor % vector != 0 || !stores_whole_groups(p, axis, vector)) return false;
      is_known = true;
    }
    return is_known;
  }
  bool stores_whole_groups(std::size_t p, std::size_t axis, std::int64_t vector) const {
    const auto is_whole = [&](std::int64_t extent) { return rounded_up(extent) == extent || extent % vector == 0; };
    bool all = parameter(p).has_whole(axis) || is_whole(parameter(p).piece[axis]);
    for_each_instruction(state_.source.entry, [&](const instruction& i) {
      if (is_tile_of(i, p)) all = all && is_whole(state_.type(i.operands[0]).extents[axis]);
    });
    return all;
  }
  static bool is_tile_of(const instruction& i, std::size_t p) {
    return i.op == op::store_tile && i.attributes[0] == static_cast<std::int64_t>(p);
  }

  // ---- Views: all up front, as loops cannot carry them
  void use_view(const instruction& i) {
    if (ast::loads_tile(i.op)) {
      const padding pad = padding_of(state_, i).value_or(padding::zero);
      add_view(i.attributes[0], state_.shape(i.results[0]), steps_of(state_, i), pad);
    }
    if (i.op == op::store_tile) {
      const tile_shape tile = state_.exact_shape(i.operands[0]);
      if (rounded_up(tile) == tile) add_view(i.attributes[0], tile, tile, padding::zero);
    }
    const bool is_in_turn = i.op == op::combine && combines_in_turn(state_.source, i.attributes[0]);
    if (i.op != op::load_piece && i.op != op::store && !is_in_turn) return;
    tile_shape piece = piece_of(parameter(static_cast<std::size_t>(i.attributes[0])));
    if (i.op == op::store && !piece.empty()) piece.back() = stored_columns(state_.source, i.attributes[0]);
    if (rounded_up(piece) == piece) add_view(i.attributes[0], piece, piece, padding::zero);
  }

  void add_view(std::int64_t parameter, const tile_shape& tile, const tile_shape& steps, padding pad) {
    tensor_state& tensor = state_.tensors[static_cast<std::size_t>(parameter)];
    if (tile.empty() || find_view(tensor, tile, steps, pad)) return;
    if (tensor.uses.empty()) {
      tensor.view_type = tensor_type(state_, parameter, {});
      tensor.view = make_tensor_view(state_, parameter, tensor.view_type, tensor.extents);
    }
    const tile_view made = make_tile_view(state_, tensor.view_type, tensor.view, tile, steps, pad);
    tensor.uses.push_back({tile, steps, pad, made.number});
  }

  // ---- Order of accesses: only tensors that are both read and written, or written twice, need one
  void find_ordered() {
    for (std::size_t p = 0; p < state_.tensors.size(); ++p) {
      if (combines_in_turn(state_.source, static_cast<std::int64_t>(p))) {
        state_.tensors[p].is_ordered = state_.tensors[p].is_read_after_store = true;
      }
      if (parameter(p).kind != parameter_kind::in_out) continue;
      const auto position = static_cast<std::int64_t>(p);
      state_.tensors[p].is_ordered = accesses(state_.source.entry, position) > 1;
      state_.tensors[p].is_read_after_store = is_read_after_store(position);
    }
  }

  // A load by TMA does not see what was stored without it, nor the other way round, unless something waits for it.
  bool is_read_after_store(std::int64_t parameter) const {
    bool is_stored = false, is_read = false;
    for_each_instruction(state_.source.entry, [&](const instruction& i) {
      if (i.op == op::store && i.attributes[0] == parameter) is_stored = true;
      if (i.op == op::load_piece && i.attributes[0] == parameter && is_stored) is_read = true;
    });
    return is_read;
  }

  // One inside a loop counts as several.
  static int accesses(const block& code, std::int64_t parameter) {
    int count = 0;
    for (const instruction& i : code.body) {
      const bool is_access = i.op == op::load_piece || i.op == op::store;
      if (is_access && i.attributes[0] == parameter) ++count;
      for (const block& inner : i.blocks) count += accesses(inner, parameter) * (is_loop(i) ? 2 : 1);
    }
    return count;
  }

  kernel_state& state_;
  code_builder& code_;
  std::vector<type_id> types_;
};

}  // namespace

std::vector<type_id> emit_entry(kernel_state& state) { return entry(state).emit(); }

}  // namespace tilewright::compiler::tileir
