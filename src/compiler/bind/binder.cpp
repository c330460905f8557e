// SPDX-License-Identifier: Apache-2.0
#include "compiler/bind/binder.hpp"

#include <algorithm>

#include "compiler/bind/dim_values.hpp"
#include "compiler/bind/shape_rules.hpp"
#include "compiler/constant_bits.hpp"
#include "compiler/element_access.hpp"
#include "compiler/type_text.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

constexpr value_type index_type{.element = dtype::index, .rank = 0, .extents = {}};
constexpr index_t greatest_tile = index_t{1} << 30;  // elements; keeps sizes in bytes far from overflow

std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position); }

}  // namespace

binder::binder(const ast::module_view& module, const specialization& special, diagnostics& faults)
    : module_(module),
      special_(special),
      faults_(faults),
      current_(at(module.record_count), no_value),
      declared_(at(module.record_count), ast::no_type) {
  out_.module = &module;
}

program binder::run() {
  bind_parameters();
  bind_types();
  find_assignments();
  out_.values.reserve(at(module_.record_count));
  record_cursor cursor(module_);
  record next;
  while (cursor.next(next)) {
    ordinal_ = next.ordinal;
    declared_[at(ordinal_)] = next.type;
    visit(next);
  }
  require_internal(open_.empty(), "a module leaves a loop or a branch open");
  out_.narrow.assign(out_.values.size(), false);
  return std::move(out_);
}

void binder::bind_parameters() {
  for (int p = 0; p < module_.parameter_count; ++p) {
    const ast::tile_type& type = type_of_parameter(module_, p);
    program_parameter made{.kind = module_.parameters[p].kind,
                           .element = type.element,
                           .rank = type.rank,
                           .facts = special_.facts[at(p)],
                           .by = module_.parameters[p].by};
    if (made.kind == parameter_kind::in) {
      for (int axis = 0; axis < type.rank; ++axis) {
        if (type.extents[axis] != ast::dynamic_extent) made.fixed_extents[at(axis)] = extent_value(type.extents[axis]);
      }
    }
    if (is_output(made.kind)) {
      for (int axis = 0; axis < type.rank; ++axis) {
        if (type.extents[axis] == ast::dynamic_extent) continue;  // the whole axis
        made.piece[at(axis)] = static_cast<std::int32_t>(extent_value(type.extents[axis]));
      }
      const int axes = type.rank + (made.kind == parameter_kind::accum ? 1 : 0);
      out_.grid_rank = std::max(out_.grid_rank, axes);
    }
    out_.parameters.push_back(made);
  }
}

void binder::bind_types() {
  for (int i = 0; i < module_.type_count; ++i) types_.push_back(resolve(module_.types[i]));
}

value_type binder::resolve(const ast::tile_type& type) const {
  value_type made{.element = type.element, .rank = type.rank, .extents = {}};
  for (int axis = 0; axis < type.rank; ++axis) {
    if (type.extents[axis] == ast::dynamic_extent) continue;  // a parameter's type, never a value's
    made.extents[at(axis)] = static_cast<std::int32_t>(extent_value(type.extents[axis]));
  }
  return made;
}

std::int64_t binder::extent_value(std::int32_t extent) const {
  return ast::is_symbol(extent) ? special_.dims[at(ast::symbol_of(extent))] : extent;
}

// Which variables each region assigns, and had before it.
void binder::find_assignments() {
  struct open_region {
    std::size_t number;
    int ordinal;
  };
  std::vector<open_region> open;
  record_cursor cursor(module_);
  record next;
  while (cursor.next(next)) {
    switch (next.op) {
      case ast::op::for_begin:
      case ast::op::while_begin:
      case ast::op::if_begin:
        open.push_back({regions_.size(), next.ordinal});
        regions_.emplace_back();
        break;
      case ast::op::for_end:
      case ast::op::while_end:
      case ast::op::if_end:
        require_internal(!open.empty(), "a module closes a region that it did not open");
        open.pop_back();
        break;
      case ast::op::assign:
        for (const open_region& outer : open) {
          std::vector<int>& assigned = regions_[outer.number];
          const int variable = next.operands[0];
          if (variable >= outer.ordinal) continue;
          if (std::find(assigned.begin(), assigned.end(), variable) == assigned.end()) assigned.push_back(variable);
        }
        break;
      default:
        break;
    }
  }
}

void binder::visit(const record& next) {
  const source_location here{next.ordinal};
  switch (next.op) {
    case ast::op::for_begin:
    case ast::op::while_begin:
      return open_loop(next);
    case ast::op::while_condition:
      return ask_condition(next);
    case ast::op::for_end:
      return close_loop(ast::op::for_begin);
    case ast::op::while_end:
      return close_loop(ast::op::while_begin);
    case ast::op::if_begin:
      return open_branch(next);
    case ast::op::if_else:
      return open_else();
    case ast::op::if_end:
      return close_branch();
    case ast::op::reduce_begin:
    case ast::op::scan_begin:
      return open_combiner(next);
    case ast::op::combiner_left:
    case ast::op::combiner_right:
      return take_element(next);
    case ast::op::combiner_end:
      return close_combiner(next);
    case ast::op::combined:
      return take_combined(next);
    case ast::op::undefined:
      return;  // has no value until a branch assigns one
    case ast::op::copy:
      current_[at(next.ordinal)] = use(next.operands[0], here);
      return;
    case ast::op::assign:
      return assign(next);
    case ast::op::dim_value:
      current_[at(next.ordinal)] = make_constant(index_type, extent_value(next.attributes[0]), here);
      return;
    default:
      return plain(next);
  }
}

void binder::open_loop(const record& next) {
  const source_location here{next.ordinal};
  region opened{.owner = {}, .ordinal = next.ordinal, .assigned = regions_[next_region_++], .before = {}, .body = {}};
  opened.owner.op = next.op;
  opened.owner.location = here;
  opened.owner.attributes.assign(next.attributes.begin(), next.attributes.end());
  for (const std::int32_t bound : next.operands) opened.owner.operands.push_back(use(bound, here));
  if (next.op == ast::op::for_begin) {
    opened.body.arguments.push_back(new_value(index_type));
    current_[at(next.ordinal)] = opened.body.arguments.front();
  }
  for (const int variable : opened.assigned) {
    // A variable with no value yet starts as zero: nothing reads that zero in a module that lang made.
    if (current_[at(variable)] == no_value) current_[at(variable)] = make_constant(declared_type(variable), 0, here);
    const value_id initial = current_[at(variable)];
    opened.owner.operands.push_back(initial);
    const value_id carried = new_value(out_.values[at(initial)]);
    opened.body.arguments.push_back(carried);
    current_[at(variable)] = carried;
  }
  open_.push_back(std::move(opened));
}

void binder::ask_condition(const record& next) {
  require_internal(!open_.empty() && open_.back().owner.op == ast::op::while_begin, "while_condition is in no while_");
  const region& loop = open_.back();
  require_internal(current_values(loop.assigned) == loop.body.arguments, "the condition of a while_ assigns");
  plain(next);
}

void binder::close_loop(ast::op opened_by) {
  require_internal(!open_.empty() && open_.back().owner.op == opened_by, "the end of a loop closes none");
  region closed = std::move(open_.back());
  open_.pop_back();
  closed.body.yields = current_values(closed.assigned);
  for (const value_id carried : closed.body.yields) closed.owner.results.push_back(new_value(out_.values[at(carried)]));
  end_values_from(closed.ordinal);
  set_values(closed.assigned, closed.owner.results);
  closed.owner.blocks.push_back(std::move(closed.body));
  append(std::move(closed.owner));
}

void binder::open_branch(const record& next) {
  const source_location here{next.ordinal};
  region opened{.owner = {}, .ordinal = next.ordinal, .assigned = regions_[next_region_++], .before = {}, .body = {}};
  opened.owner.op = ast::op::if_begin;
  opened.owner.location = here;
  opened.owner.operands = {use(next.operands[0], here)};
  opened.before = current_values(opened.assigned);
  open_.push_back(std::move(opened));
}

void binder::open_else() {
  require_internal(!open_.empty() && open_.back().owner.op == ast::op::if_begin, "if_else is in no branch");
  region& branch = open_.back();
  branch.body.yields = current_values(branch.assigned);
  end_values_from(branch.ordinal);
  set_values(branch.assigned, branch.before);
  branch.owner.blocks.push_back(std::move(branch.body));
  branch.body = {};
}

void binder::close_branch() {
  require_internal(!open_.empty() && open_.back().owner.op == ast::op::if_begin, "if_end closes no branch");
  if (open_.back().owner.blocks.empty()) open_else();
  region closed = std::move(open_.back());
  open_.pop_back();
  closed.body.yields = current_values(closed.assigned);
  end_values_from(closed.ordinal);
  std::vector<value_id>&then = closed.owner.blocks.front().yields, &other = closed.body.yields;
  std::vector<value_id> kept_then, kept_other;
  for (std::size_t i = 0; i < closed.assigned.size(); ++i) {
    value_id& result = current_[at(closed.assigned[i])];
    result = no_value;  // a variable that only one branch defines has no value after it
    if (then[i] == no_value || other[i] == no_value) continue;
    result = new_value(out_.values[at(then[i])]);
    closed.owner.results.push_back(result);
    kept_then.push_back(then[i]);
    kept_other.push_back(other[i]);
  }
  then = std::move(kept_then);
  other = std::move(kept_other);
  closed.owner.blocks.push_back(std::move(closed.body));
  append(std::move(closed.owner));
}

void binder::open_combiner(const record& next) {
  region opened;
  opened.ordinal = next.ordinal;
  opened.owner.op = next.op;
  opened.owner.location = {next.ordinal};
  opened.owner.attributes.assign(next.attributes.begin(), next.attributes.end());
  for (const std::int32_t tile : next.operands) opened.owner.operands.push_back(use(tile, opened.owner.location));
  open_.push_back(std::move(opened));
}

void binder::take_element(const record& next) {
  require_internal(!open_.empty() && ast::has_combiner(open_.back().owner.op), "an element belongs to no combiner");
  region& combiner = open_.back();
  const value_type type = declared_type(next.ordinal);
  if (next.op == ast::op::combiner_left) combiner.owner.attributes.push_back(literal_of(next, type));
  combiner.body.arguments.push_back(new_value(type));
  current_[at(next.ordinal)] = combiner.body.arguments.back();
}

void binder::close_combiner(const record& next) {
  require_internal(!open_.empty() && ast::has_combiner(open_.back().owner.op), "a combiner's end closes none");
  region closed = std::move(open_.back());
  open_.pop_back();
  for (const std::int32_t given : next.operands) closed.body.yields.push_back(use(given, {next.ordinal}));
  end_values_from(closed.ordinal);
  closed.owner.blocks.push_back(std::move(closed.body));
  append(std::move(closed.owner));
}

void binder::take_combined(const record& next) {
  require_internal(!body().empty() && ast::has_combiner(body().back().op), "a result belongs to no combiner");
  body().back().results.push_back(new_value(declared_type(next.ordinal)));
  current_[at(next.ordinal)] = body().back().results.back();
}

void binder::plain(const record& next) {
  instruction made;
  made.op = next.op;
  made.location = {next.ordinal};
  std::vector<value_type> operand_types;
  for (const std::int32_t operand : next.operands) {
    made.operands.push_back(use(operand, made.location));
    operand_types.push_back(out_.values[at(made.operands.back())]);
  }
  const value_type result = declared_type(next.ordinal);
  made.attributes = attributes_of(next, result);
  const bool has_result = ast::info(next.op).result != ast::result_rule::none;
  const bool names_grid = next.op == ast::op::block_id || next.op == ast::op::block_count;
  if (names_grid && made.attributes[0] >= out_.grid_rank) {
    faults_.add({made.location, "the grid has no such axis", "an axis under " + std::to_string(out_.grid_rank),
                 std::to_string(made.attributes[0]), "the outputs' pieces make the grid, one axis for each of theirs"});
  }
  if (next.op == ast::op::store_rows) {
    out_.parameters[at(next.attributes[0])].placed_by = next.attributes[1];
  }
  const index_t elements = has_result                       ? result.elements()
                           : next.op == ast::op::combine_at ? lanes_of(out_, made).elements()
                                                            : 0;
  if (elements > greatest_tile) {
    faults_.add({made.location, "a tile is too large", std::to_string(greatest_tile) + " elements at most",
                 std::to_string(elements), "choose smaller extents"});
  } else if (auto fault = find_shape_fault(next.op, operand_types, result, made.attributes)) {
    faults_.add({made.location, fault->what, fault->expected, fault->got, fault->fix});
  }
  if (next.op == ast::op::same_shape) {
    current_[at(next.ordinal)] = made.operands.front();
    return;
  }
  if (has_result) {
    made.results = {new_value(result)};
    current_[at(next.ordinal)] = made.results.front();
  }
  append(std::move(made));
}

value_type binder::declared_type(int ordinal) const {
  const int type = declared_[at(ordinal)];
  return type == ast::no_type ? index_type : types_[at(type)];
}

void binder::assign(const record& next) {
  const int variable = next.operands[0];
  require_internal(variable >= 0 && variable < next.ordinal, "a record assigns a later variable");
  const value_id value = use(next.operands[1], {next.ordinal});
  const value_type wanted = declared_type(variable), &got = out_.values[at(value)];
  if (got == wanted) {
    current_[at(variable)] = value;
    return;
  }
  faults_.add({{next.ordinal},
               "a tile variable is given a value of another type",
               type_text(wanted),
               type_text(got),
               "a variable keeps its element type and shape; make a new one"});
}

std::int64_t binder::literal_of(const record& next, const value_type& type, std::size_t first) {
  const auto low = static_cast<std::uint32_t>(next.attributes[first]);
  const auto high = static_cast<std::uint64_t>(static_cast<std::uint32_t>(next.attributes[first + 1]));
  return constant_word(static_cast<std::int64_t>(high << 32 | low), type.element);
}

std::vector<std::int64_t> binder::attributes_of(const record& next, const value_type& result) const {
  if (next.op == ast::op::constant) return {literal_of(next, result)};
  if (next.op == ast::op::table) return elements_of(next, result);
  const bool is_usual = ast::states_rounding(next.op) && next.attributes[0] == 0;
  if (is_usual) return {};
  std::vector<std::int64_t> attributes(next.attributes.begin(), next.attributes.end());
  if (next.op == ast::op::tiles) attributes[2] = extent_value(next.attributes[2]);
  if (next.op == ast::op::load_window) {
    for (std::size_t n = 2; n < attributes.size(); ++n) attributes[n] = extent_value(next.attributes[n]);
  }
  return attributes;
}

std::vector<std::int64_t> binder::elements_of(const record& table, const value_type& type) {
  std::vector<std::int64_t> words;
  for (std::size_t first = 1; first < table.attributes.size(); first += 2) {
    words.push_back(literal_of(table, type, first));
  }
  return words;
}

value_id binder::new_value(const value_type& type) {
  out_.values.push_back(type);
  return static_cast<value_id>(out_.values.size()) - 1;
}

value_id binder::use(std::int32_t ordinal, source_location location) {
  require_internal(ordinal >= 0 && ordinal < ordinal_, "a record uses a later value");
  const value_id value = current_[at(ordinal)];
  if (value != no_value) return value;
  faults_.add({location,
               "a value is used where it does not exist",
               "a value made on every path to its use",
               {},
               "make the tile before the loop or branch and assign it inside"});
  return make_constant(index_type, 0, location);
}

value_id binder::make_constant(const value_type& type, std::int64_t word, source_location location) {
  instruction made;
  made.op = ast::op::constant;
  made.location = location;
  made.attributes = {word};
  made.results = {new_value(type)};
  const value_id value = made.results.front();
  append(std::move(made));
  return value;
}

std::vector<value_id> binder::current_values(const std::vector<int>& variables) const {
  std::vector<value_id> values;
  for (const int variable : variables) values.push_back(current_[at(variable)]);
  return values;
}

void binder::set_values(const std::vector<int>& variables, const std::vector<value_id>& values) {
  for (std::size_t i = 0; i < variables.size(); ++i) current_[at(variables[i])] = values[i];
}

void binder::end_values_from(int ordinal) {
  std::fill(current_.begin() + ordinal, current_.begin() + ordinal_, no_value);
}

}  // namespace tilewright::compiler
