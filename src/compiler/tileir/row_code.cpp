// SPDX-License-Identifier: Apache-2.0
// Storing rows where data says, through pointers. No two blocks store to one row, so that no order is needed.
#include "compiler/tile_access.hpp"
#include "compiler/tileir/chosen_code.hpp"
#include "compiler/tileir/memory_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

class row_store {
 public:
  row_store(kernel_state& state, const instruction& i)
      : state_(state),
        code_(state.code),
        i_(i),
        form_(state.source.parameters[static_cast<std::size_t>(i.attributes[0])]),
        tensor_(state.tensors[static_cast<std::size_t>(i.attributes[0])]),
        exact_(state.exact_shape(i.operands[0])),
        shape_(rounded_up(exact_)),
        width_(tensor_.index) {}

  void emit() {
    const code_value row = rows(), column = columns();
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      if (is_masked(state_.source, i_, axis)) restrict_to(is_inside(axis == 0 ? row : column, axis));
      if (shape_[axis] == exact_[axis]) continue;
      restrict_to(code_.lanes_below(code_.integer(type_tag::i32, exact_[axis]), shape_, axis));
    }
    code_value offset = code_.add(steps(row, 0), steps(column, 1));
    if (real_) offset = code_.select(*real_, offset, code_.integer(width_, 0, shape_));
    const value_number first = first_pointers(state_, i_.attributes[0], tensor_.element, shape_);
    store(pointer_op(state_, opcode::offset, tensor_.element, shape_, {first, offset.number}));
  }

 private:
  void restrict_to(const code_value& lanes) { real_ = real_ ? code_.both(*real_, lanes) : lanes; }

  // As the index type of the tensor: an index is a row, or -1.
  code_value rows() { return code_.broadcast(code_.resized(state_.get(i_.operands[1]), width_, is_signed), shape_); }
  code_value columns() {
    const code_value id = code_.resized(block_id(state_, 1), width_, is_signed);
    const code_value first = code_.multiply(id, code_.integer(width_, exact_[1]));
    return code_.add(code_.iota(width_, shape_, 1), code_.broadcast(first, shape_));
  }
  // -1 is above all extents without its sign.
  code_value is_inside(const code_value& place, std::size_t axis) {
    return code_.compare(less, is_unsigned, place, code_.broadcast(tensor_.extents[axis], shape_));
  }
  code_value steps(const code_value& place, std::size_t axis) {
    if (form_.facts.unit_stride[axis]) return place;
    return code_.multiply(place, code_.broadcast(tensor_.strides[axis], shape_));
  }

  void store(value_number pointers) {
    constexpr std::uint32_t has_mask = 4, has_token = 8;
    operation made;
    made.code = opcode::store_ptr;
    made.results = {state_.ids.token()};
    made.fields = {0, 0};
    made.operands = {pointers, to_memory(state_, i_.operands[0]).number};
    if (real_) {
      made.flags = has_mask;
      made.operands.push_back(real_->number);
    }
    if (state_.after_wait) {
      made.flags |= has_token;
      made.operands.push_back(*state_.after_wait);
    }
    code_.append(std::move(made));
  }

  kernel_state& state_;
  code_builder& code_;
  const instruction& i_;
  const program_parameter& form_;
  const tensor_state& tensor_;
  const tile_shape exact_, shape_;
  const type_tag width_;
  std::optional<code_value> real_;  // none where all lanes are stored
};

}  // namespace

void emit_store_rows(kernel_state& state, const instruction& i) { row_store(state, i).emit(); }

}  // namespace tilewright::compiler::tileir
