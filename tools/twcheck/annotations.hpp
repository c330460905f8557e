// SPDX-License-Identifier: Apache-2.0
// What the attributes in headers say of types and functions. The checker knows no type by its name: a new owner or loan
// takes part as soon as its class and members carry the attributes of base/config.hpp.
#pragma once

#include <optional>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"

namespace twcheck {

// How a tensor is lent: to readers, to one writer, or as a part, whose conflicts only run time can judge.
enum class loan_kind { reader, writer, part };

// ---- Types ---------------------------------------------------------------------------------------------------------
class types {
 public:
  bool is_owner(clang::QualType type);              // its objects can be spent
  bool must_run(clang::QualType type);              // an object that is not spent before it dies is a mistake
  bool is_loan(clang::QualType type);               // its objects may hold loans of others
  bool owns_directly(clang::QualType type);         // an owner, or has one among its members and bases
  bool owns(clang::QualType type);                  // that, or a container or pointer of such
  bool is_settled_by_a_look(clang::QualType type);  // by whoever is lent it as const
  bool holds_what_must_run(clang::QualType type);   // a container of such objects
  bool is_own_business(
      const clang::FunctionDecl& function);  // of owners and loans, which handle spent objects on purpose
  // The text of the class's nodiscard: what to do with an object.
  static llvm::StringRef advice(clang::QualType type);
  llvm::StringRef advice_of_elements(clang::QualType container);

 private:
  bool search(clang::QualType type, bool through_arguments, int depth);

  llvm::DenseMap<const clang::Type*, bool> direct_, any_;
};

// ---- Functions -----------------------------------------------------------------------------------------------------
bool spends(const clang::CXXMethodDecl& method);                      // the object is given away by the call
bool settles(const clang::CXXMethodDecl& method);                     // the object owes nothing afterwards
std::optional<loan_kind> lends(const clang::CXXMethodDecl& method);   // the result borrows the object
bool excludes(const clang::CXXMethodDecl& method, loan_kind lent);    // needs the object not to be lent so
bool needs_sole_owner(const clang::CXXMethodDecl& method);            // throws where others own the memory too
bool borrows_through(const clang::ParmVarDecl& parameter);            // the result keeps the loans of the argument
bool is_held_by_object(const clang::ParmVarDecl& parameter);          // the object keeps them
bool is_called(const clang::ParmVarDecl& parameter);                  // the function calls it, once
bool keeps(const clang::ParmVarDecl& parameter);                      // an argument that is unspent on return
bool is_forwarding(const clang::FunctionDecl& function, unsigned i);  // parameter i is declared as T&&, T deduced
bool is_in_std(const clang::Decl& declaration);
bool is_std(const clang::FunctionDecl* function, llvm::ArrayRef<llvm::StringRef> names);

}  // namespace twcheck
