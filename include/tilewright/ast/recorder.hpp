// SPDX-License-Identifier: Apache-2.0
// Writes the records of a module during constant evaluation. Run twice: first without arrays, which only counts, then
// into arrays of exactly that size. Also notes the first rule that the trace breaks. Nothing here exists at run time.
#pragma once

#include <cstdint>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/ast/trace_rule.hpp"

namespace tilewright::ast {

// Where a traced operation stands. As a default argument it must be written `source_place()`: only then do all
// supported compilers give the line of the caller. Explicit, so that no number of the author's passes for a line.
struct source_place {
  int line;
  const char* file;
  constexpr explicit source_place(int at_line = __builtin_LINE(), const char* in_file = __builtin_FILE())
      : line(at_line), file(in_file) {}
};

// One object per Dim and per tile type; during capture their addresses are their identity, which is one comparison.
struct dim_source {
  Dim::kind_type kind;
  std::int32_t value;
  unsigned hash;
  symbol stated;
  int base_count;  // of an expression: how many Dims it names, and which
  const dim_source* const* bases;
};
struct dim_list {
  int count;
  const dim_source* const* items;
};
constexpr dim_source make_dim_source(const Dim& dim, const dim_list& bases) {
  const unsigned hash = static_cast<unsigned>(dim.value) + 7U * static_cast<unsigned>(dim.kind);
  dim_source source{dim.kind, dim.value, hash, {}, bases.count, bases.items};
  for (int i = 0; dim.name[i] != 0; ++i) {
    source.stated.name[i] = dim.name[i];
    source.hash = 31U * source.hash + static_cast<unsigned char>(dim.name[i]);
  }
  return source;
}
template <Dim D>
constexpr dim_list bases_of();
template <Dim D>
inline constexpr dim_source dim_object = make_dim_source(D, bases_of<D>());

// The Dim that stands at a place of a text.
constexpr Dim dim_at(const char* text) {
  Dim made(Dim::kind_type::symbol);
  const int length = dim_expressions::name_length(text);
  for (int i = 0; i < length; ++i) made.name[i] = text[i];
  return made;
}
constexpr int next_dim(const Dim& dim, int from) {
  return static_cast<int>(dim_expressions::next_dim(dim.name + from) - dim.name);
}
constexpr int after_dim(const Dim& dim, int place) { return place + dim_expressions::name_length(dim.name + place); }

// The Dims that D names at Place and after it, behind those that were found before.
template <Dim D, int Place, const dim_source*... Found>
struct base_dims : base_dims<D, next_dim(D, after_dim(D, Place)), Found..., &dim_object<dim_at(D.name + Place)>> {};
template <Dim D, int Place, const dim_source*... Found>
requires(D.name[Place] == 0) struct base_dims<D, Place, Found...> {
  static constexpr const dim_source* items[] = {Found...};
  static constexpr dim_list list{sizeof...(Found), items};
};
template <Dim D>
constexpr dim_list bases_of() {
  if constexpr (D.is_expression()) return base_dims<D, next_dim(D, 0)>::list;
  return {0, nullptr};
}

struct type_source {
  dtype element;
  std::int8_t rank;
  unsigned hash;
  const dim_source* extents[max_rank];
};
template <class T, Dim... Extents>
constexpr unsigned type_hash() {
  unsigned hash = static_cast<unsigned>(dtype_of<T>);
  ((hash = 31U * hash + dim_object<Extents>.hash), ...);
  return hash;
}
template <class T, Dim... Extents>
inline constexpr type_source type_object{
    dtype_of<T>, sizeof...(Extents), type_hash<T, Extents...>(), {&dim_object<Extents>...}};

// Whether two of these are one. With sanitizers a compiler may leave open whether the addresses of two objects differ,
// as if the linker could place both at zero; that an object has the address of itself is always known.
template <class Source>
constexpr bool same_object(const Source* a, const Source* b) {
  return __builtin_constant_p(a == b) && a == b;
}

// A list that grows while a constant is evaluated.
template <class T>
struct growing_list {
  T* items = nullptr;
  int count = 0, capacity = 0;

  constexpr growing_list() = default;
  growing_list(const growing_list&) = delete;
  growing_list& operator=(const growing_list&) = delete;
  constexpr ~growing_list() { delete[] items; }

  constexpr int add(T item) {
    if (count == capacity) grow();
    items[count] = item;
    return count++;
  }

 private:
  constexpr void grow() {
    capacity = capacity == 0 ? 16 : 2 * capacity;
    T* larger = new T[static_cast<unsigned long>(capacity)];
    for (int i = 0; i < count; ++i) larger[i] = items[i];
    delete[] items;
    items = larger;
  }
};

class recorder {
 public:
  // Null in the counting pass.
  std::int32_t* code = nullptr;
  std::int32_t* locations = nullptr;
  tile_type* stated_types = nullptr;
  int code_size = 0, record_count = 0;
  growing_list<const type_source*> types;
  growing_list<const dim_source*> symbols;
  growing_list<const char*> files, texts;

  // Later records stand at this place, unless a pinned_place holds another.
  constexpr void at(source_place place) {
    if (pins_ != 0) return;
    if (files.count == 0 || __builtin_strcmp(files.items[file_], place.file) != 0) file_ = intern_file(place.file);
    location_ = location_word(place.line, file_);
    if (place.line > most_lines) break_rule(diagnostics::error_source_line_is_too_large, place.line);
  }
  constexpr std::int32_t location() const { return location_; }

  // The number of a text that outlives the trace.
  constexpr int intern_text(const char* text) {
    const int known = position_in(texts, text);
    return known >= 0 ? known : texts.add(text);
  }

  // ---- Broken rules: the first one is kept.
  diagnostics::breach breach;

  constexpr void break_rule(diagnostics::trace_rule rule, long long got = 0) { break_rule_at(location_, rule, got); }
  constexpr void break_rule_at(std::int32_t location, diagnostics::trace_rule rule, long long got = 0) {
    if (breach.rule != diagnostics::no_breach) return;
    breach = {rule, location_line(location), files.count == 0 ? "" : files.items[location_file(location)], got};
  }

  // Appends a record: `operands` of the words are operands, the rest attributes. Gives the id of its value.
  template <class... Words>
  constexpr int add(op which, const type_source* type, int operands, Words... words) {
    return append(which, intern(type), operands, words...);
  }
  // A record without a value.
  template <class... Words>
  constexpr int add(op which, decltype(nullptr), int operands, Words... words) {
    return append(which, no_type, operands, words...);
  }

  // Appends a table of so many elements; word_of(i) is one of them as a constant holds it.
  template <class WordOf>
  constexpr int add_table(const type_source* type, int elements, WordOf word_of) {
    const int made = append(op::table, intern(type), 0, 2 * elements);
    for (int i = 0; i < elements && code != nullptr; ++i) {
      const long long word = word_of(i);
      code[code_size + 2 * i] = static_cast<std::int32_t>(word & 0xffffffffLL);
      code[code_size + 2 * i + 1] = static_cast<std::int32_t>(word >> 32);
    }
    code_size += 2 * elements;
    return made;
  }

  constexpr int intern(const type_source* type) {
    int& next = after_last_[type->hash % slot_count];
    if (next == 0 || !same_object(types.items[next - 1], type)) next = find_or_add(type, next != 0) + 1;
    return next - 1;
  }

  // A Dim as the module states it; a name or an expression becomes a symbol of the module.
  constexpr std::int32_t extent(const dim_source* dim) {
    if (dim->kind == Dim::kind_type::constant) return dim->value;
    if (dim->kind == Dim::kind_type::dynamic) return dynamic_extent;
    int known = symbols.count - 1;
    while (known >= 0 && !same_object(symbols.items[known], dim)) --known;
    if (known >= 0) return symbol_extent(known);
    if (dim->base_count > 0 || symbols.count >= most_dims) prepare_symbol(*dim);
    return symbol_extent(symbols.add(dim));
  }

  // ---- Regions: the kernel, and each loop body and branch in it. A region's number holds its depth in the low bits.
  constexpr int region() const { return open_[depth_]; }
  constexpr void require_open(int which) {
    if (open_[which & depth_mask] != which) {
      break_rule(diagnostics::error_tile_is_used_outside_the_loop_or_branch_that_made_it);
    }
  }
  // Of a loop that starts at the literal 0 and has step 1, `end` is the value it ends before.
  constexpr void enter(int loop_variable = -1, int end = -1) {
    if (loop_variable >= 0) ++loops_;
    if (depth_ == depth_mask) {
      ++too_deep_;
      break_rule(diagnostics::error_loops_and_branches_nest_too_deeply, depth_mask);
      return;
    }
    ++depth_;
    ++regions_;
    open_[depth_] = regions_ << depth_bits | depth_;
    loop_variables_[depth_] = loop_variable;
    loop_ends_[depth_] = end;
  }
  constexpr void leave(bool is_loop) {
    if (is_loop) --loops_;
    if (too_deep_ > 0) {
      --too_deep_;
    } else {
      open_[depth_--] = -1;
    }
  }
  constexpr void require_assignable(int value) {
    for (int i = 0; i < counts_.count; ++i) {
      if (counts_.items[i].value == value) counts_.items[i].value = -1;
    }
    if (value < condition_from_) break_rule(diagnostics::error_condition_of_while_assigns);
    if (value < combiner_from_) break_rule(diagnostics::error_combiner_assigns);
    if (value < least_assigned_) least_assigned_ = value;
    for (int depth = depth_; depth > 0; --depth) {
      if (loop_variables_[depth] == value) break_rule(diagnostics::error_loop_variable_is_assigned);
    }
  }

  // While a condition of while_ is recorded, whose first record has this number, no earlier variable is assigned. Gives
  // the number to go back to.
  constexpr int set_condition_from(int record) {
    const int before = condition_from_;
    condition_from_ = record;
    return before;
  }
  // While the combiner of a reduction or scan is recorded, whose first record has this number, records are as
  // may_stand_in_combiner says, and no earlier variable is assigned. Gives the number to go back to; 0 is none.
  constexpr int set_combiner_from(int record) {
    const int before = combiner_from_;
    combiner_from_ = record;
    return before;
  }
  // The least variable that was assigned since it was set to "none".
  static constexpr int none_assigned = 0x7fffffff;
  constexpr int least_assigned() const { return least_assigned_; }
  constexpr void set_least_assigned(int value) { least_assigned_ = value; }

  // ---- Outputs: one bit for each parameter that was stored on the path up to here.
  constexpr unsigned long long stored() const { return stored_; }
  constexpr void set_stored(unsigned long long parameters) { stored_ = parameters; }
  constexpr void mark_stored(int parameter) {
    if (loops_ > 0) break_rule(diagnostics::error_output_is_stored_inside_a_loop, parameter);
    mark_stored_once(parameter);
  }
  // Of a piece with whole axes: `value` is its number of tiles of an extent on an axis. An assignment ends that.
  constexpr void note_tile_count(int value, int parameter, int axis, const dim_source* tile) {
    counts_.add({value, parameter, axis, tile});
  }
  // A tile of it is stored at these indices on its whole axes. Each is the variable of its own loop over all tiles, and
  // no other loop is around, so that the store happens once for each tile.
  constexpr void mark_tile_stored(int parameter, int whole_axes, const int* indices, const int* axes,
                                  const dim_source* const* tiles) {
    for (int i = 0; i < whole_axes; ++i) {
      int loop = depth_;
      while (loop > 0 && loop_variables_[loop] != indices[i]) --loop;
      if (loop == 0) return break_rule(diagnostics::error_whole_axis_is_not_indexed_by_a_loop_variable, axes[i]);
      for (int before = 0; before < i; ++before) {
        if (indices[before] == indices[i]) break_rule(diagnostics::error_loop_variable_indexes_two_axes, axes[i]);
      }
      if (!is_tile_count(loop_ends_[loop], parameter, axes[i], tiles[i])) {
        break_rule(diagnostics::error_loop_does_not_run_over_all_tiles_of_the_axis, axes[i]);
      }
    }
    if (loops_ != whole_axes) break_rule(diagnostics::error_tile_of_a_piece_is_stored_inside_another_loop, parameter);
    mark_stored_once(parameter);
  }
  constexpr void mark_stored_once(int parameter) {
    if ((stored_ >> parameter & 1U) != 0) break_rule(diagnostics::error_output_is_stored_twice, parameter);
    stored_ |= 1ULL << parameter;
  }
  // Rows of an output are placed by a parameter of unique indices: the same on all paths.
  constexpr void mark_placed(int output, int indices) {
    for (int i = 0; i < places_.count; ++i) {
      const placed_rows& known = places_.items[i];
      if (known.output != output || known.indices == indices) continue;
      break_rule(diagnostics::error_rows_are_placed_by_two_parameters, output);
    }
    places_.add({output, indices});
  }
  constexpr void require_not_stored(int parameter) {
    if ((stored_ >> parameter & 1U) != 0) break_rule(diagnostics::error_output_is_loaded_after_its_store, parameter);
  }

 private:
  friend class pinned_place;
  static constexpr int depth_bits = 5, depth_mask = (1 << depth_bits) - 1;
  static constexpr int most_types = no_type - 1, most_dims = 16, most_files = 1 << 11, most_lines = 0xfffff;

  // An integer division has its literal divisor right in front of it.
  template <class... Words>
  constexpr void note_in_combiner(op which, int type_index, Words... words) {
    const std::int32_t all[] = {static_cast<std::int32_t>(words)..., 0, 0};
    const bool is_scalar = type_index == no_type || types.items[type_index]->rank == 0;
    if (!is_scalar || !may_stand_in_combiner(which)) {
      break_rule(diagnostics::error_combiner_is_not_element_wise);
    } else if (divides(which) && is_integer(types.items[type_index]->element) && all[1] != nonzero_literal_) {
      break_rule(diagnostics::error_combiner_divides_by_no_literal);
    }
    nonzero_literal_ = which == op::constant && (all[0] != 0 || all[1] != 0) ? record_count : -1;
  }

  template <class... Words>
  constexpr int append(op which, int type_index, int operands, Words... words) {
    if (combiner_from_ != 0) note_in_combiner(which, type_index, words...);
    if (code != nullptr) {
      std::int32_t* next = code + code_size;
      *next = header_word(which, operands, type_index);
      ((*++next = words), ...);
      locations[record_count] = location_;
    }
    code_size += 1 + static_cast<int>(sizeof...(Words));
    return record_count++;
  }

  // What is rare about a new symbol: an expression, whose Dims come before it, or one Dim too many.
  constexpr void prepare_symbol(const dim_source& added) {
    for (int i = 0; i < added.base_count; ++i) extent(added.bases[i]);
    if (added.base_count > 0) return;
    int dims = 0;
    for (int i = 0; i < symbols.count; ++i) dims += symbols.items[i]->base_count == 0 ? 1 : 0;
    if (dims == most_dims) break_rule(diagnostics::error_kernel_has_too_many_dims, most_dims);
  }

  constexpr int find_or_add(const type_source* type, bool may_be_known) {
    if (may_be_known) {
      int known = types.count - 1;
      while (known >= 0 && !same_object(types.items[known], type)) --known;
      if (known >= 0) return known;
    }
    if (types.count == most_types) break_rule(diagnostics::error_kernel_has_too_many_tile_types, most_types);
    tile_type stated{type->element, type->rank, {}};
    for (int axis = 0; axis < type->rank; ++axis) stated.extents[axis] = extent(type->extents[axis]);
    if (stated_types != nullptr) stated_types[types.count] = stated;
    return types.add(type);
  }

  constexpr bool is_tile_count(int value, int parameter, int axis, const dim_source* tile) const {
    for (int i = 0; i < counts_.count; ++i) {
      const tile_count& known = counts_.items[i];
      const bool is_of_axis = known.parameter == parameter && known.axis == axis && same_object(known.tile, tile);
      if (value >= 0 && known.value == value && is_of_axis) return true;
    }
    return false;
  }

  // -1: the list lacks it.
  static constexpr int position_in(const growing_list<const char*>& list, const char* text) {
    int position = list.count - 1;
    while (position >= 0 && __builtin_strcmp(list.items[position], text) != 0) --position;
    return position;
  }

  constexpr int intern_file(const char* name) {
    if (const int known = position_in(files, name); known >= 0) return known;
    if (files.count == most_files) break_rule(diagnostics::error_kernel_has_too_many_source_files, most_files);
    return files.add(name);
  }

  struct tile_count {
    int value, parameter, axis;
    const dim_source* tile;
  };
  struct placed_rows {
    int output, indices;
  };
  growing_list<tile_count> counts_;
  growing_list<placed_rows> places_;
  unsigned long long stored_ = 0;
  std::int32_t location_ = 0;
  int file_ = 0, pins_ = 0;
  // One after the index of the type of this hash that was met last, or 0: most look-ups take one comparison.
  static constexpr unsigned slot_count = 61;
  int after_last_[slot_count] = {};
  int depth_ = 0, regions_ = 0, loops_ = 0, too_deep_ = 0;
  int condition_from_ = 0, least_assigned_ = none_assigned;
  int combiner_from_ = 0, nonzero_literal_ = -1;  // -1: the record before is none
  int open_[depth_mask + 1] = {};
  int loop_variables_[depth_mask + 1] = {};
  int loop_ends_[depth_mask + 1] = {};
};

// While one of these lives, all records stand at its place: a function made of other operations is one operation to its
// caller, whose line messages and dumps must name. Of nested ones the outermost counts.
class pinned_place {
 public:
  constexpr pinned_place(recorder& trace, source_place place) : trace_(trace) {
    trace.at(place);
    ++trace.pins_;
  }
  pinned_place(const pinned_place&) = delete;
  pinned_place& operator=(const pinned_place&) = delete;
  constexpr ~pinned_place() { --trace_.pins_; }

 private:
  recorder& trace_;
};

}  // namespace tilewright::ast
