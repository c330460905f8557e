// SPDX-License-Identifier: Apache-2.0
// Elements in scratch memory and in tensors.
#include "compiler/cpu/element_code.hpp"
#include "compiler/cpu/elements.hpp"
#include "compiler/tile_access.hpp"
#include "tilewright/compiler/image.hpp"

namespace tilewright::compiler {
namespace {

constexpr ir::type i64_type{ir::scalar_type::i64, 1};

int size_of(dtype element) { return info(element).size_bytes; }

ir::value scaled(kernel_state& state, ir::value v, std::int64_t factor) {
  return factor == 1 ? v : state.code.multiply_index(v, state.number(factor));
}

ir::value lane_offsets(kernel_state& state, ir::value step_bytes, int lanes) {
  const ir::type type{ir::scalar_type::i64, lanes};
  return state.code.multiply(state.code.lane_numbers(type), state.code.broadcast(step_bytes, lanes));
}

struct stored_place {
  ir::value address;
  std::int64_t lane_step = 0;  // elements
};

// In a dense tile that begins at this address.
stored_place place_in(kernel_state& state, const value_type& type, ir::value start, const position& place) {
  ir::value elements = state.number(0);
  stored_place result;
  std::int64_t stride = 1;
  for (int axis = type.rank - 1; axis >= 0; --axis) {
    const coordinate& here = place.axes[at(axis)];
    if (type.extents[at(axis)] != 1) {
      elements = state.code.add_index(elements, scaled(state, here.base, stride));
      result.lane_step += here.lane_step * stride;
    }
    stride *= type.extents[at(axis)];
  }
  result.address = state.code.offset(start, scaled(state, elements, size_of(type.element)));
  return result;
}

// What keeps lanes out of a tensor: the axes that all lanes share a place on, and those that they lie along.
struct lane_bounds {
  ir::value is_inside;  // whether the shared places are in the tensor
  ir::value count;      // how many of the first lanes are in it
};

void bound(kernel_state& state, lane_bounds& bounds, const coordinate& here, ir::value limit) {
  ir::module_builder& code = state.code;
  if (here.lane_step == 0) {
    const ir::value fits = code.compare_integers(ir::compare::less, here.base, limit);
    bounds.is_inside = bounds.is_inside ? code.bit_and(bounds.is_inside, fits) : fits;
    return;
  }
  // Lanes l with base + l * step < limit: the first ceil((limit - base) / step).
  ir::value left = code.subtract(limit, here.base);
  if (here.lane_step != 1) {
    left = code.signed_divide(code.add(left, state.number(here.lane_step - 1)), state.number(here.lane_step));
  }
  bounds.count = bounds.count ? code.signed_minimum(bounds.count, left) : left;
}

void set_mask(kernel_state& state, const lane_bounds& bounds, int lanes, tensor_lanes& result) {
  ir::module_builder& code = state.code;
  ir::value count = bounds.count ? bounds.count : state.number(lanes);
  if (bounds.is_inside) count = code.select(bounds.is_inside, count, state.number(0));
  result.any = code.compare_integers(ir::compare::less, state.number(0), count);
  count = code.truncate(code.signed_minimum(count, state.number(lanes)), ir::scalar_type::i32);
  const ir::value numbers = code.lane_numbers({ir::scalar_type::i32, lanes});
  result.mask = code.compare_integers(ir::compare::less, numbers, code.broadcast(count, lanes));
}

}  // namespace

ir::value load_stored(kernel_state& state, const value_type& type, std::int64_t offset, const position& place) {
  return load_dense(state, type, state.code.offset(state.code.scratch(), offset), place);
}

ir::value load_dense(kernel_state& state, const value_type& type, ir::value start, const position& place) {
  const stored_place from = place_in(state, type, start, place);
  const int size = size_of(type.element);
  const ir::type loaded{memory_type(type.element), from.lane_step == 0 ? 1 : place.lanes};
  const ir::value element =
      from.lane_step == 0 || from.lane_step == 1 || place.lanes == 1
          ? state.code.load(loaded, from.address, size)
          : state.code.gather(loaded, from.address,
                              lane_offsets(state, state.number(from.lane_step * size), place.lanes), {});
  return from_memory(state.code, type.element, element);
}

void store_stored(kernel_state& state, const value_type& type, std::int64_t offset, const position& place,
                  ir::value element) {
  const stored_place to = place_in(state, type, state.code.offset(state.code.scratch(), offset), place);
  const int size = size_of(type.element);
  const ir::value stored = to_memory(state.code, type.element, element);
  if (to.lane_step == 1 || place.lanes == 1) {
    state.code.store(stored, to.address, size);
  } else {
    state.code.scatter(stored, to.address, lane_offsets(state, state.number(to.lane_step * size), place.lanes), {});
  }
}

ir::value parameter_word(kernel_state& state, std::int64_t parameter, std::int64_t word) {
  std::int64_t before = 0;
  for (std::int64_t p = 0; p < parameter; ++p) {
    before += static_cast<std::int64_t>(parameter_block_words(state.source.parameters[at(p)]));
  }
  return state.code.offset(state.code.parameters(), 8 * (before + word));
}

tensor_window window_of(kernel_state& state, const instruction& access, const std::array<ir::value, max_rank>& tile) {
  ir::module_builder& code = state.code;
  const std::int64_t parameter = access.attributes[0];
  const program_parameter& tensor = state.source.parameters[at(parameter)];
  const auto word = [&](ir::type type, std::int64_t n) {
    return code.load(type, parameter_word(state, parameter, n), 8, ir::memory::input);
  };
  tensor_window window;
  window.address = word({ir::scalar_type::pointer, 1}, 0);
  if (is_input(tensor.kind)) window.kind = ir::memory::input;
  for (int axis = 0; axis < tensor.rank; ++axis) {
    window.unit[at(axis)] = tensor.facts.unit_stride[at(axis)];
    window.strides[at(axis)] = window.unit[at(axis)]
                                   ? state.number(size_of(tensor.element))
                                   : scaled(state, word(i64_type, 1 + tensor.rank + axis), size_of(tensor.element));
    if (!tile[at(axis)]) continue;  // gather_rows and store_rows choose rows themselves
    const ir::value start = scaled(state, tile[at(axis)], tile_step(state.source, access, at(axis)));
    window.address = code.offset(window.address, code.multiply_index(start, window.strides[at(axis)]));
    if (is_masked(state.source, access, at(axis))) {
      window.limits[at(axis)] = code.subtract(word(i64_type, 1 + axis), start);
    }
  }
  return window;
}

tensor_lanes lanes_of(kernel_state& state, const tensor_window& window, const value_type& type, const position& place) {
  ir::module_builder& code = state.code;
  tensor_lanes result{.address = window.address, .byte_offsets = {}, .mask = {}, .any = {}};
  lane_bounds bounds;
  for (int axis = 0; axis < type.rank; ++axis) {
    const coordinate& here = place.axes[at(axis)];
    const ir::value stride = window.strides[at(axis)];
    result.address = code.offset(result.address, code.multiply_index(here.base, stride));
    if (here.lane_step != 0 && !(here.lane_step == 1 && window.unit[at(axis)])) {
      const ir::value offsets = lane_offsets(state, scaled(state, stride, here.lane_step), place.lanes);
      result.byte_offsets = result.byte_offsets ? code.add(result.byte_offsets, offsets) : offsets;
    }
    if (window.limits[at(axis)]) bound(state, bounds, here, window.limits[at(axis)]);
  }
  if (place.lanes == 1) {
    result.mask = bounds.is_inside;
  } else if (bounds.is_inside || bounds.count) {
    set_mask(state, bounds, place.lanes, result);
  }
  return result;
}

ir::value load_from_tensor(kernel_state& state, const tensor_window& window, const value_type& type,
                           const position& place, ir::value pad) {
  ir::module_builder& code = state.code;
  const int size = size_of(type.element);
  const ir::type loaded{memory_type(type.element), place.lanes};
  const tensor_lanes lanes = lanes_of(state, window, type, place);
  ir::value element;  // where `select` chooses the parameter block: that is memory that may always be read
  if (lanes.byte_offsets) {
    element = code.gather(loaded, lanes.address, lanes.byte_offsets, lanes.mask, window.kind);
  } else if (!lanes.mask) {
    element = code.load(loaded, lanes.address, size, window.kind);
  } else if (place.lanes == 1) {
    const ir::value safe = code.select(lanes.mask, lanes.address, code.parameters());
    element = code.load(loaded, safe, 1);
    element =
        code.select(lanes.mask, element, is_float(loaded.scalar) ? code.floating(loaded, 0) : code.integer(loaded, 0));
  } else {
    // Without a lane the address may be of a page that is not there: the processor then takes hundreds of cycles.
    const ir::value safe = code.select(lanes.any, lanes.address, code.parameters());
    element = code.masked_load(loaded, safe, lanes.mask, size, window.kind);
  }
  element = from_memory(code, type.element, element);
  if (pad && lanes.mask) {
    element = code.select(lanes.mask, element, place.lanes == 1 ? pad : code.broadcast(pad, place.lanes));
  }
  return element;
}

void store_to_tensor(kernel_state& state, const tensor_window& window, const value_type& type, const position& place,
                     ir::value element, bool is_non_temporal) {
  ir::module_builder& code = state.code;
  const int size = size_of(type.element);
  const tensor_lanes lanes = lanes_of(state, window, type, place);
  const ir::value stored = to_memory(code, type.element, element);
  if (lanes.byte_offsets) {
    code.scatter(stored, lanes.address, lanes.byte_offsets, lanes.mask);
  } else if (!lanes.mask) {
    code.store(stored, lanes.address, is_non_temporal ? size * place.lanes : size, is_non_temporal);
  } else if (place.lanes == 1) {
    code.branch(lanes.mask, [&] { code.store(stored, lanes.address, size); });
  } else {
    code.branch(lanes.any, [&] { code.masked_store(stored, lanes.address, lanes.mask, size); });
  }
}

}  // namespace tilewright::compiler
