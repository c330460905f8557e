// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/emit.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "compiler/loops.hpp"
#include "compiler/scaled_products.hpp"
#include "compiler/tileir/fault_code.hpp"
#include "compiler/tileir/kernel_state.hpp"
#include "compiler/tileir/moved_tiles.hpp"
#include "compiler/tileir/range_code.hpp"
#include "compiler/tileir/scaled_product_code.hpp"
#include "compiler/tileir/schedule_code.hpp"
#include "compiler/tileir/write.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

constexpr std::int64_t greatest_tile = std::int64_t{1} << 24;

class kernel_emitter {
 public:
  kernel_emitter(const program& source, target where) : state_(source, where, made_), code_(state_.code) {}

  bytecode run() {
    kernel made;
    made.name = state_.ids.string(symbol_of(state_.source));
    start_debug(made);
    find_constants(state_.source.entry);
    check_schedule(state_);
    state_.faults.throw_if_any(*state_.source.module);
    find_deferred(state_);
    for (const program_parameter& each : state_.source.parameters) check_element({}, each.element);
    made.hints = kernel_hints(state_);
    made.signature = state_.ids.function(emit_entry(state_));
    emit_blocks(state_, [this] {
      start_faults(state_);
      visit(state_.source.entry);
      report_faults(state_);
    });
    state_.faults.throw_if_any(*state_.source.module);
    code_.set_location(made.location);
    made.body = code_.finish();
    made_.kernels.push_back(std::move(made));
    made_.minor = least_minor_of(made_);
    if (made_.minor >= 4) state_bounds(made_.kernels[0].body);
    return std::move(made_);
  }

 private:
  // ---- Debug locations: file, unit, subprogram, then a place for the kernel and for each record
  void start_debug(kernel& made) {
    const std::uint64_t file = state_.ids.string("record"), folder = state_.ids.string("");
    made_.debug = {{2, {file, folder}}, {1, {1}}, {5, {1, 1, made.name, made.name, 2, 1}}, {4, {3, file, 1, 1}}};
    made.has_location = true;
    made.location = 4;
    code_.set_location(4);
  }

  void set_place(source_location location) {
    if (location.record < 0) return code_.set_location(4);
    debug_attribute place{4, {3, made_.debug[3].fields[1], static_cast<std::uint64_t>(location.record) + 1, 1}};
    std::size_t at = made_.debug.size();
    while (at > 4 && !(made_.debug[at - 1] == place)) --at;
    if (at == 4) {
      made_.debug.push_back(std::move(place));
      at = made_.debug.size();
    }
    code_.set_location(static_cast<std::uint32_t>(at));
  }

  // ---- The program
  void find_constants(const block& code) {
    for (const instruction& i : code.body) {
      if (i.op == op::constant) state_.constants[static_cast<std::size_t>(i.results[0])] = &i;
      for (const block& inner : i.blocks) find_constants(inner);
    }
  }

  void visit(const block& code) { visit(code.body); }
  void visit(std::span<const instruction> body) {
    for (const instruction& i : body) {
      set_place(i.location);
      for (const value_id id : i.results) {
        check_size(i, id);
        check_element(i.location, state_.type(id).element);
      }
      visit(i);
    }
  }

  void check_size(const instruction& i, value_id id) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : state_.shape(id)) {
      elements *= extent;
      if (elements <= greatest_tile) continue;
      state_.faults.add({i.location, "a tile is too large for a GPU", "at most 2^24 elements, extents rounded up",
                         std::to_string(state_.type(id).elements()), "choose smaller tiles"});
      state_.faults.throw_if_any(*state_.source.module);
    }
  }

  void check_element(source_location location, dtype element) {
    if (!is_fp8(element) || state_.where >= target::sm_90) return;
    state_.faults.add({location, std::string("this GPU has no ") + info(element).name, "sm_90 or later",
                       name_of(state_.where), "launch it on a newer GPU, or on the host"});
    state_.faults.throw_if_any(*state_.source.module);
  }

  // clang-format off
  void visit(const instruction& i) {
    switch (i.op) {
      case op::for_begin: return loop(i);
      case op::while_begin: return while_loop(i);
      case op::if_begin: return branch(i);
      case op::constant: return;  // written where it is used
      case op::scalar: case op::block_id: case op::block_count: case op::extent: case op::tiles:
        return emit_position(state_, i);
      case op::load: case op::load_window: case op::load_piece: case op::gather_rows: case op::gather:
      case op::store: case op::store_tile:
        return emit_memory(state_, i);
      case op::store_rows: return emit_store_rows(state_, i);
      case op::combine: case op::combine_at: return emit_combine(state_, i);
      case op::assertion: return check_assertion(state_, i);
      case op::print: return emit_print(state_, i);
      case op::reduce_sum: case op::reduce_product: case op::reduce_max: case op::reduce_min: case op::argmax:
      case op::scan_sum: case op::scan_product: case op::scan_max: case op::scan_min:
        return emit_along_axis(state_, i);
      case op::reduce_begin: case op::scan_begin: return emit_combined(state_, i);
      case op::mma: return emit_product(state_, i);
      case op::mma_scaled: return emit_scaled_product(state_, i);
      case op::table: case op::iota: case op::permute: case op::reshape: case op::broadcast: case op::cat: case op::extract:
        return emit_shape(state_, i);
      case op::negate: case op::absolute: case op::bit_not: case op::exp: case op::exp2: case op::log: case op::log2:
      case op::sqrt: case op::rsqrt: case op::tanh: case op::sin: case op::cos: case op::tan: case op::sinh:
      case op::cosh: case op::floor: case op::ceil: case op::add: case op::subtract: case op::multiply: case op::divide:
      case op::remainder: case op::floor_div: case op::floor_mod: case op::minimum: case op::maximum: case op::pow:
      case op::atan2: case op::multiply_high: case op::bit_and: case op::bit_or: case op::bit_xor: case op::shift_left:
      case op::shift_right: case op::less: case op::less_equal: case op::greater: case op::greater_equal:
      case op::equal: case op::not_equal: case op::select: case op::fma: case op::cast: case op::bitcast:
        return emit_element_wise(state_, i);
      case op::copy: case op::assign: case op::undefined: case op::for_end: case op::while_condition:
      case op::while_end:
      case op::if_else: case op::if_end:
      case op::combiner_left: case op::combiner_right: case op::combiner_end: case op::combined:
      case op::dim_value: case op::same_shape: case op::require_equal: case op::require: return;  // a program has none of them
    }
  }
  // clang-format on

  // ---- Loops and branches: values in the program's order, then what the emitter itself carries
  struct threaded {
    std::vector<std::optional<value_number>*> tokens;  // of tensors used inside, and of lines printed there
    bool has_checks = false;                           // inside: the fault found so far
  };
  threaded threaded_through(const instruction& i) {
    return {ordered_tokens(i), state_.status.has_value() && has_checks(i)};
  }

  std::vector<std::optional<value_number>*> ordered_tokens(const instruction& i) {
    std::vector<std::optional<value_number>*> used;
    for (std::size_t p = 0; p < state_.tensors.size(); ++p) {
      std::optional<value_number>& token = state_.tensors[p].token;
      if (token && is_accessed(i, static_cast<std::int64_t>(p))) used.push_back(&token);
    }
    if (std::any_of(i.blocks.begin(), i.blocks.end(), prints)) used.push_back(&state_.printed);
    return used;
  }

  static bool is_accessed(const instruction& i, std::int64_t parameter) {
    const bool is_access = i.op == op::load_piece || i.op == op::store || i.op == op::combine;
    if (is_access && i.attributes[0] == parameter) return true;
    for (const block& inner : i.blocks) {
      for (const instruction& next : inner.body) {
        if (is_accessed(next, parameter)) return true;
      }
    }
    return false;
  }

  std::vector<type_id> types_of(const std::vector<value_id>& ids, std::size_t from, const threaded& more) {
    std::vector<type_id> types;
    for (std::size_t n = from; n < ids.size(); ++n) {
      types.push_back(state_.ids.tile(state_.element(ids[n]), state_.shape(ids[n])));
    }
    types.insert(types.end(), more.tokens.size(), state_.ids.token());
    if (more.has_checks)
      types.insert(types.end(), {code_.type_of(state_.fault.check), code_.type_of(state_.fault.got)});
    return types;
  }

  // `given` in the elements of `like`, then what is threaded through.
  std::vector<value_number> numbers_of(const std::vector<value_id>& given, std::size_t from,
                                       const std::vector<value_id>& like, std::size_t like_from, const threaded& more) {
    std::vector<value_number> numbers;
    for (std::size_t n = from; n < given.size(); ++n) {
      numbers.push_back(state_.get(given[n], state_.element(like[like_from + n - from])).number);
    }
    for (const std::optional<value_number>* token : more.tokens) numbers.push_back(**token);
    if (more.has_checks) numbers.insert(numbers.end(), {state_.fault.check.number, state_.fault.got.number});
    return numbers;
  }

  // Values `ids` from `from` on are the numbers that start at `first`; what is threaded through follows.
  void take(const std::vector<value_id>& ids, std::size_t from, value_number first,
            const std::vector<value_id>& element_like, std::size_t like_from, const threaded& more) {
    for (std::size_t n = from; n < ids.size(); ++n) {
      state_.set(ids[n], {first++, state_.element(element_like[like_from + n - from]), state_.shape(ids[n])});
    }
    for (std::optional<value_number>* token : more.tokens) *token = first++;
    if (!more.has_checks) return;
    state_.fault.check.number = first++;
    state_.fault.got.number = first++;
  }

  // The counter passes the end by up to a step: by 1 it cannot wrap.
  bool is_counted_in_32_bits(const instruction& i) const {
    const instruction* step = state_.constants[static_cast<std::size_t>(i.operands[2])];
    return step != nullptr && step->attributes[0] == 1 && !state_.is_wide(i.blocks[0].arguments[0]) &&
           !state_.is_wide(i.operands[0]) && !state_.is_wide(i.operands[1]);
  }

  void loop(const instruction& i) {
    const block& body = i.blocks[0];
    const threaded more = threaded_through(i);
    const type_tag counter = is_counted_in_32_bits(i) ? type_tag::i32 : type_tag::i64;
    operation made;
    made.code = opcode::for_;
    const range_code range = emit_range(state_, i, counter);
    made.operands = {range.from.number, range.to.number, range.step.number};
    const std::vector<value_number> initial = numbers_of(i.operands, 3, body.arguments, 1, more);
    made.operands.insert(made.operands.end(), initial.begin(), initial.end());
    made.results = types_of(body.arguments, 1, more);
    std::vector<type_id> arguments = made.results;
    arguments.insert(arguments.begin(), state_.ids.tile(counter));
    const std::vector<value_number> inside = code_.open_region(arguments);
    const code_value count{inside[0], counter, {}};
    take(body.arguments, 1, inside[0] + 1, body.arguments, 1, more);
    state_.set(body.arguments[0], variable_of(state_, range, count));
    visit(body);
    set_place(i.location);
    std::vector<value_number> next = numbers_of(body.yields, 0, body.arguments, 1, more);
    const std::vector<bool> moved = moved_tiles(i);
    if (std::find(moved.begin(), moved.end(), true) != moved.end()) {
      const code_value holds = code_.compare(comparison_predicate::less, is_signed, count, range.to);
      choose_next(std::span(body.arguments).subspan(1), moved, holds, next);
    }
    code_.terminate(opcode::continue_, next);
    made.regions.push_back(code_.close_region());
    const value_number first = code_.append(std::move(made));
    take(i.results, 0, first, body.arguments, 1, more);
  }

  // A loop that its condition breaks out of.
  void while_loop(const instruction& i) {
    const block& body = i.blocks[0];
    const std::span<const instruction> code(body.body);
    const std::size_t condition_at = condition_of(i);
    const threaded more = threaded_through(i);
    operation made;
    made.code = opcode::loop;
    made.operands = numbers_of(i.operands, 0, body.arguments, 0, more);
    made.results = types_of(body.arguments, 0, more);
    const value_number inside = code_.next_number();
    code_.open_region(made.results);
    take(body.arguments, 0, inside, body.arguments, 0, more);
    visit(code.first(condition_at));
    const code_value condition = state_.get(code[condition_at].operands[0]);
    break_unless(condition.number, numbers_of(body.arguments, 0, body.arguments, 0, more));
    visit(code.subspan(condition_at + 1));
    set_place(i.location);
    std::vector<value_number> next = numbers_of(body.yields, 0, body.arguments, 0, more);
    choose_next(body.arguments, std::vector<bool>(body.arguments.size(), true), condition, next);
    code_.terminate(opcode::continue_, next);
    made.regions.push_back(code_.close_region());
    const value_number first = code_.append(std::move(made));
    take(i.results, 0, first, body.arguments, 0, more);
  }

  // What a round gives is chosen by the loop's condition, which holds: NVIDIA's assembler (13.4.92) crashes, or goes on
  // with what was carried before, where a round gives a carried value in another's place, transposed, or, of a while_,
  // one that no round changes.
  void choose_next(std::span<const value_id> carried, const std::vector<bool>& is_chosen, const code_value& condition,
                   std::vector<value_number>& next) {
    for (std::size_t n = 0; n < carried.size(); ++n) {
      const type_tag element = state_.element(carried[n]);
      const code_value here = state_.get(carried[n], element);
      const code_value given{next[n], element, here.shape};
      if (!is_chosen[n] || given.number == here.number) continue;
      next[n] = code_.select(code_.broadcast(condition, here.shape), given, here).number;
    }
  }

  void break_unless(value_number condition, const std::vector<value_number>& carried) {
    operation made;
    made.code = opcode::if_;
    made.operands = {condition};
    code_.open_region({});
    code_.terminate(opcode::yield, {});
    made.regions.push_back(code_.close_region());
    code_.open_region({});
    code_.terminate(opcode::break_, carried);
    made.regions.push_back(code_.close_region());
    code_.append(std::move(made));
  }

  void branch(const instruction& i) {
    const threaded more = threaded_through(i);
    std::vector<value_number> before;
    for (const std::optional<value_number>* token : more.tokens) before.push_back(**token);
    const fault_state fault_before = state_.fault;
    operation made;
    made.code = opcode::if_;
    made.operands = {state_.get(i.operands[0]).number};
    made.results = types_of(i.results, 0, more);
    for (const block& taken : i.blocks) {
      for (std::size_t n = 0; n < before.size(); ++n) *more.tokens[n] = before[n];
      state_.fault = fault_before;
      code_.open_region({});
      visit(taken);
      set_place(i.location);
      code_.terminate(opcode::yield, numbers_of(taken.yields, 0, i.results, 0, more));
      made.regions.push_back(code_.close_region());
    }
    const value_number first = code_.append(std::move(made));
    take(i.results, 0, first, i.results, 0, more);
  }

  // From 13.4 on, accesses state for each axis whether the tile may overhang: here it always may.
  static void state_bounds(std::vector<operation>& body) {
    for (operation& next : body) {
      if (next.code == opcode::load_view || next.code == opcode::store_view) next.list.assign(next.groups[0], 0);
      for (region& inner : next.regions) state_bounds(inner.body);
    }
  }

  bytecode made_;
  kernel_state state_;
  code_builder& code_;
};

}  // namespace

bytecode emit(const program& source, target where) {
  if (where >= target::sm_100 || !has_scaled_products(source)) return kernel_emitter(source, where).run();
  return kernel_emitter(with_plain_products(source), where).run();
}

gpu_launch_form launch_form_of(const program& source, target where) {
  const schedule& plan = source.schedule;
  return {.persistent = plan.persistent,
          .num_ctas = has_clusters(where) ? plan.num_ctas : 0,
          .occupancy = plan.occupancy,
          .programmatic = plan.programmatic && has_clusters(where),
          .has_status = !source.residual_checks.empty(),
          .architecture = where};
}

// A kernel may be called anything.
std::string symbol_of(const program& source) {
  std::string symbol = *source.module->name == 0 ? "kernel" : source.module->name;
  for (char& letter : symbol) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '_';
    if (!is_plain) letter = '_';
  }
  return symbol[0] >= '0' && symbol[0] <= '9' ? "_" + symbol : symbol;
}

}  // namespace tilewright::compiler::tileir
