// SPDX-License-Identifier: Apache-2.0
// A place is where an object lives, by identity of declarations, never by name: a variable, *this or a temporary, and
// from there fields, pointees and elements.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace twcheck {

struct step {
  enum kind_of_step : std::uint8_t { field, pointee, element, element_at, contents };  // the last: all elements at once
  kind_of_step kind = field;
  const clang::ValueDecl* declaration = nullptr;  // of a field; of the variable that an element_at is found by
  std::int64_t index = 0;                         // of an element

  auto operator<=>(const step&) const = default;
};

struct place {
  const clang::ValueDecl* variable = nullptr;
  const clang::Expr* temporary = nullptr;  // neither: *this
  std::vector<step> steps;

  auto operator<=>(const place&) const = default;
  bool is_inside(const place& outer) const;   // or the same
  bool is_part_of(const place& outer) const;  // inside, and in the same object: through no pointer
  place with(step next) const;
  std::string name() const;  // as source code would write it
};

// ---- From expressions to places ------------------------------------------------------------------------------------
class place_finder {
 public:
  explicit place_finder(const clang::ASTContext& context) : context_(context) {}

  std::optional<place> find(const clang::Expr* expression) const;
  // The places that an expression may name: two or more for c ? a : b.
  std::vector<place> find_all(const clang::Expr* expression) const;
  // The object that a member function is called on.
  std::vector<place> find_object(const clang::CXXMemberCallExpr& call) const;
  place of(const clang::ValueDecl& variable) const;
  // A reference or pointer that is bound once: what it names from then on.
  void bind(const clang::VarDecl& variable);
  // What a declaration of a function that is followed names of its caller; what its *this is.
  void bind_to(const clang::ValueDecl& declared, const place& named) { bound_.insert_or_assign(&declared, named); }
  bool is_bound(const clang::ValueDecl& declared) const { return bound_.contains(&declared); }
  void set_object(const place& object) { object_ = object; }
  const place& object() const { return object_; }
  // Pointers that are assigned to name nothing for sure.
  void forbid(const clang::ValueDecl* reassigned) { reassigned_.insert(reassigned); }

  // Without parentheses, conversions, std::move and what else leaves the object as it is.
  static const clang::Expr* strip(const clang::Expr* expression);
  static bool passes_on(const clang::FunctionDecl* function);  // std::move and its like

 private:
  std::optional<place> find_call(const clang::CallExpr& call) const;
  std::optional<place> find_element(const clang::Expr* container, const clang::Expr* index) const;
  std::optional<place> first_element(const clang::Expr* container) const;
  std::optional<place> pointee(const clang::Expr* pointer) const;

  const clang::ASTContext& context_;
  place object_;                                      // *this
  std::map<const clang::ValueDecl*, place> bound_;    // references
  std::map<const clang::ValueDecl*, place> pointed_;  // pointers: what they point to
  std::set<const clang::ValueDecl*> reassigned_;
};

}  // namespace twcheck
