// SPDX-License-Identifier: Apache-2.0
// What is known at a point of a function: the status of places, and the loans that live.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "annotations.hpp"
#include "places.hpp"

namespace twcheck {

// What a place may hold: each path that leads here adds its bit. A place without an entry holds what the place around
// it does, and nothing is known of one that is nowhere.
enum : unsigned { is_live = 1, is_gone = 2, is_unknown = 4 };

struct status {
  unsigned bits = is_unknown;
  clang::SourceLocation where;       // of the giving
  bool is_view_of_the_gone = false;  // a view, and what it looks into was given
};

struct loan {
  place lender, holder;
  loan_kind kind = loan_kind::part;
  bool is_view = false;  // the holder's end means nothing: only its use after the lender's end is wrong
  clang::SourceLocation where;

  auto operator<=>(const loan& other) const {
    return std::tie(lender, holder, kind, is_view) <=> std::tie(other.lender, other.holder, other.kind, other.is_view);
  }
};

class state {
 public:
  status of(const place& asked) const;  // of the innermost entry that holds it
  std::optional<status> entry(const place& asked) const;
  bool knows_within(const place& outer) const;
  // A part of `whole` that may be gone, through no pointer.
  std::optional<place> gone_part(const place& whole) const;

  void set(const place& at, status value);  // and forgets all within
  void forget(const place& at);
  // After a function that was followed: what only some of its paths changed is not known, unless the caller is to know
  // each; what was its own is over.
  void come_back(const state& before, const clang::FunctionDecl& from, bool knows_paths);
  void forget_index(const clang::ValueDecl& variable);  // places found by the value of a variable

  std::set<loan> loans;
  std::set<const clang::ValueDecl*> escaped;  // somebody may change these at any time
  // Two places that own the same memory, on every path: a Shared and its copy, or an op that was given it by name.
  std::set<std::pair<place, place>> owners_of_same;
  void separate(const place& renewed);  // it owns other memory from now on
  void end_loans_held_in(const place& holder);

  bool join(const state& other);  // true: it changed

 private:
  void erase_within(const place& outer);
  std::map<place, status> entries_;
};

}  // namespace twcheck
