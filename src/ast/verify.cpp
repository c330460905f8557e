// SPDX-License-Identifier: Apache-2.0
#include "tilewright/ast/verify.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "ast/record_rules.hpp"

namespace tilewright::ast {
namespace {

constexpr std::size_t most_violations = 32;  // garbage breaks a rule in every record

// The algebra that asks only whether an expression of Dims can be read, and whether its names are symbols before it.
struct expression_rules {
  struct value {};
  const module_view& module;
  int symbol;
  bool is_readable = true, are_symbols = true;

  static value number(long long) { return {}; }
  value name(const char* text, int length) {
    bool is_known = false;
    for (int i = 0; i < symbol; ++i) {
      const char* known = module.symbols[i].name;
      const std::size_t size = std::find(known, known + Dim::name_capacity, '\0') - known;
      is_known = is_known || std::string_view(known, size) == std::string_view(text, static_cast<std::size_t>(length));
    }
    are_symbols = are_symbols && is_known;
    return {};
  }
  static value add(value, value) { return {}; }
  static value subtract(value, value) { return {}; }
  static value multiply(value, value) { return {}; }
  static value divide(value, value) { return {}; }
  static value ceil_div(value, value) { return {}; }
  void refuse() { is_readable = false; }
};

class verifier {
 public:
  explicit verifier(const module_view& module) : module_(module) {}

  std::vector<violation> run() {
    check_tables();
    if (found_.empty()) check_code();  // the rules of records look into the tables
    return std::move(found_);
  }

 private:
  struct region {
    int id;
    op opened_by;
    bool has_middle;     // if_else or while_condition came by
    std::int32_t first;  // the record that opened it
  };
  struct value {
    int type;    // no_type: the record has no value
    int region;  // where it was made
    op made_by;
    std::int32_t attributes[3];
    std::int32_t end;  // of a loop variable that takes each number from 0 on: what its loop ends before; else -1
    bool is_assigned;
    std::int32_t rows_of;  // of the block's own tile of unique indices, -1 past their end: their parameter; else -1
  };

  // The one that is open, or whose results are still to come.
  struct combiner_state {
    std::int32_t first = 0;  // the record of its first element
    bool keeps_axis = false;
    std::int32_t axis = 0;
    std::vector<int> tiles;  // their types
    int results_to_come = 0;
  };

  void check(bool holds, std::int32_t record, const char* rule) {
    if (!holds && found_.size() < most_violations) found_.push_back({record, rule});
  }

  // ---- Tables
  void check_tables() {
    const bool sizes = module_.code_size >= 0 && module_.record_count >= 0 && module_.type_count >= 0 &&
                       module_.symbol_count >= 0 && module_.parameter_count >= 0 && module_.files_size >= 0 &&
                       module_.texts_size >= 0;
    check(sizes, -1, "a table has a negative size");
    if (!sizes) return;
    check(module_.type_count < no_type, -1, "a module has at most 65534 types");
    check_symbols();
    for (int i = 0; i < module_.type_count; ++i) check_type(module_.types[i]);
    for (int i = 0; i < module_.parameter_count && found_.empty(); ++i) check_parameter(module_.parameters[i]);
    check(module_.files_size == 0 || module_.files[module_.files_size - 1] == '\0', -1, "file names end with zero");
    check(module_.texts_size == 0 || module_.texts[module_.texts_size - 1] == '\0', -1, "texts end with zero");
  }

  void check_symbols() {
    for (int i = 0; i < module_.symbol_count; ++i) {
      const char* name = module_.symbols[i].name;
      const void* end = std::memchr(name, '\0', Dim::name_capacity);
      check(end != nullptr && end != name, -1, "a symbol's name has 1 to 31 characters");
      if (end != nullptr && !dim_expressions::is_name(name)) check_expression(i);
      for (int before = 0; before < i; ++before) {
        const bool differ = std::memcmp(name, module_.symbols[before].name, Dim::name_capacity) != 0;
        check(differ, -1, "symbols are unique by name");
      }
    }
  }

  void check_expression(int symbol) {
    expression_rules rules{module_, symbol};
    dim_expressions::dim_reader<expression_rules>(module_.symbols[symbol].name, rules).read();
    check(rules.is_readable, -1, "a symbol is a name or an expression over names");
    check(!rules.is_readable || rules.are_symbols, -1, "an expression names symbols that come before it");
  }

  void check_type(const tile_type& type) {
    check(static_cast<int>(type.element) < tile_dtype_count, -1, "a type's element is unknown");
    check(type.rank >= 0 && type.rank <= max_rank, -1, "a type's rank is 0 to 6");
    for (int axis = 0; axis < max_rank; ++axis) {
      const std::int32_t extent = type.extents[axis];
      if (axis >= type.rank) {
        check(extent == 0, -1, "extents past a type's rank are 0");
      } else {
        check(extent == 0 || extent == dynamic_extent || is_tile_extent(module_, extent), -1,
              "an extent names a symbol that the module lacks");
      }
    }
  }

  void check_parameter(const parameter_record& parameter) {
    check(parameter.kind <= parameter_kind::scalar, -1, "a parameter's kind is unknown");
    const bool has_type = parameter.type >= 0 && parameter.type < module_.type_count;
    check(has_type, -1, "a parameter's type is not in the table");
    if (!has_type) return;
    const tile_type& type = module_.types[parameter.type];
    check(!is_half_byte(type.element), -1, "elements of 4 bits are of tiles alone: a tensor of them holds u8");
    if (parameter.kind == parameter_kind::scalar) check(type.rank == 0, -1, "a Scalar has rank 0");
    if (parameter.kind == parameter_kind::accum) {
      check(static_cast<int>(parameter.by) < combiner_count, -1, "a combiner is unknown");
      check(can_combine(parameter.by, type.element), -1, "an Accum's elements cannot be combined that way");
      check(type.rank <= most_accum_axes, -1, "an Accum's rank is 0 to 5");
    } else {
      check(parameter.by == combiner::sum, -1, "only an Accum has a combiner");
    }
    if (parameter.kind == parameter_kind::unique) {
      check(type.rank == 1 && type.extents[0] == dynamic_extent && may_be_unique(type.element), -1,
            "a Unique has i32 or i64 indices on one dynamic axis");
    }
    if (parameter.kind == parameter_kind::scatter) check(type.rank == 2, -1, "a Scatter has rank 2");
    if (!is_output(parameter.kind)) return;
    const auto whole = std::count(type.extents, type.extents + type.rank, dynamic_extent);
    const bool may_be_whole =
        parameter.kind == parameter_kind::out || (parameter.kind == parameter_kind::accum && whole == type.rank);
    for (int axis = 0; axis < type.rank; ++axis) {
      const bool is_whole = may_be_whole && type.extents[axis] == dynamic_extent;
      check(is_whole || is_tile_extent(module_, type.extents[axis]), -1,
            "a piece's extents are numbers from 1 on or symbols");
    }
  }

  // ---- Code
  void check_code() {
    open_.push_back({.id = 0, .opened_by = op::if_end, .has_middle = false, .first = -1});
    is_open_.push_back(true);
    record_reader reader(module_);
    record r;
    auto status = reader.next(r);
    for (; status == record_reader::status::record && found_.size() < most_violations; status = reader.next(r)) {
      check_record(r);
    }
    if (found_.size() >= most_violations) return;
    const auto ordinal = static_cast<std::int32_t>(values_.size());
    check(status != record_reader::status::unknown_op, ordinal, "the op is unknown");
    check(status != record_reader::status::cut_off, ordinal, "the code ends inside the record");
    check(ordinal == module_.record_count, -1, "the module states another number of records");
    check(open_.size() == 1, ordinal, "a loop or branch is not closed");
    check(combiner_.results_to_come == 0, ordinal, "the results of a combiner are missing");
    check_locations();
  }

  void check_record(const record& r) {
    const op_info& row = info(r.which);
    values_.push_back({r.type, open_.back().id, r.which, {}, -1, false, -1});
    std::copy_n(r.attributes.begin(), std::min<std::size_t>(r.attributes.size(), 3), values_.back().attributes);
    const bool counts = row.operands == variadic || r.operands.size() == static_cast<std::size_t>(row.operands);
    const bool typed = r.type == no_type ? row.result == result_rule::none
                                         : row.result != result_rule::none && r.type < module_.type_count;
    check(counts, r.ordinal, "the op takes another number of operands");
    check(typed, r.ordinal, "the record's type is missing, or not in the table");
    if (!typed) values_.back().type = no_type;

    std::vector<tile_type> operands;
    for (const std::int32_t operand : r.operands) {
      if (is_visible(operand, r)) operands.push_back(module_.types[values_[static_cast<std::size_t>(operand)].type]);
    }
    if (counts && typed && operands.size() == r.operands.size()) {
      const char* rule = broken_rule(module_, r, operands);
      check(rule == nullptr, r.ordinal, rule);
      if (rule == nullptr) follow_tiles(r);
      if (rule == nullptr) follow_rows(r);
    }
    follow_combiner(r);
    follow_structure(r);
  }

  // ---- Combiners: n left elements, n right ones, the combiner, its end, n results
  bool is_in_combiner() const { return has_combiner(open_.back().opened_by); }

  void follow_combiner(const record& r) {
    if (is_in_combiner()) return follow_inside(r);
    if (combiner_.results_to_come > 0) {
      const int tile = combiner_.tiles[combiner_.tiles.size() - static_cast<std::size_t>(combiner_.results_to_come--)];
      const bool fits = r.which == op::combined && is_result(at(r.ordinal).type, tile);
      check(fits, r.ordinal, "a combiner's end is followed by its results, one for each tile");
      return;
    }
    const bool is_part = r.which == op::combiner_left || r.which == op::combiner_right || r.which == op::combiner_end ||
                         r.which == op::combined;
    check(!is_part, r.ordinal, "the record belongs to no combiner");
    if (!has_combiner(r.which)) return;
    combiner_ = {.first = r.ordinal + 1, .keeps_axis = r.which == op::scan_begin, .axis = r.attributes[0], .tiles = {}};
    for (const std::int32_t operand : r.operands) {
      const bool is_value = operand >= 0 && operand < r.ordinal;
      combiner_.tiles.push_back(is_value ? at(operand).type : no_type);
    }
  }

  void follow_inside(const record& r) {
    const std::size_t count = combiner_.tiles.size();
    const auto place = static_cast<std::size_t>(r.ordinal - combiner_.first);
    if (place < 2 * count) {
      const op wanted = place < count ? op::combiner_left : op::combiner_right;
      const bool fits = r.which == wanted && is_element_of(at(r.ordinal).type, combiner_.tiles[place % count]);
      check(fits, r.ordinal, "a combiner begins with the left and right elements of its tiles");
    } else if (r.which == op::combiner_end) {
      bool fits = r.operands.size() == count;
      for (std::size_t n = 0; fits && n < count; ++n) {
        const std::int32_t given = r.operands[n];
        fits = given >= 0 && given < r.ordinal && is_element_of(at(given).type, combiner_.tiles[n]);
      }
      check(fits, r.ordinal, "a combiner gives one element for each of its tiles");
    } else {
      const int type = at(r.ordinal).type;
      const bool is_scalar = type == no_type || module_.types[type].rank == 0;
      check(is_scalar && may_stand_in_combiner(r.which), r.ordinal, "a combiner is element-wise, of rank 0");
    }
  }

  bool is_element_of(int type, int tile) const {
    if (type == no_type || tile == no_type) return false;
    return module_.types[type].rank == 0 && module_.types[type].element == module_.types[tile].element;
  }
  bool is_result(int type, int tile) const {
    if (type == no_type || tile == no_type) return false;
    tile_type wanted = module_.types[tile];
    const bool has_axis = combiner_.axis >= 0 && combiner_.axis < wanted.rank;
    if (has_axis && !combiner_.keeps_axis) wanted.extents[combiner_.axis] = 1;
    return module_.types[type] == wanted;
  }

  // ---- Tiles of pieces: stored once each
  value& at(std::int32_t ordinal) { return values_[static_cast<std::size_t>(ordinal)]; }

  bool is_number(std::int32_t ordinal, std::int32_t number) {
    const value& made = at(ordinal);
    return made.made_by == op::constant && made.attributes[0] == number && made.attributes[1] == 0 && !made.is_assigned;
  }

  void follow_tiles(const record& r) {
    if (r.which == op::assign) at(r.operands[0]).is_assigned = true;
    if (r.which == op::for_begin && is_number(r.operands[0], 0) && is_number(r.operands[2], 1)) {
      at(r.ordinal).end = r.operands[1];
    }
    if (r.which != op::store_tile) return;
    const tile_type& piece = module_.types[module_.parameters[r.attributes[0]].type];
    const tile_type& tile = module_.types[at(r.operands[0]).type];
    std::size_t next = 1;
    for (int axis = 0; axis < piece.rank; ++axis) {
      if (piece.extents[axis] != dynamic_extent) continue;
      const std::int32_t end = at(r.operands[next++]).end;
      const bool counts = end >= 0 && at(end).made_by == op::tiles && !at(end).is_assigned &&
                          at(end).attributes[0] == r.attributes[0] && at(end).attributes[1] == axis &&
                          at(end).attributes[2] == tile.extents[axis];
      check(counts, r.ordinal, "a tile index of store_tile is the variable of a loop over all tiles of its axis");
    }
    // All but branches, and the kernel's body.
    const auto loops = std::count_if(open_.begin() + 1, open_.end(),
                                     [](const region& each) { return each.opened_by != op::if_begin; });
    check(static_cast<std::size_t>(loops) + 1 == r.operands.size(), r.ordinal,
          "store_tile stands in one loop for each whole axis of the piece");
  }

  // ---- Rows of a Scatter: each block has its own indices, and all of a tensor come from one parameter
  bool is_own_tile_of_indices(const record& load) {
    if (module_.parameters[load.attributes[0]].kind != parameter_kind::unique || load.attributes[1] != 1) return false;
    const value &place = at(load.operands[0]), &pad = at(load.operands[1]);
    const bool is_own = place.made_by == op::block_id && place.attributes[0] == 0 && !place.is_assigned;
    return is_own && pad.made_by == op::constant && pad.attributes[0] == -1 && pad.attributes[1] == -1 &&
           !pad.is_assigned;
  }

  void follow_rows(const record& r) {
    if (r.which == op::assign) at(r.operands[0]).rows_of = -1;
    if (r.which == op::load && is_own_tile_of_indices(r)) at(r.ordinal).rows_of = r.attributes[0];
    if (r.which == op::reshape) at(r.ordinal).rows_of = at(r.operands[0]).rows_of;
    if (r.which != op::store_rows) return;
    check(at(r.operands[1]).rows_of == r.attributes[1], r.ordinal,
          "the rows of store_rows are the block's own tile of the unique indices");
    const auto [known, is_first] = placed_by_.try_emplace(r.attributes[0], r.attributes[1]);
    check(is_first || known->second == r.attributes[1], r.ordinal,
          "the rows of a Scatter are placed by one Unique parameter");
  }

  bool is_visible(std::int32_t operand, const record& r) {
    const bool earlier = operand >= 0 && operand < r.ordinal;
    check(earlier, r.ordinal, "an operand is no earlier value");
    if (!earlier) return false;
    const value& used = values_[static_cast<std::size_t>(operand)];
    check(used.type != no_type, r.ordinal, "an operand is a record without a value");
    check(is_open_[static_cast<std::size_t>(used.region)], r.ordinal,
          "an operand belongs to a loop or branch that ended");
    return used.type != no_type;
  }

  void enter(op opened_by, bool has_middle, std::int32_t first) {
    open_.push_back(
        {.id = static_cast<int>(is_open_.size()), .opened_by = opened_by, .has_middle = has_middle, .first = first});
    is_open_.push_back(true);
  }
  void leave() {
    is_open_[static_cast<std::size_t>(open_.back().id)] = false;
    open_.pop_back();
  }

  void follow_structure(const record& r) {
    const region innermost = open_.back();
    if (r.which == op::for_begin || r.which == op::while_begin || r.which == op::if_begin || has_combiner(r.which)) {
      enter(r.which, false, r.ordinal);
      if (r.which == op::for_begin) values_.back().region = open_.back().id;  // the loop variable
    } else if (r.which == op::for_end) {
      check(innermost.opened_by == op::for_begin, r.ordinal, "for_end closes no loop");
      if (innermost.opened_by == op::for_begin) leave();
    } else if (r.which == op::while_condition) {
      const bool fits = innermost.opened_by == op::while_begin && !innermost.has_middle;
      check(fits, r.ordinal, "while_condition belongs to no while_");
      open_.back().has_middle = open_.back().has_middle || fits;
    } else if (r.which == op::while_end) {
      const bool fits = innermost.opened_by == op::while_begin && innermost.has_middle;
      check(fits, r.ordinal, "while_end closes no while_ that has a condition");
      if (fits) leave();
    } else if (r.which == op::assign) {
      check_assignment(r);
    } else if (r.which == op::if_else) {
      const bool fits = innermost.opened_by == op::if_begin && !innermost.has_middle;
      check(fits, r.ordinal, "if_else belongs to no if_");
      if (!fits) return;
      leave();
      enter(op::if_begin, true, innermost.first);
    } else if (r.which == op::combiner_end) {
      if (!is_in_combiner()) return;
      leave();
      combiner_.results_to_come = static_cast<int>(combiner_.tiles.size());
    } else if (r.which == op::if_end) {
      check(innermost.opened_by == op::if_begin, r.ordinal, "if_end closes no if_");
      if (innermost.opened_by == op::if_begin) leave();
    }
  }

  // A condition of while_ changes nothing that was there before it, nor does a combiner.
  void check_assignment(const record& r) {
    for (const region& around : open_) {
      const bool is_in_condition = around.opened_by == op::while_begin && !around.has_middle;
      const bool is_own = r.operands.empty() || r.operands[0] > around.first;
      check(!is_in_condition || is_own, r.ordinal, "the condition of while_ assigns a variable made before it");
      check(!has_combiner(around.opened_by) || is_own, r.ordinal, "a combiner assigns a variable made before it");
    }
  }

  void check_locations() {
    if (module_.record_count != static_cast<std::int32_t>(values_.size())) return;
    const auto files = std::count(module_.files, module_.files + module_.files_size, '\0');
    for (std::int32_t i = 0; i < module_.record_count; ++i) {
      const int file = location_file(module_.locations[i]);
      check(file >= 0 && file < files, i, "the location's file is not in the table");
    }
  }

  const module_view& module_;
  std::vector<violation> found_;
  std::vector<value> values_;  // by ordinal
  std::vector<region> open_;   // innermost last; the first one is the kernel's body
  std::vector<bool> is_open_;  // by region
  combiner_state combiner_;
  std::map<std::int32_t, std::int32_t> placed_by_;  // by Scatter parameter
};

}  // namespace

std::vector<violation> verify(const module_view& module) { return verifier(module).run(); }

}  // namespace tilewright::ast
