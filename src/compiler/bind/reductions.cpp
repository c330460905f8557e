// SPDX-License-Identifier: Apache-2.0
#include "compiler/bind/reductions.hpp"

#include <bit>
#include <limits>

#include "compiler/constant_bits.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

// The operation that an accumulating op accumulates with; `copy` when it does not accumulate.
op accumulation(op which) {
  switch (which) {
    case op::mma:
    case op::mma_scaled:
    case op::fma:
    case op::add:
      return op::add;
    case op::multiply:
    case op::maximum:
    case op::minimum:
    case op::bit_and:
    case op::bit_or:
    case op::bit_xor:
      return which;
    default:
      return op::copy;
  }
}

// Whether an accumulating op may take its accumulator as operand n: any of a symmetric op, the addend of a product.
bool takes_accumulator(op which, std::size_t operand) {
  return which == op::mma || which == op::mma_scaled || which == op::fma ? operand == 2 : true;
}

std::int64_t extreme(dtype element, bool least) {
  if (is_floating(element)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return std::bit_cast<std::int64_t>(least ? -infinity : infinity);
  }
  const int bits = info(element).bits;
  if (is_unsigned(element)) return least ? 0 : constant_word(-1, element);
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min() >> (64 - bits);
  return least ? lowest : ~lowest;
}

bool is_neutral(op accumulating, std::int64_t word, dtype element) {
  const double number = std::bit_cast<double>(word);
  switch (accumulating) {
    case op::add:
      return is_floating(element) ? number == 0.0 : word == 0;
    case op::multiply:
      return is_floating(element) ? number == 1.0 : word == 1;
    case op::maximum:
      return word == extreme(element, true);
    case op::minimum:
      return word == extreme(element, false);
    case op::bit_and:
      return word == constant_word(-1, element);
    default:
      return word == 0;  // bit_or, bit_xor
  }
}

class reduction_rules {
 public:
  reduction_rules(const program& source, diagnostics& faults)
      : source_(source), faults_(faults), makers_(source.values.size()), uses_(source.values.size(), 0) {}

  void run() {
    index(source_.entry);
    verify(source_.entry);
  }

 private:
  void index(const block& code) {
    for (const instruction& next : code.body) {
      for (const value_id value : next.results) maker(value) = &next;
      for (const value_id value : next.operands) ++uses_[static_cast<std::size_t>(value)];
      for (const block& inner : next.blocks) index(inner);
    }
    for (const value_id value : code.yields) ++uses_[static_cast<std::size_t>(value)];
  }

  void verify(const block& code) {
    for (const instruction& next : code.body) {
      if (next.op == op::for_begin && next.attributes[0] != 0) verify_loop(next);
      for (const block& inner : next.blocks) verify(inner);
    }
  }

  void verify_loop(const instruction& loop) {
    const block& body = loop.blocks[0];
    for (std::size_t i = 1; i < body.arguments.size(); ++i) {
      verify_carried(loop, body.arguments[i], body.yields[i - 1], loop.operands[i + 2]);
    }
  }

  // Follows the accumulator from the end of the body back to its start.
  void verify_carried(const instruction& loop, value_id start, value_id end, value_id initial) {
    op accumulating = op::copy;
    for (value_id at = end; at != start;) {
      const instruction* made = maker(at);
      const op step = made == nullptr ? op::copy : accumulation(made->op);
      if (step == op::copy || (accumulating != op::copy && step != accumulating)) return refuse(loop, made);
      accumulating = step;
      const value_id previous = accumulator(*made, start);
      if (previous == no_value || uses_[static_cast<std::size_t>(previous)] != 1) return refuse(loop, made);
      at = previous;
    }
    if (accumulating == op::copy) return;  // carried unchanged
    verify_start(loop, initial, accumulating);
  }

  // The operand of `made` that leads back to `start`.
  value_id accumulator(const instruction& made, value_id start) const {
    for (std::size_t i = 0; i < made.operands.size(); ++i) {
      if (takes_accumulator(made.op, i) && leads_to(made.operands[i], start)) return made.operands[i];
    }
    return no_value;
  }

  bool leads_to(value_id value, value_id start) const {
    if (value == start) return true;
    const instruction* made = makers_[static_cast<std::size_t>(value)];
    if (made == nullptr || accumulation(made->op) == op::copy) return false;
    for (std::size_t i = 0; i < made->operands.size(); ++i) {
      if (takes_accumulator(made->op, i) && leads_to(made->operands[i], start)) return true;
    }
    return false;
  }

  void verify_start(const instruction& loop, value_id initial, op accumulating) {
    const instruction* made = maker(initial);
    while (made != nullptr && made->op == op::broadcast) made = maker(made->operands[0]);
    const dtype element = source_.values[static_cast<std::size_t>(initial)].element;
    if (made != nullptr && made->op == op::constant && is_neutral(accumulating, made->attributes[0], element)) return;
    faults_.add(
        {loop.location,
         std::string("an accumulator of a reduction() loop does not start neutral for ") + ast::info(accumulating).name,
         "a constant tile of the value that changes nothing, such as zeros for a sum",
         {},
         "start neutral and join the other value after the loop, or leave .reduction() out"});
  }

  void refuse(const instruction& loop, const instruction* culprit) {
    faults_.add({culprit != nullptr ? culprit->location : loop.location, "a reduction() loop may only accumulate",
                 "acc = acc + x, mma(a, b, acc), min, max, * or a bit operation, with one operation and no other use",
                 culprit != nullptr ? std::string(ast::info(culprit->op).name) : std::string("another value"),
                 "leave .reduction() out"});
  }

  const instruction*& maker(value_id value) { return makers_[static_cast<std::size_t>(value)]; }

  const program& source_;
  diagnostics& faults_;
  std::vector<const instruction*> makers_;
  std::vector<int> uses_;
};

}  // namespace

void verify_reductions(const program& source, diagnostics& faults) { reduction_rules(source, faults).run(); }

}  // namespace tilewright::compiler
