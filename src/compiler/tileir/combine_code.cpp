// SPDX-License-Identifier: Apache-2.0
// Combining tiles with an Accum: relaxed atomics of the device through pointers, which a mask keeps inside tensor and
// piece, or to the lanes that choose an element. Their order means nothing, so they wait for no token but that of the
// kernel before. Sums of floats of a deterministic schedule are plain loads and stores, for their blocks go in turn.
#include "compiler/tile_access.hpp"
#include "compiler/tileir/chosen_code.hpp"
#include "compiler/tileir/memory_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

enum class atomic_mode : std::uint8_t {
  bit_and,
  bit_or,
  bit_xor,
  add,
  add_float,
  max,
  min,
  unsigned_max,
  unsigned_min
};

atomic_mode mode_of(combiner by, dtype element) {
  switch (by) {
    case combiner::sum:
      return is_floating(element) ? atomic_mode::add_float : atomic_mode::add;
    case combiner::min:
      return tilewright::is_unsigned(element) ? atomic_mode::unsigned_min : atomic_mode::min;
    case combiner::max:
      return tilewright::is_unsigned(element) ? atomic_mode::unsigned_max : atomic_mode::max;
    case combiner::bit_and:
      return atomic_mode::bit_and;
    case combiner::bit_or:
      return atomic_mode::bit_or;
    case combiner::bit_xor:
      break;
  }
  return atomic_mode::bit_xor;
}

// Where a tile goes: the elements of this block's piece, and which lanes are elements of piece and tensor.
class piece_lanes {
 public:
  piece_lanes(kernel_state& state, const instruction& i)
      : state_(state),
        code_(state.code),
        access_(i),
        form_(state.source.parameters[static_cast<std::size_t>(i.attributes[0])]),
        tensor_(state.tensors[static_cast<std::size_t>(i.attributes[0])]),
        exact_(piece_of(form_)),
        shape_(rounded_up(exact_)),
        width_(tensor_.index) {}

  const tile_shape& shape() const { return shape_; }

  // From the tensor's first element; none where there is but one.
  std::optional<code_value> steps() {
    if (shape_.empty()) return {};
    code_value all = steps_on(0);
    for (std::size_t axis = 1; axis < shape_.size(); ++axis) all = code_.add(all, steps_on(axis));
    return all;
  }

  std::optional<code_value> real() {
    std::optional<code_value> all;
    const auto restrict_to = [&](const code_value& inside) { all = all ? code_.both(*all, inside) : inside; };
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      if (is_masked(state_.source, access_, axis)) {
        restrict_to(code_.compare(less, is_signed, place_on(axis), code_.broadcast(tensor_.extents[axis], shape_)));
      }
      if (shape_[axis] != exact_[axis]) {
        restrict_to(code_.lanes_below(code_.integer(type_tag::i32, exact_[axis]), shape_, axis));
      }
    }
    return all;
  }

 private:
  code_value place_on(std::size_t axis) {
    const code_value id = code_.resized(block_id(state_, axis), width_, is_signed);
    const code_value first = code_.multiply(id, code_.integer(width_, exact_[axis]));
    const code_value start = code_.broadcast(first, shape_);
    return code_.add(code_.iota(width_, shape_, axis), start);
  }
  code_value steps_on(std::size_t axis) {
    const code_value place = place_on(axis);
    if (form_.facts.unit_stride[axis]) return place;
    return code_.multiply(place, code_.broadcast(code_.resized(tensor_.strides[axis], width_, is_signed), shape_));
  }

  kernel_state& state_;
  code_builder& code_;
  const instruction& access_;
  const program_parameter& form_;
  const tensor_state& tensor_;
  const tile_shape exact_, shape_;
  const type_tag width_;
};

// Where a tile goes: elements that its indices choose.
class element_lanes {
 public:
  element_lanes(kernel_state& state, const instruction& i) : chosen_(choose(state, i)) {}

  const tile_shape& shape() const { return chosen_.shape; }
  std::optional<code_value> steps() const { return chosen_.steps; }
  std::optional<code_value> real() const { return chosen_.real; }

 private:
  const chosen_lanes chosen_;
};

template <class Lanes>
class combination {
 public:
  combination(kernel_state& state, const instruction& i)
      : state_(state),
        code_(state.code),
        form_(state.source.parameters[static_cast<std::size_t>(i.attributes[0])]),
        parameter_(i.attributes[0]),
        combined_(i.operands[0]),
        lanes_(state, i),
        shape_(lanes_.shape()) {}

  void emit() {
    const bool orders_floats = is_floating(form_.element) && form_.by != combiner::sum;
    if (orders_floats) return combine_extremes();
    const value_number to = pointers(element_in_memory(form_.element));
    const code_value x = value();
    combine(mode_of(form_.by, form_.element), to, x, lanes_.real());
  }

 private:
  code_value value() { return code_.broadcast(state_.get(combined_), shape_); }

  value_number pointers(type_tag element) {
    const value_number first = first_pointers(state_, parameter_, element, shape_);
    const std::optional<code_value> steps = lanes_.steps();
    return steps ? pointer_op(state_, opcode::offset, element, shape_, {first, steps->number}) : first;
  }

  // ---- How. Gives what was there before.
  code_value combine(atomic_mode mode, value_number pointers, const code_value& x, std::optional<code_value> mask) {
    constexpr std::uint32_t has_mask = 1, has_token = 2;
    constexpr std::uint64_t relaxed = 1, of_the_device = 1;
    operation made;
    made.code = opcode::atomic_rmw;
    made.fields = {relaxed, of_the_device, static_cast<std::uint64_t>(mode)};
    made.operands = {pointers, x.number};
    if (mask) {
      made.flags |= has_mask;
      made.operands.push_back(mask->number);
    }
    if (state_.after_wait) {
      made.flags |= has_token;
      made.operands.push_back(*state_.after_wait);
    }
    made.results = {code_.type_of(x), state_.ids.token()};
    return {code_.append(std::move(made)), x.element, x.shape};
  }

  // Memory has no least or greatest of floats. Their bits are in order as signed integers where the sign is clear, and
  // in reverse order, behind all those, as unsigned ones where it is set; so each lane takes one of two modes. A NaN
  // combines as the one that wins over every number. What still loses is a NaN of the other sign in memory: whoever
  // finds that it replaced one puts a NaN back.
  void combine_extremes() {
    const bool is_max = form_.by == combiner::max;
    const type_tag bits = form_.element == dtype::f32 ? type_tag::i32 : type_tag::i64;
    const std::uint64_t sign = form_.element == dtype::f32 ? std::uint64_t{1} << 31 : std::uint64_t{1} << 63;
    const std::uint64_t infinity = form_.element == dtype::f32 ? 0x7f800000 : 0x7ff0000000000000;
    const std::uint64_t quiet = form_.element == dtype::f32 ? 0x00400000 : 0x0008000000000000;
    const code_value nan = code_.splat(bits, shape_, infinity | quiet | (is_max ? 0 : sign));
    const auto is_nan = [&](const code_value& x) {
      const code_value magnitude = code_.both(x, code_.splat(bits, shape_, ~sign));
      return code_.compare(greater, is_signed, magnitude, code_.splat(bits, shape_, infinity));
    };
    const value_number to = pointers(bits);
    const std::optional<code_value> real = lanes_.real();
    const auto among_real = [&](const code_value& mask) { return real ? code_.both(*real, mask) : mask; };
    const code_value raw = code_.tile_op(opcode::bitcast, bits, shape_, {value().number});
    const code_value x = code_.select(is_nan(raw), nan, raw);
    const code_value zero = code_.splat(bits, shape_, 0);
    const code_value is_clear = code_.compare(greater_equal, is_signed, x, zero);
    const code_value is_set = code_.compare(less, is_signed, x, zero);
    const atomic_mode of_clear = is_max ? atomic_mode::max : atomic_mode::min;
    const atomic_mode of_set = is_max ? atomic_mode::unsigned_min : atomic_mode::unsigned_max;
    const code_value before = combine(of_clear, to, x, among_real(is_clear));
    const code_value before_set = combine(of_set, to, x, among_real(is_set));
    const code_value lost = is_nan(code_.select(is_clear, before, before_set));
    combine(is_max ? of_clear : of_set, to, nan, among_real(lost));
  }

  kernel_state& state_;
  code_builder& code_;
  const program_parameter& form_;
  const std::int64_t parameter_;
  const value_id combined_;
  Lanes lanes_;
  const tile_shape shape_;
};

}  // namespace

void emit_combine(kernel_state& state, const instruction& i) {
  if (i.op == ast::op::combine_at) return combination<element_lanes>(state, i).emit();
  if (combines_in_turn(state.source, i.attributes[0])) return emit_combine_in_turn(state, i);
  combination<piece_lanes>(state, i).emit();
}

}  // namespace tilewright::compiler::tileir
