// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/memory_code.hpp"

#include <bit>
#include <cmath>

#include "compiler/tile_access.hpp"
#include "compiler/tileir/chosen_code.hpp"
#include "compiler/tileir/fault_code.hpp"
#include "compiler/tileir/loaded_once.hpp"
#include "compiler/tileir/schedule_code.hpp"
#include "compiler/tileir/view_masks.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

const program_parameter& parameter_of(const kernel_state& state, std::int64_t parameter) {
  return state.source.parameters[static_cast<std::size_t>(parameter)];
}
tensor_state& tensor_of(kernel_state& state, std::int64_t parameter) {
  return state.tensors[static_cast<std::size_t>(parameter)];
}

// ---- Elements in memory and in code --------------------------------------------------------------------------------
code_value from_memory(kernel_state& state, const code_value& x, dtype element) {
  if (element == dtype::tf32) return state.code.converted(x, type_tag::tf32);
  if (element != dtype::boolean) return x;
  const code_value zero = state.code.splat(x.element, x.shape, 0);
  return state.code.compare(not_equal, is_unsigned, x, zero);
}

// ---- Order of accesses and hints -----------------------------------------------------------------------------------
// Adds what the schedule says of the access, and the token that it waits for. `bit` is the token's flag.
void complete(kernel_state& state, operation& made, std::int64_t parameter, access_kind kind, int bit) {
  constexpr std::uint32_t with_hints = 2;
  if (std::optional<attribute> hints = access_hints(state, parameter, kind)) {
    made.flags |= with_hints;
    made.attributes.push_back(std::move(*hints));
  }
  const tensor_state& tensor = tensor_of(state, parameter);
  const std::optional<value_number> after = tensor.token ? tensor.token : state.after_wait;
  if (!after) return;
  made.flags |= 1U << bit;
  made.operands.push_back(*after);
}
constexpr int view_token = 2, load_token = 4, store_token = 3;

// The access was made: what comes next to an ordered tensor comes after its token.
void follow(tensor_state& tensor, value_number token) {
  if (tensor.token) tensor.token = token;
}

// ---- Loads and stores through views --------------------------------------------------------------------------------
struct access {
  tile_view view;
  std::vector<code_value> index;
};

code_value load_view(kernel_state& state, std::int64_t parameter, const access& from, const tile_shape& shape) {
  tensor_state& tensor = tensor_of(state, parameter);
  operation made;
  made.code = opcode::load_view;
  made.results = {state.ids.tile(tensor.element, shape), state.ids.token()};
  made.fields = {0, 0};
  made.operands = {from.view.number};
  made.groups = {static_cast<std::uint32_t>(from.index.size())};
  for (const code_value& index : from.index) made.operands.push_back(index.number);
  complete(state, made, parameter, access_kind::load, view_token);
  const value_number number = state.code.append(std::move(made));
  follow(tensor, number + 1);
  return {number, tensor.element, shape};
}

void store_view(kernel_state& state, std::int64_t parameter, const access& to, const code_value& x) {
  operation made;
  made.code = opcode::store_view;
  made.results = {state.ids.token()};
  made.fields = {0, 0};
  made.operands = {x.number, to.view.number};
  made.groups = {static_cast<std::uint32_t>(to.index.size())};
  for (const code_value& index : to.index) made.operands.push_back(index.number);
  complete(state, made, parameter, access_kind::store, view_token);
  follow(tensor_of(state, parameter), state.code.append(std::move(made)));
}

// A tile of an output that lies at an index, in tiles of the extents `piece`. Lanes that rounding added belong to other
// tiles, so that the view ends where the piece does.
access tile_access(kernel_state& state, std::int64_t parameter, const tile_shape& tile, const tile_shape& piece,
                   std::vector<code_value> index) {
  const tensor_state& tensor = tensor_of(state, parameter);
  const tile_shape in_code = rounded_up(tile);
  if (const tensor_view_use* use = find_view(tensor, in_code, tile, padding::zero)) return {{use->number, 0}, index};
  std::vector<code_value> extents = tensor.extents;
  std::vector<bool> clipped;
  for (std::size_t axis = 0; axis < piece.size(); ++axis) {
    clipped.push_back(rounded_up(piece[axis]) != piece[axis]);
    if (!clipped[axis]) continue;
    const code_value size = state.code.integer(tensor.index, piece[axis]);
    const code_value start = state.code.multiply(index[axis], size);
    extents[axis] = state.code.lesser(extents[axis], state.code.add(start, size));
  }
  const type_id type = tensor_type(state, parameter, clipped);
  const value_number view = make_tensor_view(state, parameter, type, extents);
  return {make_tile_view(state, type, view, in_code, tile, padding::zero), index};
}

std::vector<code_value> piece_index(kernel_state& state, std::int64_t parameter) {
  std::vector<code_value> index;
  for (std::size_t axis = 0; axis < piece_of(parameter_of(state, parameter)).size(); ++axis) {
    index.push_back(state.code.resized(block_id(state, axis), tensor_of(state, parameter).index, is_signed));
  }
  return index;
}

access piece_access(kernel_state& state, std::int64_t parameter, const tile_shape& tile) {
  const tile_shape piece = piece_of(parameter_of(state, parameter));
  return tile_access(state, parameter, tile, piece, piece_index(state, parameter));
}

// All of one width, which the views ask for.
std::vector<code_value> tile_index(kernel_state& state, const instruction& load, std::size_t rank) {
  std::vector<std::optional<checked_tile>> checked;
  type_tag element = type_tag::i32;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    checked.push_back(check_tile(state, load, axis, axis));
    const auto& here = checked[axis];
    if (here ? here->index.element == type_tag::i64 : state.is_wide(load.operands[axis])) element = type_tag::i64;
  }
  std::vector<code_value> index;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    index.push_back(checked[axis] ? state.code.resized(checked[axis]->index, element, is_signed)
                                  : state.get(load.operands[axis], element));
  }
  return index;
}

// Lanes past the tensor take a value that no view gives by itself.
code_value padded(kernel_state& state, const instruction& load, const std::vector<code_value>& index,
                  const code_value& x) {
  const tensor_state& tensor = tensor_of(state, load.attributes[0]);
  const tile_shape steps = steps_of(state, load);
  const bool is_wide = tensor.index == type_tag::i64 || index[0].element == type_tag::i64;
  const type_tag width = is_wide ? type_tag::i64 : type_tag::i32;
  code_value result = x;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    if (!is_masked(state.source, load, axis) || ends_inside(state.source, load, axis)) continue;
    const code_value at = state.code.resized(index[axis], width, is_signed);
    const code_value start = state.code.multiply(at, state.code.integer(width, steps[axis]));
    const code_value end = state.code.resized(tensor.extents[axis], width, is_signed);
    const code_value is_real = state.code.lanes_below(state.code.subtract(end, start), x.shape, axis);
    const code_value pad = state.get(load.operands.back(), x.element, x.shape);
    result = state.code.select(is_real, result, pad);
  }
  return result;
}

// ---- Accesses through pointers -------------------------------------------------------------------------------------
code_value load_pointers(kernel_state& state, std::int64_t parameter, value_number pointers, const tile_shape& shape,
                         const code_value* mask) {
  constexpr std::uint32_t masked_and_padded = 4 | 8;
  tensor_state& tensor = tensor_of(state, parameter);
  operation made;
  made.code = opcode::load_ptr;
  made.results = {state.ids.tile(tensor.element, shape), state.ids.token()};
  made.fields = {0, 0};
  made.operands = {pointers};
  if (mask != nullptr) {
    const code_value zero = state.code.splat(tensor.element, shape, 0);
    made.flags |= masked_and_padded;
    made.operands.insert(made.operands.end(), {mask->number, zero.number});
  }
  complete(state, made, parameter, access_kind::load_by_pointers, load_token);
  const value_number number = state.code.append(std::move(made));
  follow(tensor, number + 1);
  return {number, tensor.element, shape};
}

void store_scalar(kernel_state& state, std::int64_t parameter, const code_value& x) {
  tensor_state& tensor = tensor_of(state, parameter);
  operation made;
  made.code = opcode::store_ptr;
  made.results = {state.ids.token()};
  made.fields = {0, 0};
  made.operands = {tensor.base, x.number};
  complete(state, made, parameter, access_kind::store_by_pointers, store_token);
  follow(tensor, state.code.append(std::move(made)));
}

// Row r of the result is row rows[r]; its columns are one tile of the tensor's columns.
class row_gather {
 public:
  row_gather(kernel_state& state, const instruction& i)
      : state_(state), code_(state.code), i_(i), tensor_(tensor_of(state, i.attributes[0])) {
    exact_ = state.exact_shape(i.results[0]);
    shape_ = rounded_up(exact_);
    tile_ = check_tile(state, i, 1, 1);
    const bool is_wide_tile = tile_ ? tile_->index.element == type_tag::i64 : state.is_wide(i.operands[1]);
    const bool is_small = tensor_.index == type_tag::i32 && !is_wide_tile;
    width_ = is_small ? type_tag::i32 : type_tag::i64;
  }

  code_value emit() {
    const code_value tile = tile_ ? code_.resized(tile_->index, width_, is_signed) : state_.get(i_.operands[1], width_);
    const code_value first = code_.multiply(tile, code_.integer(width_, exact_[1]));
    const code_value lanes = code_.iota(width_, shape_, 1);
    const code_value column = code_.add(lanes, code_.broadcast(first, shape_));
    restrict_to_columns(column);
    const code_value to_row = steps(rows(), 0);
    const code_value offset = code_.add(to_row, steps(column, 1));
    const type_tag element = tensor_.element;
    value_number pointers = pointer_op(state_, opcode::reshape, element, {1, 1}, {tensor_.base});
    if (shape_ != tile_shape{1, 1}) pointers = pointer_op(state_, opcode::broadcast, element, shape_, {pointers});
    pointers = pointer_op(state_, opcode::offset, element, shape_, {pointers, offset.number});
    return load_pointers(state_, i_.attributes[0], pointers, shape_, real_ ? &*real_ : nullptr);
  }

 private:
  void restrict_to(const code_value& lanes) { real_ = real_ ? code_.both(*real_, lanes) : lanes; }

  void restrict_to_columns(const code_value& column) {
    if (is_masked(state_.source, i_, 1)) {
      const code_value end = code_.broadcast(code_.resized(tensor_.extents[1], width_, is_signed), shape_);
      restrict_to(code_.compare(less, is_signed, column, end));
    }
    if (tile_) leave_out(tile_->fails);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (shape_[axis] == exact_[axis]) continue;
      restrict_to(code_.lanes_below(code_.integer(type_tag::i32, exact_[axis]), shape_, axis));
    }
  }
  // Lanes of rows outside the tensor are left out.
  code_value rows() {
    const value_id id = i_.operands[0];
    if (!i_.residual_checks.empty()) {
      const checked_rows checked = check_rows(state_, i_);
      if (checked.outside) leave_out(*checked.outside);
      return code_.broadcast(code_.resized(checked.rows, width_, is_signed), shape_);
    }
    const signedness sign = tilewright::is_signed(state_.type(id).element) ? is_signed : is_unsigned;
    return code_.broadcast(code_.resized(state_.get(id), width_, sign), shape_);
  }
  void leave_out(const code_value& failing) {
    const code_value none = code_.splat(type_tag::i1, shape_, 0);
    const code_value lanes = real_ ? *real_ : code_.splat(type_tag::i1, shape_, 1);
    real_ = code_.select(code_.broadcast(failing, shape_), none, lanes);
  }
  code_value steps(const code_value& place, std::size_t axis) {
    if (parameter_of(state_, i_.attributes[0]).facts.unit_stride[axis]) return place;
    const code_value stride = code_.resized(tensor_.strides[axis], width_, is_signed);
    return code_.multiply(place, code_.broadcast(stride, shape_));
  }

  kernel_state& state_;
  code_builder& code_;
  const instruction& i_;
  tensor_state& tensor_;
  std::optional<checked_tile> tile_;
  std::optional<code_value> real_;  // none where all lanes are
  tile_shape exact_, shape_;
  type_tag width_ = type_tag::i64;
};

void emit_gather(kernel_state& state, const instruction& i) {
  const std::int64_t parameter = i.attributes[0];
  const type_tag element = tensor_of(state, parameter).element;
  const chosen_lanes lanes = choose(state, i);
  const value_number first = first_pointers(state, parameter, element, lanes.shape);
  const value_number pointers = pointer_op(state, opcode::offset, element, lanes.shape, {first, lanes.steps.number});
  const code_value x = load_pointers(state, parameter, pointers, lanes.shape, lanes.real ? &*lanes.real : nullptr);
  state.set(i.results[0], from_memory(state, x, state.type(i.results[0]).element));
}

void emit_load(kernel_state& state, const instruction& i) {
  const tensor_state& tensor = tensor_of(state, i.attributes[0]);
  const value_id result = i.results[0];
  const dtype element = state.type(result).element;
  const tile_shape tile = state.shape(result);
  if (tile.empty()) {
    const code_value x = load_pointers(state, i.attributes[0], tensor.base, {}, nullptr);
    return state.set(result, from_memory(state, x, element));
  }
  const std::optional<padding> pad = padding_of(state, i);
  const tensor_view_use* use = find_view(tensor, tile, steps_of(state, i), pad.value_or(padding::zero));
  const access from{{use->number, 0}, tile_index(state, i, tile.size())};
  const code_value x = from_memory(state, load_view(state, i.attributes[0], from, tile), element);
  state.set(result, pad ? x : padded(state, i, from.index, x));
}

void emit_load_piece(kernel_state& state, const instruction& i) {
  const tensor_state& tensor = tensor_of(state, i.attributes[0]);
  const tile_shape shape = state.shape(i.results[0]);
  const std::int64_t parameter = i.attributes[0];
  const tile_shape exact = state.exact_shape(i.results[0]);
  code_value x = shape.empty() ? load_pointers(state, parameter, tensor.base, {}, nullptr)
                               : load_view(state, parameter, piece_access(state, parameter, exact), shape);
  if (tensor.is_ordered && !shape.empty()) x = loaded_once(state, x);
  state.set(i.results[0], from_memory(state, x, state.type(i.results[0]).element));
}

// ---- A store in column parts: fewer converted columns are held at a time -------------------------------------------
// The stored value is a deferred conversion, or any value.
void store_parts(kernel_state& state, const instruction& i, std::int64_t columns) {
  const std::int64_t parameter = i.attributes[0];
  const instruction* conversion = state.deferred_at(i.operands[0]);
  const dtype element = state.type(i.operands[0]).element;
  const type_tag stored = element_in_memory(element);
  const code_value whole = conversion != nullptr ? state.get(conversion->operands[0]) : to_memory(state, i.operands[0]);
  const tile_shape piece = piece_of(parameter_of(state, parameter));
  tile_shape part = rounded_up(piece);
  part.back() = columns;
  tile_shape view = piece;
  view.back() = columns;
  const std::int64_t parts = piece.back() / columns;
  access to = piece_access(state, parameter, view);
  const code_value place = to.index.back();
  const code_value first = state.code.multiply(place, state.code.integer(place.element, parts));
  for (std::int64_t n = 0; n < parts; ++n) {
    to.index.back() = n == 0 ? first : state.code.add(first, state.code.integer(place.element, n));
    std::vector<std::int64_t> place_of_part(part.size(), 0);
    place_of_part.back() = n;
    code_value x = state.code.extract(whole, part, place_of_part);
    if (x.element != stored) x = state.code.tile_op(opcode::ftof, stored, part, {x.number}, {nearest_even});
    store_view(state, parameter, to, x);
  }
}

void emit_store(kernel_state& state, const instruction& i) {
  const std::int64_t parameter = i.attributes[0];
  if (state.type(i.operands[0]).rank == 0) return store_scalar(state, parameter, to_memory(state, i.operands[0]));
  const tile_shape piece = piece_of(parameter_of(state, parameter));
  const std::int64_t columns = stored_columns(state.source, parameter);
  if (columns < piece.back()) return store_parts(state, i, columns);
  const code_value x = to_memory(state, i.operands[0]);
  store_view(state, parameter, piece_access(state, parameter, piece), x);
}

void add_to_piece(kernel_state& state, const instruction& i) {
  const std::int64_t parameter = i.attributes[0];
  const tile_shape piece = piece_of(parameter_of(state, parameter));
  const code_value x = state.get(i.operands[0]);
  const auto sum = [&](const code_value& before) {
    return state.code.like_op(opcode::addf, x, {before.number, x.number}, {nearest_even});
  };
  if (piece.empty()) {
    const value_number base = tensor_of(state, parameter).base;
    return store_scalar(state, parameter, sum(load_pointers(state, parameter, base, {}, nullptr)));
  }
  const access to = piece_access(state, parameter, piece);
  store_view(state, parameter, to, sum(load_view(state, parameter, to, x.shape)));
}

// A tile of a piece with whole axes: there it has an index of its own, elsewhere it is as long as the piece.
void emit_store_tile(kernel_state& state, const instruction& i) {
  const std::int64_t parameter = i.attributes[0];
  const program_parameter& form = parameter_of(state, parameter);
  const tile_shape exact = state.exact_shape(i.operands[0]);
  std::vector<code_value> index = piece_index(state, parameter);
  std::size_t next = 1;
  for (std::size_t axis = 0; axis < exact.size(); ++axis) {
    if (form.has_whole(axis)) index[axis] = state.get(i.operands[next++], tensor_of(state, parameter).index);
  }
  const code_value x = to_memory(state, i.operands[0]);
  store_view(state, parameter, tile_access(state, parameter, exact, exact, std::move(index)), x);
}

}  // namespace

bool combines_in_turn(const program& source, std::int64_t parameter) {
  return source.schedule.deterministic && rounds_by_order(source.parameters[static_cast<std::size_t>(parameter)]);
}

void emit_combine_in_turn(kernel_state& state, const instruction& i) { add_to_piece(state, i); }

code_value to_memory(kernel_state& state, value_id id) {
  const dtype element = state.type(id).element;
  const code_value x = state.get(id, element_in_code(element, true));
  if (element == dtype::tf32) return state.code.converted(x, type_tag::f32);
  return state.code.resized(x, element_in_memory(element), is_unsigned);
}

value_number pointer_op(kernel_state& state, opcode code, type_tag element, const tile_shape& shape,
                        std::vector<value_number> operands) {
  operation made;
  made.code = code;
  made.results = {state.ids.pointer_tile(element, shape)};
  made.operands = std::move(operands);
  return state.code.append(std::move(made));
}

code_value block_id(kernel_state& state, std::size_t axis) {
  return axis < state.block_ids.size() ? state.block_ids[axis] : state.code.integer(type_tag::i32, 0);
}
code_value block_count(kernel_state& state, std::size_t axis) {
  return axis < state.block_counts.size() ? state.block_counts[axis] : state.code.integer(type_tag::i32, 1);
}

void make_tokens(kernel_state& state) {
  const auto make_token = [&] {
    operation made;
    made.code = opcode::make_token;
    made.results = {state.ids.token()};
    return state.code.append(std::move(made));
  };
  for (tensor_state& tensor : state.tensors) {
    if (tensor.is_ordered) tensor.token = state.after_wait ? *state.after_wait : make_token();
  }
  if (prints(state.source.entry)) state.printed = make_token();
}

// ---- Views ---------------------------------------------------------------------------------------------------------
tile_shape piece_of(const program_parameter& parameter) {
  return {parameter.piece.begin(), parameter.piece.begin() + parameter.rank};
}

std::optional<padding> padding_of(const kernel_state& state, const instruction& load) {
  if (load.attributes[1] == 0) return padding::zero;
  const value_id id = load.operands.back();
  if (!state.is_constant(id)) return {};
  const std::int64_t word = state.constants[static_cast<std::size_t>(id)]->attributes[0];
  if (word == 0) return padding::zero;
  if (!is_floating(state.type(id).element) || state.type(id).element == dtype::f8e8m0) return {};
  const auto number = std::bit_cast<double>(word);
  if (number == 0) return padding::negative_zero;
  if (std::isnan(number)) return padding::nan;
  if (!std::isinf(number) || !has_infinity(state.type(id).element)) return {};
  return number > 0 ? padding::positive_infinity : padding::negative_infinity;
}

type_id tensor_type(kernel_state& state, std::int64_t parameter, const std::vector<bool>& clipped) {
  const program_parameter& form = parameter_of(state, parameter);
  const auto rank = static_cast<std::size_t>(form.rank);
  tile_shape extents(rank, dynamic), strides(rank, dynamic);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const bool is_clipped = !clipped.empty() && clipped[axis];
    if (form.fixed_extents[axis] > 0 && !is_clipped) extents[axis] = form.fixed_extents[axis];
    if (form.facts.unit_stride[axis]) strides[axis] = 1;
  }
  return state.ids.tensor_view(tensor_of(state, parameter).element, extents, strides);
}

value_number make_tensor_view(kernel_state& state, std::int64_t parameter, type_id type,
                              const std::vector<code_value>& extents) {
  const tensor_state& tensor = tensor_of(state, parameter);
  operation made;
  made.code = opcode::make_tensor_view;
  made.operands = {tensor.base};
  const auto group = [&](const std::vector<std::int64_t>& stated, const std::vector<code_value>& values) {
    made.groups.push_back(0);
    for (std::size_t axis = 0; axis < stated.size(); ++axis) {
      if (stated[axis] != dynamic) continue;
      made.operands.push_back(values[axis].number);
      ++made.groups.back();
    }
  };
  group(state.ids[type].shape, extents);
  group(state.ids[type].strides, tensor.strides);
  made.results = {type};
  return state.code.append(std::move(made));
}

tile_shape steps_of(const kernel_state& state, const instruction& load) {
  tile_shape steps;
  for (std::size_t axis = 0; axis < state.shape(load.results[0]).size(); ++axis) {
    steps.push_back(tile_step(state.source, load, axis));
  }
  return steps;
}

tile_view make_tile_view(kernel_state& state, type_id tensor_type, value_number tensor, const tile_shape& tile,
                         const tile_shape& steps, padding pad) {
  const bool is_strided = tile != steps;
  operation made;
  made.code = is_strided ? opcode::make_strided_view : opcode::make_partition_view;
  made.operands = {tensor};
  const type_id type = state.ids.view(tensor_type, tile, is_strided ? steps : tile_shape{}, pad);
  made.results = {type};
  return {state.code.append(std::move(made)), type};
}

const tensor_view_use* find_view(const tensor_state& tensor, const tile_shape& tile, const tile_shape& steps,
                                 padding pad) {
  for (const tensor_view_use& use : tensor.uses) {
    if (use.tile == tile && use.steps == steps && use.pad == pad) return &use;
  }
  return nullptr;
}

code_value tile_count(kernel_state& state, std::int64_t parameter, std::size_t axis, std::int64_t extent) {
  const tensor_state& tensor = tensor_of(state, parameter);
  if (parameter_of(state, parameter).facts.single_tile[axis]) return state.code.integer(tensor.index, 1);
  if (extent == 1) return tensor.extents[axis];
  const code_value size = state.code.integer(tensor.index, extent);
  const std::uint64_t toward = holds_whole_tiles(state.source, parameter, axis) ? toward_zero : up;
  return state.code.like_op(opcode::divi, size, {tensor.extents[axis].number, size.number}, {is_signed, toward});
}

void emit_memory(kernel_state& state, const instruction& i) {
  switch (i.op) {
    case op::load:
    case op::load_window:
      return emit_load(state, i);
    case op::load_piece:
      return emit_load_piece(state, i);
    case op::gather_rows:
      return state.set(i.results[0], from_memory(state, row_gather(state, i).emit(), state.type(i.results[0]).element));
    case op::gather:
      return emit_gather(state, i);
    case op::store_tile:
      return emit_store_tile(state, i);
    default:
      return emit_store(state, i);
  }
}

void emit_position(kernel_state& state, const instruction& i) {
  const std::int64_t first = i.attributes[0];
  const auto axis = static_cast<std::size_t>(i.attributes.size() > 1 ? i.attributes[1] : first);
  const value_id result = i.results[0];
  switch (i.op) {
    case op::scalar: {
      const code_value& x = state.scalars[static_cast<std::size_t>(first)];
      return state.set(result, from_memory(state, x, state.type(result).element));
    }
    case op::block_id:
      return state.set(result, block_id(state, axis));
    case op::block_count:
      return state.set(result, block_count(state, axis));
    case op::extent:
      return state.set(result, tensor_of(state, first).extents[axis]);
    default:
      return state.set(result, tile_count(state, first, axis, i.attributes[2]));
  }
}

}  // namespace tilewright::compiler::tileir
