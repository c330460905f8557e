// SPDX-License-Identifier: Apache-2.0
// Arguments of one call are evaluated in any order: what one of them gives away, no other may use.
#include "rules.hpp"

using namespace clang;

namespace twcheck {

namespace {

struct deeds {
  std::vector<std::pair<place, SourceLocation>> given, used;
};

void collect_arguments(const place_finder& finder, types& known, ArrayRef<const Expr*> arguments,
                       const FunctionDecl& function, deeds& found) {
  for (unsigned i = 0; i < arguments.size() && i < function.getNumParams(); ++i) {
    const bool is_given = function.getParamDecl(i)->getType()->isRValueReferenceType();
    if (!is_given || !known.is_owner(arguments[i]->getType())) continue;
    for (const place& each : finder.find_all(arguments[i])) found.given.emplace_back(each, arguments[i]->getExprLoc());
  }
}

void collect(const place_finder& finder, types& known, const Stmt* statement, deeds& found) {
  if (statement == nullptr || isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(statement)) return;
  if (const auto* lambda = dyn_cast<LambdaExpr>(statement)) {
    for (const Expr* each : lambda->capture_inits()) collect(finder, known, each, found);
    return;
  }
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(statement)) {
    QualType type = call->getImplicitObjectArgument()->getType();
    if (type->isPointerType()) type = type->getPointeeType();
    if (known.is_owner(type) && call->getMethodDecl() != nullptr) {
      auto& deed = spends(*call->getMethodDecl()) ? found.given : found.used;
      for (const place& each : finder.find_object(*call)) deed.emplace_back(each, call->getExprLoc());
    }
  }
  if (const auto* call = dyn_cast<CallExpr>(statement); call && !isa<CXXOperatorCallExpr>(call)) {
    const FunctionDecl* function = call->getDirectCallee();
    if (function != nullptr && !place_finder::passes_on(function)) {
      collect_arguments(finder, known, ArrayRef(call->getArgs(), call->getNumArgs()), *function, found);
    }
  } else if (const auto* made = dyn_cast<CXXConstructExpr>(statement)) {
    collect_arguments(finder, known, ArrayRef(made->getArgs(), made->getNumArgs()), *made->getConstructor(), found);
  }
  for (const Stmt* child : statement->children()) collect(finder, known, child, found);
}

}  // namespace

void rules::require_order(const state& at, ArrayRef<const Expr*> arguments) {
  if (!writes_ || !callers_.empty() || arguments.size() < 2) return;
  std::vector<deeds> all(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) collect(finder_, types_, arguments[i], all[i]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const auto& [given, where_given] : all[i].given) {
      for (std::size_t j = 0; j < all.size(); ++j) {
        for (const auto& [used, where] : all[j].used) {
          const bool meet = used.is_part_of(given) || given.is_part_of(used);
          if (i != j && meet && writes_about(at, used)) out_.use_after_give(where, used.name(), false, where_given);
        }
      }
    }
  }
}

}  // namespace twcheck
