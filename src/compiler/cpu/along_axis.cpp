// SPDX-License-Identifier: Apache-2.0
// argmax, scans, and what a combiner of the kernel's author reduces or scans.
#include "compiler/combiners.hpp"
#include "compiler/cpu/boxes.hpp"
#include "compiler/cpu/element_code.hpp"
#include "compiler/cpu/elements.hpp"
#include "compiler/cpu/reductions.hpp"

namespace tilewright::compiler {
namespace {

using values = ir::module_builder::values;

// Calls body(place) for every element, or vector of elements, of a tile without the axis `without`.
void for_each_line(kernel_state& state, const value_type& shape, int without, const place_body& body) {
  value_type lines = shape;
  lines.extents[at(without)] = 1;
  const bool is_vector_kept = vector_axis_of(shape) != without;
  for_each_vector(state, lines, is_vector_kept ? state.plan.lanes : 1, body);
}

position along(const position& place, int axis, ir::value n) {
  position result = place;
  result.axes[at(axis)] = {n, 0, 1};
  return result;
}

// ---- argmax ---------------------------------------------------------------------------------------------------------
struct best {
  ir::value element, where;  // widened, i32
};

class greatest_position {
 public:
  greatest_position(kernel_state& state, const instruction& i)
      : state_(state), i_(i), operand_(i.operands[0]), axis_(static_cast<int>(i.attributes[0])) {}

  void emit() {
    for_each_line(state_, type(), axis_, [&](const position& line) {
      const best found = vector_axis_of(type()) == axis_ ? along_vectors(line) : across_vectors(line);
      const value_id result = i_.results[0];
      store_stored(state_, state_.type(result), state_.offsets[at(result)], line,
                   code().sign_extend(found.where, ir::scalar_type::i64));
    });
  }

 private:
  const value_type& type() const { return state_.type(operand_); }
  ir::module_builder& code() { return state_.code; }
  std::int64_t extent() const { return type().extents[at(axis_)]; }
  ir::type where_type(int lanes) const { return {ir::scalar_type::i32, lanes}; }

  ir::value element(const position& place) {
    return widened(code(), type().element, vector_at(state_, operand_, place));
  }
  ir::value is_nan(ir::value v) { return code().compare_floats(ir::compare::not_equal, v, v); }
  ir::value is_greater(ir::value a, ir::value b) {
    if (is_floating(type().element)) return code().compare_floats(ir::compare::greater, a, b);
    return code().compare_integers(is_signed(type().element) ? ir::compare::greater : ir::compare::unsigned_greater, a,
                                   b);
  }
  best chosen(ir::value takes_b, const best& a, const best& b) {
    return {code().select(takes_b, b.element, a.element), code().select(takes_b, b.where, a.where)};
  }

  // b stands after a in every lane.
  best later(const best& a, const best& b) {
    ir::value takes_b = is_greater(b.element, a.element);
    if (is_floating(type().element)) {
      takes_b = code().bit_or(takes_b, code().bit_and(is_nan(b.element), code().bit_not(is_nan(a.element))));
    }
    return chosen(takes_b, a, b);
  }
  // In any order: among equals the lower position.
  best either(const best& a, const best& b) {
    const ir::value is_before = code().compare_integers(ir::compare::less, b.where, a.where);
    ir::value is_tie =
        code().bit_not(code().bit_or(is_greater(a.element, b.element), is_greater(b.element, a.element)));
    ir::value takes_b = is_greater(b.element, a.element);
    if (is_floating(type().element)) {
      const ir::value a_nan = is_nan(a.element), b_nan = is_nan(b.element);
      is_tie = code().bit_and(is_tie, code().bit_not(code().bit_xor(a_nan, b_nan)));
      takes_b = code().bit_or(takes_b, code().bit_and(b_nan, code().bit_not(a_nan)));
    }
    return chosen(code().bit_or(takes_b, code().bit_and(is_tie, is_before)), a, b);
  }

  best at_vector(const position& line, ir::value base, int lanes, std::int64_t divisor) {
    const remembering_scope scope(state_);
    const ir::value first = code().truncate(base, ir::scalar_type::i32);
    const ir::value where =
        lanes == 1 ? first : code().add(code().broadcast(first, lanes), code().lane_numbers(where_type(lanes)));
    return {element(with_vector(line, axis_, base, lanes, divisor)), where};
  }

  best along_vectors(const position& line) {
    const int lanes = state_.plan.lanes;
    const std::int64_t whole = extent() / lanes;
    const int tail = static_cast<int>(extent() - whole * lanes);
    best found;
    if (whole > 0) {
      best first = at_vector(line, state_.number(0), lanes, 0);
      const values all =
          code().loop(state_.number(lanes), state_.number(whole * lanes), lanes, {first.element, first.where},
                      [&](ir::value base, const values& carried) -> values {
                        const best next = later({carried[0], carried[1]}, at_vector(line, base, lanes, lanes));
                        return {next.element, next.where};
                      });
      found = across_lanes({all[0], all[1]});
    }
    if (tail == 0) return found;
    const best rest = across_lanes(at_vector(line, state_.number(whole * lanes), tail, whole * lanes));
    return whole > 0 ? either(found, rest) : rest;
  }

  best across_lanes(best b) {
    int lanes = code().type_of(b.where).lanes;
    while (lanes > 1) {
      // Odd counts: the middle lane is compared with itself.
      const int half = (lanes + 1) / 2;
      b = either({code().lanes(b.element, 0, half), code().lanes(b.where, 0, half)},
                 {code().lanes(b.element, lanes - half, half), code().lanes(b.where, lanes - half, half)});
      lanes = half;
    }
    return b;
  }

  best across_vectors(const position& line) {
    const auto spread = [&](ir::value n) {
      const ir::value where = code().truncate(n, ir::scalar_type::i32);
      return line.lanes == 1 ? where : code().broadcast(where, line.lanes);
    };
    const ir::value first = element(along(line, axis_, state_.number(0)));
    const values all =
        code().loop(state_.number(1), state_.number(extent()), 1, {first, spread(state_.number(0))},
                    [&](ir::value n, const values& carried) -> values {
                      const remembering_scope scope(state_);
                      const best next = later({carried[0], carried[1]}, {element(along(line, axis_, n)), spread(n)});
                      return {next.element, next.where};
                    });
    return {all[0], all[1]};
  }

  kernel_state& state_;
  const instruction& i_;
  value_id operand_;
  int axis_;
};

// ---- Combiners ------------------------------------------------------------------------------------------------------
// Every value of a combiner is a vector of as many lanes as are combined at once.
class combined_lines {
 public:
  combined_lines(kernel_state& state, const instruction& i)
      : state_(state), i_(i), combiner_(i.blocks[0]), axis_(static_cast<int>(i.attributes[0])) {}

  void emit() {
    const bool scans = i_.op == ast::op::scan_begin;
    for_each_line(state_, type(), axis_, [&](const position& line) {
      if (scans) {
        (void)in_order(line, true);
      } else {
        write(along(line, axis_, state_.number(0)),
              vector_axis_of(type()) == axis_ ? along_vectors(line) : in_order(line, false));
      }
    });
  }

 private:
  std::size_t count() const { return i_.operands.size(); }
  const value_type& type() const { return state_.type(i_.operands[0]); }
  std::int64_t extent() const { return type().extents[at(axis_)]; }
  ir::module_builder& code() { return state_.code; }

  ir::value spread(ir::value v, int lanes) { return code().type_of(v).lanes == lanes ? v : code().broadcast(v, lanes); }

  values combined(const values& left, const values& right, int lanes) {
    for (std::size_t n = 0; n < count(); ++n) {
      state_.scalars[at(combiner_.arguments[n])] = left[n];
      state_.scalars[at(combiner_.arguments[count() + n])] = right[n];
    }
    for (const instruction& next : combiner_.body) {
      const dtype element = state_.type(next.results[0]).element;
      ir::value& result = state_.scalars[at(next.results[0])];
      if (next.op == ast::op::constant) {
        result = constant_element(code(), element, next.attributes[0], lanes);
        continue;
      }
      values operands;
      for (const value_id id : next.operands) operands.push_back(spread(state_.scalars[at(id)], lanes));
      result = element_op(code(), next, element, state_.type(next.operands.back()).element, operands);
    }
    values given;
    for (const value_id id : combiner_.yields) given.push_back(spread(state_.scalars[at(id)], lanes));
    return given;
  }

  values identities(int lanes) {
    values made;
    for (std::size_t n = 0; n < count(); ++n) {
      made.push_back(constant_element(code(), state_.type(i_.operands[n]).element, identity_of(i_, n), lanes));
    }
    return made;
  }
  values elements(const position& place) {
    const remembering_scope scope(state_);
    values all;
    for (const value_id tile : i_.operands) all.push_back(vector_at(state_, tile, place));
    return all;
  }
  void write(const position& place, const values& all) {
    for (std::size_t n = 0; n < count(); ++n) {
      const value_id result = i_.results[n];
      store_stored(state_, state_.type(result), state_.offsets[at(result)], place, all[n]);
    }
  }

  // One element of the line after the other, or of as many lines as the place has lanes.
  values in_order(const position& line, bool scans) {
    const ir::value last = state_.number(extent() - 1);
    return code().loop(state_.number(0), state_.number(extent()), 1, identities(line.lanes),
                       [&](ir::value n, const values& total) {
                         const ir::value from_start = is_reverse_scan(i_) ? code().subtract(last, n) : n;
                         const position place = along(line, axis_, from_start);
                         const values next = combined(total, elements(place), line.lanes);
                         if (scans) write(place, next);
                         return next;
                       });
  }

  // Of a reduction, whose elements may be combined in any order.
  values along_vectors(const position& line) {
    const int lanes = state_.plan.lanes;
    const std::int64_t whole = extent() / lanes;
    const int tail = static_cast<int>(extent() - whole * lanes);
    values total = identities(1);
    if (whole > 0) {
      total = code().loop(state_.number(0), state_.number(whole * lanes), lanes, identities(lanes),
                          [&](ir::value base, const values& carried) {
                            const position place = with_vector(line, axis_, base, lanes, lanes);
                            return combined(carried, elements(place), lanes);
                          });
      total = across_lanes(total, lanes);
    }
    if (tail == 0) return total;
    const position place = with_vector(line, axis_, state_.number(whole * lanes), tail, whole * lanes);
    return combined(total, across_lanes(elements(place), tail), 1);
  }

  values part(const values& all, int first, int lanes) {
    values made;
    for (const ir::value each : all) made.push_back(code().lanes(each, first, lanes));
    return made;
  }
  values across_lanes(const values& all, int lanes) {
    if (lanes == 1) return all;
    const int half = lanes / 2;
    const values joined = across_lanes(combined(part(all, 0, half), part(all, half, half), half), half);
    return lanes % 2 == 0 ? joined : combined(joined, part(all, lanes - 1, 1), 1);
  }

  kernel_state& state_;
  const instruction& i_;
  const block& combiner_;
  int axis_;
};

}  // namespace

void emit_combined(kernel_state& state, const instruction& i) { combined_lines(state, i).emit(); }

void emit_argmax(kernel_state& state, const instruction& i) { greatest_position(state, i).emit(); }

void emit_scan(kernel_state& state, const instruction& i) {
  const int axis = static_cast<int>(i.attributes[0]);
  const bool is_reverse = i.attributes[1] != 0;
  const value_id operand = i.operands[0], result = i.results[0];
  const value_type& type = state.type(operand);
  const ir::value last = state.number(type.extents[at(axis)] - 1);
  for_each_line(state, type, axis, [&](const position& line) {
    const auto nth = [&](ir::value n) { return along(line, axis, is_reverse ? state.code.subtract(last, n) : n); };
    // Started by the first element, not by 0 + it: -0 stays -0.
    const auto element = [&](ir::value n) {
      const remembering_scope scope(state);
      return widened(state.code, type.element, vector_at(state, operand, nth(n)));
    };
    const auto write = [&](ir::value n, ir::value total) {
      store_stored(state, type, state.offsets[at(result)], nth(n), narrowed(state.code, type.element, total));
    };
    const ir::value first = element(state.number(0));
    write(state.number(0), first);
    state.code.loop(state.number(1), state.number(type.extents[at(axis)]), 1, {first},
                    [&](ir::value n, const values& carried) -> values {
                      const ir::value total = combine(state.code, i.op, type.element, carried[0], element(n));
                      write(n, total);
                      return {total};
                    });
  });
}

}  // namespace tilewright::compiler
