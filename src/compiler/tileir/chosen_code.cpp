// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/chosen_code.hpp"

#include "compiler/element_access.hpp"
#include "compiler/tileir/fault_code.hpp"
#include "compiler/tileir/memory_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

class choice {
 public:
  choice(kernel_state& state, const instruction& i)
      : state_(state),
        code_(state.code),
        i_(i),
        form_(state.source.parameters[static_cast<std::size_t>(i.attributes[0])]),
        tensor_(state.tensors[static_cast<std::size_t>(i.attributes[0])]) {
    const value_type lanes = lanes_of(state.source, i);
    exact_ = {lanes.extents.begin(), lanes.extents.begin() + lanes.rank};
    shape_ = rounded_up(exact_);
  }

  chosen_lanes make() {
    if (const value_id mask = mask_of(i_); mask != no_value) keep(code_.broadcast(state_.get(mask), shape_));
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      if (shape_[axis] != exact_[axis]) {
        keep(code_.lanes_below(code_.integer(type_tag::i32, exact_[axis]), shape_, axis));
      }
    }
    for (std::size_t axis = 0; axis < rank(); ++axis) {
      if (!is_checked(i_, operand(axis))) continue;
      keep(check_elements(state_, i_, operand(axis), index(axis, type_tag::i64), real_));
    }
    code_value steps = steps_on(0);
    for (std::size_t axis = 1; axis < rank(); ++axis) steps = code_.add(steps, steps_on(axis));
    return {shape_, steps, real_};
  }

 private:
  std::size_t rank() const { return static_cast<std::size_t>(form_.rank); }
  std::size_t operand(std::size_t axis) const { return first_index(i_) + axis; }
  bool is_checked(const instruction& i, std::size_t operand) const {
    for (const std::int32_t check : i.residual_checks) {
      const residual_check& rule = state_.source.residual_checks[static_cast<std::size_t>(check)];
      if (rule.operand == static_cast<std::int32_t>(operand)) return true;
    }
    return false;
  }
  void keep(const code_value& lanes) { real_ = real_ ? code_.both(*real_, lanes) : lanes; }

  code_value index(std::size_t axis, type_tag width) {
    const value_id id = i_.operands[operand(axis)];
    const signedness sign = tilewright::is_signed(state_.type(id).element) ? is_signed : is_unsigned;
    return code_.broadcast(code_.resized(state_.get(id), width, sign), shape_);
  }
  code_value steps_on(std::size_t axis) {
    code_value place = index(axis, tensor_.index);
    if (real_) place = code_.select(*real_, place, code_.integer(tensor_.index, 0, shape_));
    if (form_.facts.unit_stride[axis]) return place;
    return code_.multiply(place, code_.broadcast(tensor_.strides[axis], shape_));
  }

  kernel_state& state_;
  code_builder& code_;
  const instruction& i_;
  const program_parameter& form_;
  const tensor_state& tensor_;
  tile_shape exact_, shape_;
  std::optional<code_value> real_;
};

}  // namespace

chosen_lanes choose(kernel_state& state, const instruction& i) { return choice(state, i).make(); }

value_number first_pointers(kernel_state& state, std::int64_t parameter, type_tag element, const tile_shape& shape) {
  const tensor_state& tensor = state.tensors[static_cast<std::size_t>(parameter)];
  value_number base = tensor.base;
  if (element != tensor.element) base = pointer_op(state, opcode::ptr_to_ptr, element, {}, {base});
  if (shape.empty()) return base;
  const tile_shape one(shape.size(), 1);
  base = pointer_op(state, opcode::reshape, element, one, {base});
  return shape == one ? base : pointer_op(state, opcode::broadcast, element, shape, {base});
}

}  // namespace tilewright::compiler::tileir
