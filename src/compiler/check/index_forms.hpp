// SPDX-License-Identifier: Apache-2.0
// The form of every integer value of a program, made when asked for. The form of a tile stands for any one of its
// elements; ops that keep the place of an element keep the form, all others give a fresh atom with the same bounds.
#pragma once

#include <vector>

#include "compiler/check/atoms.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// How far a 64-bit scalar parameter may go: half way to where index arithmetic on it could overflow. `checked` is for
// passes that add a launch check for each scalar they rely on.
enum class scalar_trust : std::uint8_t { checked, any_value };
inline constexpr std::int64_t greatest_scalar = std::int64_t{1} << 53;

// `lesser <= greater`.
struct comparison_sides {
  linear lesser, greater;
};

class index_forms {
 public:
  index_forms(const program& source, scalar_trust trust);

  // Equal to the value modulo 2^64; where its range is inside 64 bits, equal.
  linear form_of(value_id value);
  // The same as a mathematical integer: a fresh atom where the arithmetic may have wrapped.
  linear exact_form_of(value_id value);
  linear tile_count(std::int64_t parameter, std::int64_t axis, std::int64_t tile_extent);
  linear extent(std::int64_t parameter, std::int64_t axis);
  linear grid_size(std::int64_t axis);

  // Forms that are not negative wherever `condition` has the given outcome: in these lanes, if it is a tile.
  void conclude(value_id condition, bool outcome, std::vector<linear>& facts);
  // What one comparison of integers with the given outcome says; nothing where that is no range, or no comparison.
  std::vector<comparison_sides> sides_of(value_id condition, bool outcome);

  atom_table& atoms() { return atoms_; }
  // 64-bit scalar parameters that some form relies on to stay within `greatest_scalar`.
  const std::vector<std::int64_t>& relied_scalars() const { return relied_scalars_; }
  const instruction* maker(value_id value) const { return places_[static_cast<std::size_t>(value)].maker; }
  // The loop that counts with `value`, if one does.
  const instruction* counted_by(value_id value) const {
    const place& from = places_[static_cast<std::size_t>(value)];
    return from.position == 0 && from.loop != nullptr && from.loop->op == ast::op::for_begin ? from.loop : nullptr;
  }

 private:
  // Where a value comes from: result n of `maker`, or argument n of a block of `loop`.
  struct place {
    const instruction* maker = nullptr;
    const instruction* loop = nullptr;
    std::size_t position = 0;
  };

  void index(const block& code);
  linear make_form(value_id value);
  linear form_of_argument(value_id value);
  linear form_of_result(value_id value, const instruction& made);
  std::optional<linear> arithmetic(const instruction& made);
  std::optional<linear> quotient(value_id a, value_id b, bool rounds_down);
  std::optional<linear> rest(value_id a, value_id b, bool rounds_down);
  linear cast_form(value_id value, const instruction& made);
  linear scalar_form(const instruction& made);
  linear either(value_id value, const linear& x, const linear& y);
  linear rearranged(value_id value, const linear& form);
  linear any_of_type(value_id value);
  linear within_type(value_id value, const linear& form);
  linear only_range(value_id value, const linear& form);
  const value_type& type(value_id value) const { return source_.values[static_cast<std::size_t>(value)]; }

  const program& source_;
  scalar_trust trust_;
  atom_table atoms_;
  std::vector<place> places_;  // by value
  std::vector<linear> forms_;  // by value, where known_ says so
  std::vector<bool> known_;
  std::vector<std::int64_t> relied_scalars_;
};

integer_range range_of_element(dtype element);

}  // namespace tilewright::compiler
