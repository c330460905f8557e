// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/reductions.hpp"

#include <algorithm>
#include <bit>

#include "compiler/cpu/boxes.hpp"
#include "compiler/cpu/element_code.hpp"
#include "compiler/cpu/elements.hpp"

namespace tilewright::compiler {
namespace {

using values = ir::module_builder::values;

// Enough independent sums to hide the latency of an addition.
constexpr int most_accumulators = 4;

// One reduction, with the inner ones that it absorbed: over several axes of `operand`.
class reduction {
 public:
  reduction(kernel_state& state, const instruction& i) : state_(state), i_(i), operand_(i.operands[0]) {
    is_reduced_[at(i.attributes[0])] = true;
    while (state.home(operand_) == value_home::absorbed) {
      const instruction& inner = *state.plan.definition(operand_);
      is_reduced_[at(inner.attributes[0])] = true;
      operand_ = inner.operands[0];
    }
    vector_axis_ = vector_axis_of(type());
  }

  void emit() {
    const remembering_scope scope(state_);
    over_kept_axes(0, first_place(state_));
  }

 private:
  const value_type& type() const { return state_.type(operand_); }
  dtype element() const { return type().element; }
  std::int64_t extent(int axis) const { return type().extents[at(axis)]; }
  ir::module_builder& code() { return state_.code; }

  void over_kept_axes(int axis, const position& place) {
    if (axis == type().rank) {
      one_result(place);
      return;
    }
    if (is_reduced_[at(axis)] || axis == vector_axis_) {
      over_kept_axes(axis + 1, place);
      return;
    }
    for_each(state_, extent(axis), [&](const coordinate& here) {
      position next = place;
      next.axes[at(axis)] = here;
      over_kept_axes(axis + 1, next);
    });
  }

  void one_result(const position& place) {
    if (is_reduced_[at(vector_axis_)]) {
      along_vectors(place);
    } else {
      across_vectors(place);
    }
  }

  // ---- The vector axis is reduced: vectors of partial results, then across their lanes ----
  void along_vectors(const position& place) {
    const int lanes = state_.plan.lanes;
    const std::int64_t whole = extent(vector_axis_) / lanes;
    const int count = static_cast<int>(std::min<std::int64_t>(most_accumulators, whole));
    values totals;
    for (int n = 0; n < count; ++n) totals.push_back(neutral(code(), i_.op, element(), lanes));
    const int tail = static_cast<int>(extent(vector_axis_) - whole * lanes);
    if (tail != 0) totals.push_back(neutral(code(), i_.op, element(), tail));
    totals = over_reduced_axes(0, place, totals, [&](const position& row, values carried) {
      return one_row(row, std::move(carried), whole, count, tail);
    });
    ir::value total;
    for (int n = 0; n < count; ++n) {
      total = total ? combine(code(), i_.op, element(), total, totals[at(n)]) : totals[at(n)];
    }
    if (total) total = across_lanes(total);
    if (tail != 0) {
      const ir::value rest = across_lanes(totals.back());
      total = total ? combine(code(), i_.op, element(), total, rest) : rest;
    }
    write(place, narrowed(code(), element(), total));
  }

  values one_row(const position& row, values totals, std::int64_t whole, int count, int tail) {
    const remembering_scope scope(state_);
    remember_uniform(state_, operand_, row, vector_axis_);
    const int lanes = state_.plan.lanes;
    const auto step = [&](ir::value total, ir::value base, int width, std::int64_t divisor) {
      const remembering_scope vector_scope(state_);
      const position place = with_vector(row, vector_axis_, base, width, divisor);
      return combine(code(), i_.op, element(), total, widened(code(), element(), vector_at(state_, operand_, place)));
    };
    const std::int64_t rounds = count == 0 ? 0 : whole / count;
    const auto round = [&](ir::value base, values carried) {
      for (int n = 0; n < count; ++n) {
        const ir::value start = n == 0 ? base : code().add_index(base, state_.number(n * lanes));
        carried[at(n)] = step(carried[at(n)], start, lanes, lanes);
      }
      return carried;
    };
    if (rounds == 1) totals = round(state_.number(0), totals);
    if (rounds > 1) {
      totals = code().loop(state_.number(0), state_.number(rounds * count * lanes), count * lanes, totals,
                           [&](ir::value base, const values& carried) { return round(base, carried); });
    }
    for (std::int64_t n = rounds * count; n < whole; ++n) {
      ir::value& total = totals[at(n - rounds * count)];
      total = step(total, state_.number(n * lanes), lanes, lanes);
    }
    if (tail != 0) totals.back() = step(totals.back(), state_.number(whole * lanes), tail, whole * lanes);
    return totals;
  }

  // A tree: the upper half is combined with the lower one until one lane is left.
  ir::value across_lanes(ir::value v) {
    int lanes = code().type_of(v).lanes;
    const int rounded = static_cast<int>(std::bit_ceil(static_cast<unsigned>(lanes)));
    if (rounded != lanes) v = padded(v, lanes, rounded);
    for (lanes = rounded; lanes > 1; lanes /= 2) {
      v = combine(code(), i_.op, element(), code().lanes(v, 0, lanes / 2), code().lanes(v, lanes / 2, lanes / 2));
    }
    return v;
  }
  ir::value padded(ir::value v, int lanes, int rounded) {
    const ir::value filler = neutral(code(), i_.op, element(), lanes);
    std::vector<int> order(at(rounded));
    for (int n = 0; n < rounded; ++n) order[at(n)] = n < lanes ? n : lanes;
    return code().shuffle(v, filler, order);
  }

  // ---- The vector axis stays: several vectors of results at once ----
  void across_vectors(const position& place) {
    const int lanes = state_.plan.lanes;
    const std::int64_t whole = extent(vector_axis_) / lanes;
    const std::int64_t group = std::min<std::int64_t>(most_accumulators, whole);
    const std::int64_t groups = group == 0 ? 0 : whole / group;
    const auto run = [&](ir::value base, std::int64_t count, int width, std::int64_t divisor) {
      const remembering_scope scope(state_);
      column_group(place, base, count, width, divisor);
    };
    if (groups == 1) run(state_.number(0), group, lanes, 0);
    if (groups > 1) {
      code().loop(state_.number(0), state_.number(groups * group * lanes), group * lanes,
                  [&](ir::value base) { run(base, group, lanes, lanes); });
    }
    if (whole > groups * group) run(state_.number(groups * group * lanes), whole - groups * group, lanes, lanes);
    const int tail = static_cast<int>(extent(vector_axis_) - whole * lanes);
    if (tail != 0) run(state_.number(whole * lanes), 1, tail, whole * lanes);
  }

  void column_group(const position& place, ir::value base, std::int64_t count, int width, std::int64_t divisor) {
    values totals(at(count), neutral(code(), i_.op, element(), width));
    std::vector<position> columns;
    for (std::int64_t n = 0; n < count; ++n) {
      const ir::value start = n == 0 ? base : code().add_index(base, state_.number(n * width));
      columns.push_back(with_vector(place, vector_axis_, start, width, divisor));
    }
    totals = over_reduced_axes(0, place, totals, [&](const position& row, values carried) {
      for (std::size_t n = 0; n < columns.size(); ++n) {
        position here = columns[n];
        for (int axis = 0; axis < type().rank; ++axis) {
          if (is_reduced_[at(axis)]) here.axes[at(axis)] = row.axes[at(axis)];
        }
        carried[n] = combine(code(), i_.op, element(), carried[n],
                             widened(code(), element(), vector_at(state_, operand_, here)));
      }
      return carried;
    });
    for (std::size_t n = 0; n < columns.size(); ++n) write(columns[n], narrowed(code(), element(), totals[n]));
  }

  // ---- Both ----
  template <class Body>
  values over_reduced_axes(int axis, const position& place, const values& totals, const Body& body) {
    while (axis < type().rank && (!is_reduced_[at(axis)] || axis == vector_axis_)) ++axis;
    if (axis == type().rank) {
      const remembering_scope scope(state_);
      return body(place, totals);
    }
    const auto one = [&](const coordinate& here, const values& carried) {
      position next = place;
      next.axes[at(axis)] = here;
      return over_reduced_axes(axis + 1, next, carried, body);
    };
    if (extent(axis) == 1) return one({state_.number(0), 0, 0}, totals);
    return code().loop(state_.number(0), state_.number(extent(axis)), 1, totals,
                       [&](ir::value n, const values& carried) {
                         return one({n, 0, 1}, carried);
                       });
  }

  void write(const position& place, ir::value v) {
    position target = place;
    for (int axis = 0; axis < type().rank; ++axis) {
      if (is_reduced_[at(axis)]) target.axes[at(axis)] = {state_.number(0), 0, 0};
    }
    if (is_reduced_[at(vector_axis_)]) target.lanes = 1;
    const value_id result = i_.results[0];
    store_stored(state_, state_.type(result), state_.offsets[at(result)], target, v);
  }

  kernel_state& state_;
  const instruction& i_;
  value_id operand_;
  std::array<bool, max_rank> is_reduced_{};
  int vector_axis_ = 0;
};

}  // namespace

void emit_reduce(kernel_state& state, const instruction& i) { reduction(state, i).emit(); }

}  // namespace tilewright::compiler
