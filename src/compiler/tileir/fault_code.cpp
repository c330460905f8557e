// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/fault_code.hpp"

#include <array>
#include <cstddef>
#include <functional>

#include "compiler/tile_access.hpp"
#include "compiler/tileir/memory_code.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/fault_status.hpp"

namespace tilewright::compiler::tileir {
namespace {

const residual_check* find(const kernel_state& state, const instruction& i, residual_check::kind what,
                           std::size_t operand, std::int32_t& number) {
  for (const std::int32_t check : i.residual_checks) {
    const residual_check& rule = state.source.residual_checks[static_cast<std::size_t>(check)];
    if (rule.what != what || rule.operand != static_cast<std::int32_t>(operand)) continue;
    number = check;
    return &rule;
  }
  return nullptr;
}

// ---- Writing the status --------------------------------------------------------------------------------------------
void branch(code_builder& code, const code_value& condition, const std::function<void()>& taken) {
  operation made;
  made.code = opcode::if_;
  made.operands = {condition.number};
  for (const bool is_taken : {true, false}) {
    code.open_region({});
    if (is_taken) taken();
    code.terminate(opcode::yield, {});
    made.regions.push_back(code.close_region());
  }
  code.append(std::move(made));
}

class status_writer {
 public:
  explicit status_writer(kernel_state& state) : state_(state), code_(state.code) {}

  // The first block of all writes.
  void write(const code_value& check, const std::function<std::array<code_value, 3>()>& values) {
    const code_value is_first = claim();
    branch(code_, is_first, [&] {
      store(narrow_word(offsetof(fault_status, check)), check, weak);
      std::size_t place = offsetof(fault_status, values);
      for (const code_value& value : values()) {
        store(wide_word(place), value, weak);
        place += sizeof(std::int64_t);
      }
      store(*state_.status, code_.integer(type_tag::i32, fault_status::written), release);
    });
  }

 private:
  enum ordering : std::uint64_t { weak = 0, relaxed = 1, release = 3 };
  static constexpr std::uint64_t of_the_device = 1;

  // Whether this block is the first of all to report.
  code_value claim() {
    constexpr std::uint32_t has_token = 2;
    const code_value none = code_.integer(type_tag::i32, fault_status::none);
    const code_value claimed = code_.integer(type_tag::i32, fault_status::claimed);
    operation made;
    made.code = opcode::atomic_cas;
    made.fields = {relaxed, of_the_device};
    made.operands = {*state_.status, none.number, claimed.number};
    if (state_.after_wait) {
      made.flags |= has_token;
      made.operands.push_back(*state_.after_wait);
    }
    made.results = {state_.ids.tile(type_tag::i32), state_.ids.token()};
    const value_number old = code_.append(std::move(made));
    token_ = old + 1;
    return code_.compare(equal, is_unsigned, {old, type_tag::i32, {}}, none);
  }

  value_number moved(value_number pointer, type_tag element, std::int64_t elements) {
    operation made;
    made.code = opcode::offset;
    made.operands = {pointer, code_.integer(type_tag::i32, elements).number};
    made.results = {state_.ids.pointer_tile(element)};
    return code_.append(std::move(made));
  }
  value_number narrow_word(std::size_t byte) {
    return moved(*state_.status, type_tag::i32, static_cast<std::int64_t>(byte / sizeof(std::int32_t)));
  }
  value_number wide_word(std::size_t byte) {
    if (!wide_) {
      operation made;
      made.code = opcode::ptr_to_ptr;
      made.operands = {*state_.status};
      made.results = {state_.ids.pointer_tile(type_tag::i64)};
      wide_ = code_.append(std::move(made));
    }
    return moved(*wide_, type_tag::i64, static_cast<std::int64_t>(byte / sizeof(std::int64_t)));
  }

  void store(value_number pointer, const code_value& x, ordering order) {
    constexpr std::uint32_t has_scope = 1, has_token = 8;
    operation made;
    made.code = opcode::store_ptr;
    made.fields = {order, order == weak ? 0 : of_the_device};
    made.flags = has_token | (order == weak ? 0 : has_scope);
    made.operands = {pointer, x.number, token_};
    made.results = {state_.ids.token()};
    token_ = code_.append(std::move(made));
  }

  kernel_state& state_;
  code_builder& code_;
  value_number token_ = 0;
  std::optional<value_number> wide_;
};

// Notes a check that fails where none has yet.
void note(kernel_state& state, const code_value& fails, std::int32_t check, const code_value& got) {
  code_builder& code = state.code;
  const code_value& before = state.fault.check;
  const code_value is_first = code.both(fails, code.compare(less, is_signed, before, code.integer(type_tag::i32, 0)));
  state.fault.check = code.select(is_first, code.integer(type_tag::i32, check), before);
  state.fault.got = code.select(is_first, code.resized(got, type_tag::i64, is_signed), state.fault.got);
}

// ---- Many lanes ----------------------------------------------------------------------------------------------------
// All lanes of an integer tile as one.
code_value folded(kernel_state& state, const code_value& x, opcode extreme, std::int64_t neutral) {
  code_builder& code = state.code;
  std::int64_t lanes = 1;
  for (const std::int64_t extent : x.shape) lanes *= extent;
  if (lanes == 1) return code.reshape(x, {});
  const code_value line = code.reshape(x, {lanes});
  const type_id scalar = state.ids.tile(x.element);
  attribute identity;
  identity.tag = attribute_tag::integer;
  identity.of_type = state.ids.number(x.element);
  identity.word = static_cast<std::uint64_t>(neutral) & (~std::uint64_t{0} >> (64 - bits_of(x.element)));
  operation made;
  made.code = opcode::reduce;
  made.fields = {0};
  made.attributes = {identity};
  made.operands = {line.number};
  const std::vector<value_number> pair = code.open_region({scalar, scalar});
  const code_value both = code.tile_op(extreme, x.element, {}, {pair[0], pair[1]}, {is_signed});
  code.terminate(opcode::yield, {both.number});
  made.regions = {code.close_region()};
  made.results = {scalar};
  return {code.append(std::move(made)), x.element, {}};
}

code_value any_lane(kernel_state& state, const code_value& mask) {
  if (mask.shape.empty()) return mask;
  const code_value numbers = state.code.resized(mask, type_tag::i32, is_unsigned);
  const code_value greatest = folded(state, numbers, opcode::maxi, 0);
  return state.code.compare(not_equal, is_unsigned, greatest, state.code.integer(type_tag::i32, 0));
}

// Without the lanes that rounding added, which hold anything.
code_value real_lanes(kernel_state& state, const code_value& mask, const tile_shape& exact) {
  code_value result = mask;
  for (std::size_t axis = 0; axis < exact.size(); ++axis) {
    if (mask.shape[axis] == exact[axis]) continue;
    const code_value count = state.code.integer(type_tag::i32, exact[axis]);
    result = state.code.both(result, state.code.lanes_below(count, mask.shape, axis));
  }
  return result;
}

code_value is_zero(kernel_state& state, const code_value& x) {
  return state.code.compare(equal, is_unsigned, x, state.code.splat(x.element, x.shape, 0));
}

// By lane its ordinal in row-major order, not counting the lanes that rounding added.
code_value ordinals(kernel_state& state, const tile_shape& shape, const tile_shape& exact) {
  code_builder& code = state.code;
  code_value result = code.splat(type_tag::i32, shape, 0);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    result = code.multiply(result, code.splat(type_tag::i32, shape, exact[axis]));
    result = code.add(result, code.iota(type_tag::i32, shape, axis));
  }
  return result;
}

// The index in the first lane that fails; of none, anything.
code_value first_failing(kernel_state& state, const code_value& of, const code_value& failing) {
  code_builder& code = state.code;
  std::int64_t count = 1;
  for (const std::int64_t extent : of.shape) count *= extent;
  if (count == 1) return code.reshape(of, {});
  const bool is_line = of.shape[0] == count;
  const code_value indices = is_line ? of : code.reshape(of, {count});
  const code_value fails = is_line ? failing : code.reshape(failing, {count});
  const code_value lanes = code.iota(type_tag::i32, indices.shape, 0);
  const code_value none = code.splat(type_tag::i32, indices.shape, INT32_MAX);
  const code_value first = folded(state, code.select(fails, lanes, none), opcode::mini, INT32_MAX);
  const code_value is_first = code.compare(equal, is_unsigned, lanes, code.broadcast(first, indices.shape));
  const code_value least = code.integer(type_tag::i64, INT64_MIN, indices.shape);
  return folded(state, code.select(is_first, indices, least), opcode::maxi, INT64_MIN);
}

// The greatest value that a check allows, which the launch decides.
code_value greatest_of(kernel_state& state, const instruction& i, const residual_check& rule) {
  code_builder& code = state.code;
  using enum residual_check::kind;
  if (rule.what != tile_index && rule.what != row_index && rule.what != element_index) {
    return code.integer(type_tag::i64, 0);
  }
  const auto axis = static_cast<std::size_t>(rule.axis);
  const std::int64_t stride = rule.is_hoisted           ? i.attributes[1]
                              : rule.what == tile_index ? tile_step(state.source, i, axis)
                                                        : 1;
  const code_value count =
      code.resized(rule.what == tile_index ? tile_count(state, i.attributes[0], axis, stride)
                                           : state.tensors[static_cast<std::size_t>(i.attributes[0])].extents[axis],
                   type_tag::i64, is_signed);
  return code.subtract(count, code.integer(type_tag::i64, 1));
}

void for_each_check(const block& code, const std::function<void(const instruction& i, std::int32_t check)>& visit) {
  for (const instruction& i : code.body) {
    for (const std::int32_t check : i.residual_checks) visit(i, check);
    for (const block& inner : i.blocks) for_each_check(inner, visit);
  }
}

}  // namespace

// ---- The checks ----------------------------------------------------------------------------------------------------
std::optional<checked_tile> check_tile(kernel_state& state, const instruction& i, std::size_t operand,
                                       std::size_t axis) {
  std::int32_t check = -1;
  if (find(state, i, residual_check::kind::tile_index, operand, check) == nullptr) return {};
  code_builder& code = state.code;
  const code_value index = state.get(i.operands[operand]);
  const code_value tiles = tile_count(state, i.attributes[0], axis, tile_step(state.source, i, axis));
  const type_tag width = index.element == tiles.element ? index.element : type_tag::i64;
  const code_value got = code.resized(index, width, is_signed), count = code.resized(tiles, width, is_signed);
  const code_value fails = code.compare(greater_equal, is_unsigned, got, count);  // a negative one is a huge one
  note(state, fails, check, got);
  const code_value last = code.subtract(count, code.integer(width, 1));
  const code_value inside = code.greater(code.lesser(got, last), code.integer(width, 0));
  return checked_tile{code.resized(inside, tiles.element, is_signed), fails};
}

checked_rows check_rows(kernel_state& state, const instruction& i) {
  code_builder& code = state.code;
  const dtype element = state.type(i.operands[0]).element;
  const signedness sign = tilewright::is_signed(element) ? is_signed : is_unsigned;
  const code_value rows = code.resized(state.get(i.operands[0]), type_tag::i64, sign);
  std::int32_t check = -1;
  if (find(state, i, residual_check::kind::row_index, 0, check) == nullptr) return {rows, {}};
  const code_value& extent = state.tensors[static_cast<std::size_t>(i.attributes[0])].extents[0];
  const code_value count = code.resized(extent, type_tag::i64, is_signed);
  const code_value outside = code.compare(greater_equal, is_unsigned, rows, code.broadcast(count, rows.shape));
  const code_value fails = real_lanes(state, outside, state.exact_shape(i.operands[0]));
  note(state, any_lane(state, fails), check, first_failing(state, rows, fails));
  return {code.select(outside, code.integer(type_tag::i64, 0, rows.shape), rows), outside};
}

code_value check_elements(kernel_state& state, const instruction& i, std::size_t operand, const code_value& index,
                          const std::optional<code_value>& real) {
  code_builder& code = state.code;
  std::int32_t check = -1;
  const residual_check* rule = find(state, i, residual_check::kind::element_index, operand, check);
  require_internal(rule != nullptr, "an index is checked without a check");
  const auto axis = static_cast<std::size_t>(rule->axis);
  const code_value& extent = state.tensors[static_cast<std::size_t>(i.attributes[0])].extents[axis];
  const code_value count = code.broadcast(code.resized(extent, type_tag::i64, is_signed), index.shape);
  const code_value outside = code.compare(greater_equal, is_unsigned, index, count);  // a negative one is a huge one
  const code_value fails = real ? code.both(*real, outside) : outside;
  note(state, any_lane(state, fails), check, first_failing(state, index, fails));
  return code.compare(less, is_unsigned, index, count);
}

void check_divisor(kernel_state& state, const instruction& i) {
  std::int32_t check = -1;
  if (find(state, i, residual_check::kind::divisor, 1, check) == nullptr) return;
  const code_value divisor = state.get(i.operands[1]);
  const code_value fails = real_lanes(state, is_zero(state, divisor), state.exact_shape(i.operands[1]));
  note(state, any_lane(state, fails), check, state.code.integer(type_tag::i64, 0));
}

void check_assertion(kernel_state& state, const instruction& i) {
  code_builder& code = state.code;
  const code_value condition = state.get(i.operands[0]);
  const tile_shape exact = state.exact_shape(i.operands[0]);
  const code_value fails = real_lanes(state, is_zero(state, condition), exact);
  if (i.operands.size() > 1) {  // of a check before a loop
    const code_value told = code.resized(state.get(i.operands[1]), type_tag::i64, is_signed);
    return note(state, any_lane(state, fails), i.residual_checks[0], first_failing(state, told, fails));
  }
  const code_value none = code.splat(type_tag::i32, condition.shape, INT32_MAX);
  const code_value failing = code.select(fails, ordinals(state, condition.shape, exact), none);
  note(state, any_lane(state, fails), i.residual_checks[0], folded(state, failing, opcode::mini, INT32_MAX));
}

// ---- Around a block ------------------------------------------------------------------------------------------------
void start_faults(kernel_state& state) {
  if (!state.status) return;
  state.fault = {state.code.integer(type_tag::i32, -1), state.code.integer(type_tag::i64, 0)};
}

void report_faults(kernel_state& state) {
  if (!state.status) return;
  code_builder& code = state.code;
  const fault_state& fault = state.fault;
  const code_value has_failed = code.compare(greater_equal, is_signed, fault.check, code.integer(type_tag::i32, 0));
  branch(code, has_failed, [&] {
    status_writer(state).write(fault.check, [&] {
      const code_value least = code.integer(type_tag::i64, 0);
      code_value greatest = least;
      for_each_check(state.source.entry, [&](const instruction& i, std::int32_t check) {
        const residual_check& rule = state.source.residual_checks[static_cast<std::size_t>(check)];
        const code_value is_this = code.compare(equal, is_unsigned, fault.check, code.integer(type_tag::i32, check));
        greatest = code.select(is_this, greatest_of(state, i, rule), greatest);
      });
      return std::array{fault.got, least, greatest};
    });
  });
}

bool has_checks(const instruction& i) {
  bool found = !i.residual_checks.empty();
  for (const block& inner : i.blocks) for_each_check(inner, [&](const instruction&, std::int32_t) { found = true; });
  return found;
}

}  // namespace tilewright::compiler::tileir
