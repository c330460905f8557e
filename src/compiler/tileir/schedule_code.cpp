// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/schedule_code.hpp"

#include "compiler/tileir/memory_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

// All arithmetic of block numbers is on numbers >= 0, so division truncates.
class block_loop {
 public:
  block_loop(kernel_state& state, std::size_t output)
      : state_(state),
        code_(state.code),
        form_(state.source.parameters[output]),
        output_(static_cast<std::int64_t>(output)),
        is_shared_(form_.kind == parameter_kind::accum),
        first_in_turn_(first_axis_in_turn(state.source, state.source.schedule)),
        index_(is_shared_ ? type_tag::i64 : state.tensors[output].index) {}

  void emit(const std::function<void()>& body) {
    const code_value launched = launch_number(opcode::get_tile_block_id);
    for (std::size_t axis = 0; axis < rank(); ++axis) {
      state_.block_counts.push_back(blocks_on(axis));
      if (has_one_block(axis)) continue;
      (axis < first_in_turn_ ? several_ : in_turn_).push_back(axis);
    }
    if (several_.empty() || !plan().persistent) {
      one_block(code_.resized(launched, index_, is_signed), body);
    } else {
      every_block(launched, body);
    }
  }

 private:
  const schedule& plan() const { return state_.source.schedule; }
  // The grid of an Accum has one axis more, of the blocks that share a piece: how many they are is known at launch, and
  // has nothing to do with its extents.
  std::size_t rank() const { return static_cast<std::size_t>(form_.rank) + (is_shared_ ? 1 : 0); }
  code_value blocks_on(std::size_t axis) {
    if (is_shared_ && axis + 1 == rank()) return state_.tensors[static_cast<std::size_t>(output_)].sharers;
    if (form_.has_whole(axis)) return code_.integer(index_, 1);
    if (form_.placed_by >= 0 && axis == 0) {
      return code_.resized(tile_count(state_, form_.placed_by, 0, form_.piece[0]), index_, is_signed);
    }
    return code_.resized(tile_count(state_, output_, axis, form_.piece[axis]), index_, is_signed);
  }
  bool has_one_block(std::size_t axis) const { return form_.has_whole(axis) || form_.facts.single_tile[axis]; }
  const code_value& count(std::size_t axis) const { return state_.block_counts[axis]; }

  code_value divided(const code_value& a, const code_value& b) {
    return code_.like_op(opcode::divi, a, {a.number, b.number}, {is_signed, toward_zero});
  }
  code_value rest(const code_value& a, const code_value& b) {
    return code_.like_op(opcode::remi, a, {a.number, b.number}, {is_signed});
  }

  code_value launch_number(opcode which) {
    operation made;
    made.code = which;
    made.results.assign(3, state_.ids.tile(type_tag::i32));
    return {code_.append(std::move(made)), type_tag::i32, {}};
  }

  code_value total(const std::vector<std::size_t>& axes) {
    code_value product = count(axes[0]);
    for (std::size_t n = 1; n < axes.size(); ++n) product = code_.multiply(product, count(axes[n]));
    return product;
  }

  // ---- One launched block: one logical block, or one after another with the launched ones in step
  void one_block(const code_value& number, const std::function<void()>& body) {
    const bool is_turned = plan().reversed && !several_.empty();
    set_ids(is_turned ? from_the_end(total(several_), number) : number);
    each_in_turn(body);
  }

  // The counter passes the end by up to a step, which the widest tensor of bytes leaves no room for in 32 bits.
  void every_block(const code_value& launched, const std::function<void()>& body) {
    const type_tag counter = info(form_.element).bits <= 8 ? type_tag::i64 : index_;
    const code_value blocks = total(several_);
    const code_value first = code_.resized(launched, counter, is_signed);
    const code_value last = code_.resized(blocks, counter, is_signed);
    const code_value step = code_.resized(launch_number(opcode::get_num_tile_blocks), counter, is_signed);
    operation made;
    made.code = opcode::for_;
    made.operands = {first.number, last.number, step.number};
    const std::vector<value_number> inside = code_.open_region({state_.ids.tile(counter)});
    const code_value number = code_.resized({inside[0], counter, {}}, index_, is_signed);
    set_ids(plan().reversed ? from_the_end(blocks, number) : number);
    each_in_turn(body);
    code_.terminate(opcode::continue_, {});
    made.regions.push_back(code_.close_region());
    code_.append(std::move(made));
  }

  // Blocks that share a sum of floats: what one has added is there when the next one adds.
  void each_in_turn(const std::function<void()>& body) {
    make_tokens();
    if (in_turn_.empty()) return body();
    std::vector<tensor_state*> ordered;
    for (tensor_state& tensor : state_.tensors) {
      if (tensor.token) ordered.push_back(&tensor);
    }
    const auto tokens = [&] {
      std::vector<value_number> numbers;
      for (const tensor_state* tensor : ordered) numbers.push_back(*tensor->token);
      return numbers;
    };
    operation made;
    made.code = opcode::for_;
    made.operands = {code_.integer(index_, 0).number, total(in_turn_).number, code_.integer(index_, 1).number};
    for (const value_number token : tokens()) made.operands.push_back(token);
    made.results.assign(ordered.size(), state_.ids.token());
    std::vector<type_id> arguments = made.results;
    arguments.insert(arguments.begin(), state_.ids.tile(index_));
    const std::vector<value_number> inside = code_.open_region(arguments);
    for (std::size_t n = 0; n < ordered.size(); ++n) ordered[n]->token = inside[n + 1];
    set_row_major_ids(in_turn_, {inside[0], index_, {}});
    body();
    code_.terminate(opcode::continue_, tokens());
    made.regions.push_back(code_.close_region());
    code_.append(std::move(made));
  }

  code_value from_the_end(const code_value& blocks, const code_value& number) {
    const code_value one = code_.integer(index_, 1);
    const code_value last = code_.subtract(blocks, one);
    return code_.subtract(last, number);
  }

  // ---- Block ids from the linear number
  void set_ids(code_value left) {
    state_.block_ids.assign(rank(), {});
    for (std::size_t axis = rank(); axis-- > 0;) {
      if (has_one_block(axis)) state_.block_ids[axis] = code_.integer(index_, 0);
    }
    std::vector<std::size_t> open = several_;
    if (plan().swizzle > 0 && open.size() > 1) {
      const std::size_t columns = open.back(), rows = open[open.size() - 2];
      open.resize(open.size() - 2);
      set_grouped_ids(rows, columns, open.empty() ? left : within_plane(rows, columns, left));
    }
    set_row_major_ids(std::move(open), left);
  }

  void set_row_major_ids(std::vector<std::size_t> axes, code_value left) {
    for (; !axes.empty(); axes.pop_back()) {
      const std::size_t axis = axes.back();
      state_.block_ids[axis] = axes.size() == 1 ? left : rest(left, count(axis));
      if (axes.size() > 1) left = divided(left, count(axis));
    }
  }

  code_value within_plane(std::size_t rows, std::size_t columns, code_value& left) {
    const code_value plane = code_.multiply(count(rows), count(columns));
    const code_value place = rest(left, plane);
    left = divided(left, plane);
    return place;
  }

  // Groups of rows, walked column by column: blocks that run together share rows and columns of the operands. The last
  // group may have fewer rows, and the first too: a group of more rows than there are makes rows the fastest axis.
  void set_grouped_ids(std::size_t rows, std::size_t columns, const code_value& place) {
    const code_value asked = code_.integer(index_, plan().swizzle);
    const code_value group = code_.lesser(asked, count(rows));
    const code_value group_blocks = code_.multiply(group, count(columns));
    const code_value first = code_.multiply(divided(place, group_blocks), group);
    const code_value height = code_.lesser(code_.subtract(count(rows), first), group);
    const code_value inside = rest(place, group_blocks);
    state_.block_ids[rows] = code_.add(first, rest(inside, height));
    state_.block_ids[columns] = divided(inside, height);
  }

  // ---- Order of accesses: only tensors that are both read and written, or written twice, need one. Blocks own their
  // pieces, so that no order is needed between them.
  void make_tokens() { tileir::make_tokens(state_); }

  kernel_state& state_;
  code_builder& code_;
  const program_parameter& form_;
  std::int64_t output_;
  bool is_shared_;  // by blocks: an Accum
  std::size_t first_in_turn_;
  type_tag index_;
  std::vector<std::size_t> several_, in_turn_;  // axes that may take more than one tile
};

// The first output that is a block's own; where there is none, the Accum of greatest rank.
std::optional<std::size_t> leading_output(const program& source) {
  std::optional<std::size_t> widest;
  for (std::size_t p = 0; p < source.parameters.size(); ++p) {
    const parameter_kind kind = source.parameters[p].kind;
    if (is_output(kind) && kind != parameter_kind::accum) return p;
    if (kind != parameter_kind::accum) continue;
    if (!widest || source.parameters[p].rank > source.parameters[*widest].rank) widest = p;
  }
  return widest;
}

value_number append_wait(kernel_state& state, opcode code) {
  operation made;
  made.code = code;
  made.results = {state.ids.token()};
  return state.code.append(std::move(made));
}

}  // namespace

void emit_blocks(kernel_state& state, const std::function<void()>& body) {
  const std::optional<std::size_t> output = leading_output(state.source);
  const auto has_axes = [](const program_parameter& form) {
    return form.rank > 0 || form.kind == parameter_kind::accum;
  };
  if (output && has_axes(state.source.parameters[*output])) return block_loop(state, *output).emit(body);
  make_tokens(state);
  body();
}

void emit_launch_control(kernel_state& state) {
  if (!state.source.schedule.programmatic || !has_clusters(state.where)) return;
  append_wait(state, opcode::launch_dependents);
  state.after_wait = append_wait(state, opcode::wait);
}

}  // namespace tilewright::compiler::tileir
