// SPDX-License-Identifier: Apache-2.0
// Loans: from where an expression has them, who holds them, and what may not happen meanwhile.
#include "rules.hpp"

using namespace clang;

namespace twcheck {

void rules::find_loans_of_call(const state& at, const CallExpr& call, std::vector<source>& found) const {
  const FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr) return;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(&call)) {
    const CXXMethodDecl* method = member->getMethodDecl();
    const Expr* object = member->getImplicitObjectArgument();
    if (method == nullptr) return;
    QualType type = object->getType();
    if (type->isPointerType()) type = type->getPointeeType();
    if (types_.is_owner(type) && !types_.is_loan(type)) {
      const auto kind = lends(*method);
      if (!kind) return;
      for (const place& lender : finder_.find_object(*member)) found.push_back({lender, *kind, call.getExprLoc()});
    } else if (types_.is_loan(method->getReturnType())) {
      find_loans(at, object, found);
    }
  }
  const unsigned first = isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(function) ? 1 : 0;
  for (unsigned i = first; i < call.getNumArgs() && i - first < function->getNumParams(); ++i) {
    if (borrows_through(*function->getParamDecl(i - first))) find_loans(at, call.getArg(i), found);
  }
}

void rules::find_loans(const state& at, const Expr* expression, std::vector<source>& found) const {
  expression = place_finder::strip(expression);
  if (const auto* made = dyn_cast_or_null<CXXBindTemporaryExpr>(expression)) {
    expression = place_finder::strip(made->getSubExpr());
  }
  if (expression == nullptr) return;
  if (const auto* cast = dyn_cast<ExplicitCastExpr>(expression)) return find_loans(at, cast->getSubExpr(), found);
  if (const auto* call = dyn_cast<CallExpr>(expression)) return find_loans_of_call(at, *call, found);
  if (const auto* allocated = dyn_cast<CXXNewExpr>(expression)) {
    if (allocated->getInitializer() != nullptr) find_loans(at, allocated->getInitializer(), found);
  } else if (const auto* list = dyn_cast<InitListExpr>(expression)) {
    for (const Expr* each : list->inits()) find_loans(at, each, found);
  } else if (const auto* parts = dyn_cast<CXXParenListInitExpr>(expression)) {
    for (const Expr* each : parts->getInitExprs()) find_loans(at, each, found);
  } else if (const auto* made = dyn_cast<CXXConstructExpr>(expression)) {
    for (const Expr* each : made->arguments()) find_loans(at, each, found);
  } else if (const auto* choice = dyn_cast<ConditionalOperator>(expression)) {
    find_loans(at, choice->getTrueExpr(), found);
    find_loans(at, choice->getFalseExpr(), found);
  } else if (const auto holder = finder_.find(expression)) {
    for (const loan& each : at.loans) {
      if (each.holder.is_inside(*holder) || holder->is_inside(each.holder))
        found.push_back({each.lender, each.kind, each.where});
    }
  }
}

// Who holds a loan is destroyed at a known point, or is a pointer to such an object, or is a plain view.
void rules::hold(state& at, const place& holder, QualType type, const Expr* from) {
  std::vector<source> found;
  find_loans(at, from, found);
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  const bool is_view = record != nullptr && record->hasDefinition() && record->hasTrivialDestructor();
  if (record == nullptr && !type->isPointerType()) return;
  for (const source& each : found) {
    if (!each.lender.is_inside(holder)) at.loans.insert({each.lender, holder, each.kind, is_view, each.where});
  }
}

void rules::require_not_lent(const state& at, const place& used, misuse_of_lent action, SourceLocation where) {
  if (!writes_about(at, used)) return;
  for (const loan& each : at.loans) {
    if (each.is_view || !(each.lender.is_part_of(used) || used.is_part_of(each.lender))) continue;
    out_.lent(where, each.lender.name(), action, each.holder.name(), each.where);
  }
}

void rules::lend_or_read(const state& at, const place& lender, const CXXMethodDecl& method, SourceLocation where) {
  if (!writes_about(at, lender)) return;
  if (spends(method)) return;  // judged as given away
  const auto action = lends(method) ? misuse_of_lent::lent_again : misuse_of_lent::read;
  for (const loan& each : at.loans) {
    if (each.is_view || each.lender != lender || !excludes(method, each.kind)) continue;
    out_.lent(where, lender.name(), action, each.holder.name(), each.where);
  }
}

void rules::end_views(state& at, const place& lender, SourceLocation where) {
  std::vector<loan> ended;
  for (const loan& each : at.loans) {
    if (each.is_view && each.lender.is_part_of(lender)) ended.push_back(each);
  }
  for (const loan& each : ended) {
    at.loans.erase(each);
    at.set(each.holder, {is_gone, where, true});
  }
}

// ---- Ends ----------------------------------------------------------------------------------------------------------
void rules::variable_ends(state& at, const VarDecl& variable) {
  const place ended = finder_.of(variable);
  const status known = at.of(ended);
  at.end_loans_held_in(ended);
  drop_contents(at, ended, variable.getType(), variable.getLocation());
  if (types_.must_run(variable.getType()) && (known.bits & is_live) != 0 && writes_about(at, ended)) {
    out_.never_run(variable.getLocation(), ended.name(), known.bits == is_live, types::advice(variable.getType()),
                   known.where);
  }
  if (known.bits != is_gone && writes_about(at, ended)) {
    for (const loan& each : at.loans) {
      if (each.is_view || !each.lender.is_part_of(ended)) continue;
      out_.outlives(each.where, each.lender.name(), each.holder.name(), variable.getLocation());
    }
  }
  end_views(at, ended, variable.getLocation());
  std::erase_if(at.loans, [&](const loan& each) { return each.lender.is_part_of(ended); });
  at.forget(ended);
}

void rules::temporary_ends(state& at, const Expr* temporary) {
  const place ended{nullptr, temporary, {}};
  at.end_loans_held_in(ended);
  const auto known = at.entry(ended);
  if (!types_.must_run(temporary->getType()) || !known || (known->bits & is_live) == 0 || !writes_) return;
  out_.never_run(temporary->getExprLoc(), ended.name(), known->bits == is_live, types::advice(temporary->getType()),
                 known->where);
}

void rules::deleted(state& at, const CXXDeleteExpr& written) {
  const auto pointer = finder_.find(written.getArgument());
  if (!pointer) return;
  at.end_loans_held_in(*pointer);
  const place ended = pointer->with({step::pointee, nullptr, 0});
  require_not_lent(at, ended, misuse_of_lent::destroyed, written.getExprLoc());
  end_views(at, ended, written.getExprLoc());
  std::erase_if(at.loans, [&](const loan& each) { return each.lender.is_inside(ended); });
  at.forget(ended);
}

void rules::returned(state& at, const ReturnStmt& written) {
  if (written.getRetValue() == nullptr || !writes_) return;
  std::vector<source> found;
  find_loans(at, written.getRetValue(), found);
  for (const source& each : found) {
    const auto* local = dyn_cast_or_null<VarDecl>(each.lender.variable);
    const bool dies =
        local != nullptr && !local->getType()->isReferenceType() && each.lender.is_part_of({local, nullptr, {}});
    if (dies && writes_about(at, each.lender)) {
      out_.outlives(each.where, each.lender.name(), "what the function returns", local->getLocation());
    }
  }
}

void rules::returns(state& at, const ParmVarDecl& parameter) {
  if (!parameter.getType()->isReferenceType()) variable_ends(at, parameter);
}

}  // namespace twcheck
