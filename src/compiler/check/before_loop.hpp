// SPDX-License-Identifier: Apache-2.0
// Code to stand before a loop: values of its body made there, and what is computed from them.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "compiler/check/new_code.hpp"

namespace tilewright::compiler {

class before_loop : public new_code {
 public:
  // By value of the program its number, if it is a constant.
  using constants = std::vector<std::optional<std::int64_t>>;
  static constants constants_of(const program& source);

  before_loop(program& source, const instruction& loop, const constants& known);

  // How a value moves when the variable of one range goes on by one; by nothing: `counted_by` is no value.
  struct slope {
    value_id counted_by = no_value;
    std::int64_t factor = 0;
  };
  std::optional<slope> slope_of(value_id value);

  // The value as it is before the loop; no value where it cannot be made there.
  value_id outside(value_id value) { return outside(value, moved_); }
  // With `first` for the variable of a range.
  value_id outside(value_id value, value_id variable, value_id first);
  std::optional<std::int64_t> number_of(value_id value) const;

  // ---- All of it, or none of what was added since a mark.
  using mark = std::size_t;
  mark here() const { return size(); }
  void drop_since(mark place);

 private:
  using copies = std::map<value_id, value_id>;
  void note(const block& code);
  bool is_inside(value_id value) const { return makers_.contains(value); }
  value_id outside(value_id value, copies& known);
  std::optional<slope> new_slope_of(value_id value);
  std::optional<slope> joined(const instruction& sum);
  std::optional<slope> scaled(const instruction& product);

  const constants& constants_;
  std::map<value_id, const instruction*> makers_;  // of values of the body; null for arguments of its blocks
  std::vector<value_id> variables_;                // of ranges: the loop's own and those in it
  copies moved_;                                   // no value: it cannot be made there
  std::map<value_id, std::optional<slope>> slopes_;
};

}  // namespace tilewright::compiler
