// SPDX-License-Identifier: Apache-2.0
// Builds the SSA program of a module: one walk over the records. A variable that a loop or branch assigns and that
// was made before it becomes a carried value or a result.
#pragma once

#include <vector>

#include "compiler/diagnostics.hpp"
#include "compiler/record_cursor.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

class binder {
 public:
  binder(const ast::module_view& module, const specialization& special, diagnostics& faults);
  program run();

 private:
  // A loop, branch or combiner that is still open.
  struct region {
    instruction owner;
    int ordinal = 0;               // of its first record; values from here on end with the region
    std::vector<int> assigned;     // variables made before it that it assigns
    std::vector<value_id> before;  // their values in front of it
    block body;
  };

  void bind_parameters();
  void bind_types();
  value_type resolve(const ast::tile_type& type) const;
  std::int64_t extent_value(std::int32_t extent) const;
  void find_assignments();

  void visit(const record& next);
  void open_loop(const record& next);
  void ask_condition(const record& next);
  void close_loop(ast::op opened_by);
  void open_branch(const record& next);
  void open_else();
  void close_branch();
  void open_combiner(const record& next);
  void take_element(const record& next);
  void close_combiner(const record& next);
  void take_combined(const record& next);
  void plain(const record& next);

  value_id new_value(const value_type& type);
  value_id use(std::int32_t ordinal, source_location location);
  value_id make_constant(const value_type& type, std::int64_t word, source_location location);
  value_type declared_type(int ordinal) const;
  void assign(const record& next);
  // Of the words from `first` on.
  static std::int64_t literal_of(const record& next, const value_type& type, std::size_t first = 0);
  static std::vector<std::int64_t> elements_of(const record& table, const value_type& type);
  std::vector<std::int64_t> attributes_of(const record& next, const value_type& result) const;
  std::vector<value_id> current_values(const std::vector<int>& variables) const;
  void set_values(const std::vector<int>& variables, const std::vector<value_id>& values);
  void end_values_from(int ordinal);
  void append(instruction made) { body().push_back(std::move(made)); }
  std::vector<instruction>& body() { return open_.empty() ? out_.entry.body : open_.back().body.body; }

  const ast::module_view& module_;
  const specialization& special_;
  diagnostics& faults_;
  program out_;
  std::vector<value_type> types_;          // by type index of the module
  std::vector<value_id> current_;          // by ordinal: the variable's value now, no_value when it has none
  std::vector<int> declared_;              // by ordinal: the record's type index
  std::vector<std::vector<int>> regions_;  // variables that region n (in order of opening) assigns
  std::size_t next_region_ = 0;
  std::vector<region> open_;
  int ordinal_ = 0;  // of the record in hand
};

}  // namespace tilewright::compiler
