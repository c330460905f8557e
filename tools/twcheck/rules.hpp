// SPDX-License-Identifier: Apache-2.0
// What each statement does to the state, and which mistakes show there. Told of the statements of one function in the
// order in which they run; messages are written in the last pass only.
#pragma once

#include <set>

#include "clang/AST/StmtCXX.h"
#include "program.hpp"

namespace twcheck {

class rules {
 public:
  explicit rules(program& all) : program_(all), finder_(all.context), types_(all.known), out_(all.out) {}

  // ---- What is known of the whole function before it is walked ----
  void forbid_alias(const clang::ValueDecl& pointer) { finder_.forbid(&pointer); }
  void skip_view(const clang::Expr* assigned) { assigned_.insert(assigned); }
  void expect_end(const clang::Expr* temporary) { ending_.insert(temporary); }
  void write_messages(bool writes) { writes_ = writes; }

  // ---- The walk ----
  void enter(state& at, const clang::ParmVarDecl& parameter);
  void statement(state& at, const clang::Stmt* statement);
  void initialized(state& at, const clang::FieldDecl& field);
  void variable_ends(state& at, const clang::VarDecl& variable);
  void temporary_ends(state& at, const clang::Expr* temporary);
  void returns(state& at, const clang::ParmVarDecl& parameter);  // at the normal end of the function

 private:
  struct source {
    place lender;
    loan_kind kind;
    clang::SourceLocation where;
  };

  void declare(state& at, const clang::VarDecl& variable);
  void construct(state& at, const clang::CXXConstructExpr& made);
  void call(state& at, const clang::CallExpr& call);
  void member_call(state& at, const clang::CallExpr& call, const clang::CXXMethodDecl& method,
                   const std::vector<place>& objects, clang::QualType type);
  std::vector<place> objects_of(const clang::CallExpr& call) const;
  void assign_call(state& at, const clang::CXXOperatorCallExpr& call);
  void argument(state& at, const clang::Expr* given, clang::QualType parameter, const clang::FunctionDecl* function,
                unsigned position);
  void lvalue_argument(state& at, const clang::Expr* given, const place& named, const clang::FunctionDecl* function,
                       unsigned position);
  void keep_loans(state& at, const clang::CallExpr& call, const clang::Expr* given,
                  const clang::ParmVarDecl& parameter);
  void closure(state& at, const clang::Expr* given, bool is_stored);
  // ---- Calls that are followed: calls.cpp ----
  bool called_closure(state& at, const clang::Expr* given, const clang::FunctionDecl* function, unsigned position);
  std::optional<rules> inside(const state& at, const clang::FunctionDecl& body, const std::vector<place>& objects,
                              llvm::ArrayRef<const clang::Expr*> given) const;
  bool bind_parameters(const state& at, const clang::FunctionDecl& body, llvm::ArrayRef<const clang::Expr*> given);
  bool bind_captures(const state& at, const clang::CXXRecordDecl& closure, const std::vector<place>& objects);
  void go_through(state& at, rules& inner, clang::SourceLocation where);
  bool is_bound(unsigned parameter) const;
  bool knows_captures(const state& at, clang::QualType closure) const;
  bool knows(const state& at, const place& named, clang::QualType type) const;

  // ---- What containers hold: containers.cpp ----
  void put_in(state& at, const place& container, clang::SourceLocation where);
  void drop_contents(state& at, const place& container, clang::QualType type, clang::SourceLocation where);
  void look_inside(state& at, const place& container);
  std::optional<status> container_call(state& at, const place& container, clang::QualType type,
                                       const clang::CXXMethodDecl& method, clang::SourceLocation where);

  // ---- order.cpp ----
  void require_order(const state& at, llvm::ArrayRef<const clang::Expr*> arguments);
  void plain_operator(state& at, const clang::BinaryOperator& written);
  void deleted(state& at, const clang::CXXDeleteExpr& written);
  void returned(state& at, const clang::ReturnStmt& written);
  void temporary(state& at, const clang::CXXBindTemporaryExpr& made);
  void named(state& at, const clang::DeclRefExpr& name);

  void use(const state& at, const place& used, clang::SourceLocation where);
  void give(state& at, const place& given, clang::QualType type, clang::SourceLocation where, bool is_certain);
  void settle(state& at, const place& settled);
  void renew(state& at, const place& renewed, clang::QualType type, clang::SourceLocation where);
  void remember_owners(state& at, const place& declared, const clang::Expr* from);
  void require_sole_owner(const state& at, const place& used, clang::SourceLocation where);
  void end_views(state& at, const place& lender, clang::SourceLocation where);
  void require_not_lent(const state& at, const place& used, misuse_of_lent action, clang::SourceLocation where);
  void lend_or_read(const state& at, const place& lender, const clang::CXXMethodDecl& method,
                    clang::SourceLocation where);
  void hold(state& at, const place& holder, clang::QualType type, const clang::Expr* from);
  void find_loans(const state& at, const clang::Expr* expression, std::vector<source>& found) const;
  void find_loans_of_call(const state& at, const clang::CallExpr& call, std::vector<source>& found) const;
  bool writes_about(const state& at, const place& about) const {
    return writes_ && callers_.empty() && !at.escaped.contains(about.variable);
  }

  program& program_;
  place_finder finder_;
  types& types_;
  messages& out_;
  bool writes_ = false;
  std::set<const clang::Expr*> ending_;              // temporaries that die in this function
  std::set<const clang::Expr*> assigned_;            // names on the left of an assignment
  std::vector<const clang::FunctionDecl*> callers_;  // not empty: in a function that is followed
  clang::SourceLocation called_;                     // by the function that is checked
};

}  // namespace twcheck
