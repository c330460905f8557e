// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/shrink.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "compiler/loops.hpp"
#include "compiler/simplify/dead_code.hpp"
#include "support/fuzz/program_types.hpp"
#include "support/fuzz/program_values.hpp"
#include "support/fuzz/value_facts.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using compiler::block;
using compiler::instruction;
using compiler::program;
using compiler::value_id;
using compiler::value_type;

std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

// Visits blocks in order, the owner's before those that it owns; stops when visit says so. Not combiners: a part of one
// need not be associative.
template <class Visit>
bool each_block(block& code, Visit visit) {
  if (visit(code)) return true;
  for (instruction& next : code.body) {
    if (ast::has_combiner(next.op)) continue;
    for (block& inner : next.blocks) {
      if (each_block(inner, visit)) return true;
    }
  }
  return false;
}

// The instruction of a number in that order.
struct place {
  block* code = nullptr;
  std::size_t position = 0;
  instruction& operator*() const { return code->body[position]; }
};
place place_of(program& source, int number) {
  place found;
  each_block(source.entry, [&](block& code) {
    const int here = static_cast<int>(code.body.size());
    if (number < here) found = {&code, at(number)};
    number -= here;
    return found.code != nullptr;
  });
  return found;
}

void replace_uses(program& source, value_id from, value_id to) {
  each_block(source.entry, [&](block& code) {
    for (instruction& next : code.body) std::replace(next.operands.begin(), next.operands.end(), from, to);
    std::replace(code.yields.begin(), code.yields.end(), from, to);
    return false;
  });
}

void erase_instruction(program& source, int number) {
  const place here = place_of(source, number);
  here.code->body.erase(here.code->body.begin() + static_cast<std::ptrdiff_t>(here.position));
}

bool uses_any(const block& code, const std::vector<value_id>& values) {
  const auto is_one = [&](value_id used) { return std::find(values.begin(), values.end(), used) != values.end(); };
  return std::any_of(code.yields.begin(), code.yields.end(), is_one) ||
         std::any_of(code.body.begin(), code.body.end(), [&](const instruction& next) {
           return std::any_of(next.operands.begin(), next.operands.end(), is_one) ||
                  std::any_of(next.blocks.begin(), next.blocks.end(),
                              [&](const block& inner) { return uses_any(inner, values); });
         });
}

// A loop or a branch becomes the instructions of one of its blocks.
void open_block(program& source, const place& owner, std::size_t which) {
  instruction opened = std::move(*owner);
  block inner = std::move(opened.blocks[which]);
  std::erase_if(inner.body, [](const instruction& next) { return next.op == op::while_condition; });
  auto& body = owner.code->body;
  body.erase(body.begin() + static_cast<std::ptrdiff_t>(owner.position));
  body.insert(body.begin() + static_cast<std::ptrdiff_t>(owner.position), inner.body.begin(), inner.body.end());
  for (std::size_t i = 0; i < opened.results.size(); ++i) replace_uses(source, opened.results[i], inner.yields[i]);
  if (!compiler::is_loop(opened)) return;
  const std::size_t carried = compiler::first_carried(opened), initial = compiler::first_initial(opened);
  if (carried == 1) replace_uses(source, inner.arguments[0], opened.operands[0]);
  for (std::size_t i = 0; i < opened.results.size(); ++i) {
    replace_uses(source, inner.arguments[carried + i], opened.operands[initial + i]);
  }
}

// ---- Launches
void remove_unused_parameters(fuzz_case& shown) {
  program& source = shown.source;
  std::vector<bool> is_used(source.parameters.size(), false);
  const auto names_parameter = [](const instruction& next) {
    return next.op == op::scalar || next.op == op::extent || next.op == op::tiles ||
           (ast::info(next.op).category == ast::op_category::memory);
  };
  each_block(source.entry, [&](block& code) {
    for (instruction& next : code.body) {
      if (names_parameter(next)) is_used[at(next.attributes[0])] = true;
      if (next.op == op::store_rows) is_used[at(next.attributes[1])] = true;
    }
    return false;
  });
  std::vector<std::int64_t> number(is_used.size(), -1);
  std::size_t kept = 0;
  for (std::size_t p = 0; p < is_used.size(); ++p) {
    if (!is_used[p]) continue;
    number[p] = static_cast<std::int64_t>(kept);
    source.parameters[kept] = source.parameters[p];
    shown.launch.tensors[kept++] = shown.launch.tensors[p];
  }
  source.parameters.resize(kept);
  shown.launch.tensors.resize(kept);
  for (compiler::program_parameter& parameter : source.parameters) {
    if (parameter.placed_by >= 0) parameter.placed_by = static_cast<std::int32_t>(number[at(parameter.placed_by)]);
  }
  each_block(source.entry, [&](block& code) {
    for (instruction& next : code.body) {
      if (names_parameter(next)) next.attributes[0] = number[at(next.attributes[0])];
      if (next.op == op::store_rows) next.attributes[1] = number[at(next.attributes[1])];
    }
    return false;
  });
}

void fit_outputs(fuzz_case& shown) {
  for (std::size_t p = 0; p < shown.source.parameters.size(); ++p) {
    const auto& parameter = shown.source.parameters[p];
    if (!is_output(parameter.kind) && parameter.kind != parameter_kind::unique) continue;
    tensor_form& tensor = shown.launch.tensors[p];
    for (std::size_t axis = 0; axis < at(parameter.rank); ++axis) {
      if (is_output(parameter.kind) && parameter.has_whole(axis)) continue;
      if (parameter.placed_by >= 0 && axis == 0) {  // what it is placed by came first
        const index_t rows = shown.launch.tensors[at(parameter.placed_by)].extents[0];
        tensor.extents[axis] = std::max(tensor.extents[axis], rows);
        continue;
      }
      const index_t piece = piece_of(shown.source, p, axis);
      const index_t blocks = axis < shown.launch.grid.size() ? shown.launch.grid[axis] : 1;
      const index_t most = blocks * piece, least = (blocks - 1) * piece + 1;
      tensor.extents[axis] = std::clamp(tensor.extents[axis], least, most);
    }
    make_dense(tensor, parameter.rank);
  }
}

class shrinker {
 public:
  shrinker(fuzz_case failing, const std::function<bool(const fuzz_case&)>& still_fails, int most_tries)
      : best_(std::move(failing)), still_fails_(still_fails), tries_left_(most_tries) {}

  fuzz_case run() {
    bool has_shrunk = true;
    while (has_shrunk && tries_left_ > 0) {
      drops_dead_code_ = true;
      drops_dead_code_ = attempt([](fuzz_case&) { return true; });
      has_shrunk = simplify_launch();
      has_shrunk = store_one_value() || has_shrunk;
      has_shrunk = remove_instructions() || has_shrunk;
      has_shrunk = shrink_extents() || has_shrunk;
    }
    return best_;
  }

 private:
  // Keeps a change when the kernel is sound and fails still.
  template <class Change>
  bool attempt(Change change) {
    if (tries_left_ <= 0) return false;
    fuzz_case changed = best_;
    if (!change(changed)) return false;
    if (drops_dead_code_) compiler::remove_dead_code(changed.source);
    compiler::renumber_values(changed.source);
    remove_unused_parameters(changed);
    if (!first_type_fault(changed.source).empty() || !comparison_of(changed.source)) return false;
    --tries_left_;
    if (!still_fails_(changed)) return false;
    best_ = std::move(changed);
    return true;
  }

  bool simplify_launch() {
    bool has_shrunk = attempt([](fuzz_case& c) { return std::exchange(c.has_facts, false); });
    has_shrunk |= attempt([](fuzz_case& c) { return std::exchange(c.is_simplified, false); });
    has_shrunk |= attempt([](fuzz_case& c) {
      const bool has_more = std::any_of(c.launch.grid.begin(), c.launch.grid.end(), [](index_t n) { return n > 1; });
      std::fill(c.launch.grid.begin(), c.launch.grid.end(), 1);
      if (has_more) fit_outputs(c);
      return has_more;
    });
    for (std::size_t p = 0; p < best_.source.parameters.size(); ++p) has_shrunk |= shrink_tensor(p);
    return has_shrunk;
  }
  bool shrink_tensor(std::size_t p) {
    const auto is_dense = [p](fuzz_case& c, const std::array<index_t, max_rank> before) {
      make_dense(c.launch.tensors[p], c.source.parameters[p].rank);
      return c.launch.tensors[p].strides != before || c.launch.tensors[p].first != 0;
    };
    if (best_.source.parameters[p].kind == parameter_kind::scalar) return false;
    bool has_shrunk = attempt([&](fuzz_case& c) { return is_dense(c, c.launch.tensors[p].strides); });
    if (p >= best_.source.parameters.size() || best_.source.parameters[p].kind != parameter_kind::in) return has_shrunk;
    for (std::size_t axis = 0; axis < max_rank; ++axis) {
      for (const index_t wanted : {index_t{1}, index_t{4}, index_t{16}}) {
        const auto smaller = [&](fuzz_case& c) {
          if (p >= c.launch.tensors.size() || c.source.parameters[p].kind != parameter_kind::in) return false;
          if (c.launch.tensors[p].extents[axis] <= wanted) return false;
          c.launch.tensors[p].extents[axis] = wanted;
          make_dense(c.launch.tensors[p], c.source.parameters[p].rank);
          return true;
        };
        if (attempt(smaller)) {
          has_shrunk = true;
          break;
        }
      }
    }
    return has_shrunk;
  }

  // The first value whose elements alone show the failure, stored by a single block.
  bool store_one_value() {
    const auto& body = best_.source.entry.body;
    const std::size_t stores =
        at(std::count_if(body.begin(), body.end(), [](const instruction& next) { return ast::writes_piece(next.op); }));
    const std::size_t values = body.size() - stores;
    for (std::size_t n = 0; n < best_.source.entry.body.size(); ++n) {
      const auto alone = [&](fuzz_case& c) { return store_alone(c, n, stores, values); };
      if (attempt(alone)) return true;
    }
    return false;
  }
  static bool store_alone(fuzz_case& c, std::size_t n, std::size_t stores, std::size_t values) {
    const instruction& made = c.source.entry.body[n];
    if (made.results.empty()) return false;
    if (stores == 1 && n + 1 >= values) return false;  // as it is already
    const value_id shown = made.results[0];
    const value_type& type = c.source.values[at(shown)];
    if (type.element == dtype::index || is_half_byte(type.element)) return false;
    compiler::program_parameter output{
        .kind = parameter_kind::out, .element = type.element, .rank = type.rank, .piece = type.extents, .facts = {}};
    for (std::size_t axis = 0; axis < at(type.rank); ++axis) output.facts.stride_divisor[axis] = 1;
    const auto p = static_cast<std::int64_t>(c.source.parameters.size());
    c.source.parameters.push_back(output);
    tensor_form tensor;
    std::copy(type.extents.begin(), type.extents.end(), tensor.extents.begin());
    tensor.data_seed = 1;
    c.launch.tensors.push_back(tensor);
    std::fill(c.launch.grid.begin(), c.launch.grid.end(), 1);
    auto& body = c.source.entry.body;
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(n) + 1, body.end());
    body.push_back(
        {.op = op::store, .operands = {shown}, .results = {}, .attributes = {p}, .blocks = {}, .location = {}});
    fit_outputs(c);
    return true;
  }

  // From the last to the first: a store goes, a loop or branch is opened, a value becomes an operand or a constant.
  bool remove_instructions() {
    bool has_shrunk = false;
    for (int n = instruction_count(best_.source) - 1; n >= 0; --n) {
      const place found = place_of(best_.source, n);
      if (found.code == nullptr) continue;
      has_shrunk |= remove_instruction(n, *found);
    }
    return has_shrunk;
  }
  bool remove_instruction(int n, const instruction shown) {
    if (shown.op == op::while_condition) return false;  // goes with its loop
    const bool is_unused = !uses_any(best_.source.entry, shown.results);
    const auto erased = [n](fuzz_case& c) {
      erase_instruction(c.source, n);
      return true;
    };
    if (is_unused && attempt(erased)) return true;
    if (shown.results.empty() && shown.blocks.empty()) return false;
    for (std::size_t side = 0; !ast::has_combiner(shown.op) && side < shown.blocks.size(); ++side) {
      const auto opened = [n, side](fuzz_case& c) {
        open_block(c.source, place_of(c.source, n), side);
        return true;
      };
      if (attempt(opened)) return true;
    }
    for (std::size_t i = 0; i < shown.results.size(); ++i) {
      if (replace_result(n, shown, i)) return true;
    }
    return false;
  }
  bool replace_result(int n, const instruction& shown, std::size_t i) {
    const value_id result = shown.results[i];
    const value_type type = best_.source.values[at(result)];
    for (const value_id operand : shown.operands) {
      if (!(best_.source.values[at(operand)] == type)) continue;
      const auto skipped = [&](fuzz_case& c) {
        replace_uses(c.source, result, operand);
        if (shown.results.size() == 1) erase_instruction(c.source, n);
        return true;
      };
      if (attempt(skipped)) return true;
    }
    const bool is_constant = shown.op == op::constant;
    for (const int number : {0, 1}) {
      if (is_constant && (number == 1 || shown.attributes[0] == 0)) break;
      const auto fixed = [&](fuzz_case& c) {
        put_constant(c, n, result, type, number);
        if (shown.results.size() == 1) erase_instruction(c.source, n + 1);
        return true;
      };
      if (attempt(fixed)) return true;
      if (is_constant) break;
    }
    return false;
  }
  static void put_constant(fuzz_case& c, int n, value_id result, const value_type& type, int number) {
    const place here = place_of(c.source, n);
    c.source.values.push_back(type);
    c.source.narrow.push_back(false);
    const auto made = static_cast<value_id>(c.source.values.size()) - 1;
    const std::int64_t word = nearest_word(type.element, number);
    here.code->body.insert(
        here.code->body.begin() + static_cast<std::ptrdiff_t>(here.position),
        {.op = op::constant, .operands = {}, .results = {made}, .attributes = {word}, .blocks = {}, .location = {}});
    replace_uses(c.source, result, made);
  }

  // One extent everywhere, as far as the types go together still.
  bool shrink_extents() {
    std::set<std::int32_t> present;
    for (const value_type& type : best_.source.values) {
      for (std::size_t axis = 0; axis < at(type.rank); ++axis) present.insert(type.extents[axis]);
    }
    bool has_shrunk = false;
    for (const std::int32_t extent : present) {
      for (std::int32_t smaller = 1; smaller < extent; smaller *= 2) {
        if (!attempt([&](fuzz_case& c) { return put_extent(c, extent, smaller); })) continue;
        has_shrunk = true;
        break;
      }
    }
    return has_shrunk;
  }
  static bool put_extent(fuzz_case& c, std::int32_t extent, std::int32_t smaller) {
    for (value_type& type : c.source.values) {
      std::replace(type.extents.begin(), type.extents.begin() + type.rank, extent, smaller);
    }
    for (compiler::program_parameter& parameter : c.source.parameters) {
      std::replace(parameter.piece.begin(), parameter.piece.begin() + parameter.rank, extent, smaller);
    }
    each_block(c.source.entry, [&](block& code) {
      for (instruction& next : code.body) {
        if (next.op == op::tiles && next.attributes[2] == extent) next.attributes[2] = smaller;
        if (next.op != op::load_window) continue;
        std::replace(next.attributes.begin() + 2, next.attributes.end(), std::int64_t{extent}, std::int64_t{smaller});
      }
      return false;
    });
    fit_outputs(c);
    return true;
  }

  fuzz_case best_;
  const std::function<bool(const fuzz_case&)>& still_fails_;
  int tries_left_;
  bool drops_dead_code_ = true;  // else it is what a back end fails of
};

}  // namespace

fuzz_case shrink(fuzz_case failing, const std::function<bool(const fuzz_case&)>& still_fails, int most_tries) {
  return shrinker(std::move(failing), still_fails, most_tries).run();
}

failure shrink_alike(const failure& found, const std::function<outcome(const fuzz_case&)>& judge,
                     std::chrono::steady_clock::time_point end, int most_tries) {
  failure small = found;
  const auto is_alike = [&](const fuzz_case& tried) {
    if (std::chrono::steady_clock::now() >= end) return false;
    outcome now = judge(tried);
    if (now.what != found.found.what) return false;
    small = {tried, std::move(now)};
    return true;
  };
  (void)shrink(found.tested, is_alike, most_tries);
  return small;
}

int instruction_count(const program& source) {
  const auto counts = op_counts(source);
  return static_cast<int>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

}  // namespace tilewright::test
