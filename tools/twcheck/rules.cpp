// SPDX-License-Identifier: Apache-2.0
// Giving and using: what declarations, calls and assignments do to places.
#include "rules.hpp"

using namespace clang;

namespace twcheck {

namespace {

// Members of the library's containers and pointers that leave the elements as they are.
bool looks_at_elements(const CXXMethodDecl& method) {
  if (!is_in_std(method)) return false;
  const auto written = method.getOverloadedOperator();
  return written == OO_Subscript || written == OO_Star || written == OO_Arrow ||
         is_std(&method, {"at", "back", "begin", "data", "end", "front", "get", "rbegin", "rend", "value"});
}

bool adds_elements(const CXXMethodDecl& method) { return is_std(&method, {"emplace_back", "push_back", "reserve"}); }

bool is_pack_of_references(const FunctionDecl* function) { return is_std(function, {"tie", "addressof"}); }

bool is_getter(const FunctionDecl* function) { return is_std(function, {"get"}) && !isa<CXXMethodDecl>(function); }

}  // namespace

// ---- The life of a place -------------------------------------------------------------------------------------------
void rules::use(const state& at, const place& used, SourceLocation where) {
  const status known = at.of(used);
  if ((known.bits & is_gone) == 0 || !writes_ || at.escaped.contains(used.variable)) return;
  const bool is_certain = known.bits == is_gone;
  if (is_certain || callers_.empty()) out_.use_after_give(where, used.name(), is_certain, known.where, called_);
}

void rules::give(state& at, const place& given, QualType type, SourceLocation where, bool is_certain) {
  if (types_.owns_directly(type) || !types_.owns(type)) {
    use(at, given, where);
    const auto part = at.gone_part(given);
    if (part && *part != given) use(at, *part, where);
    if (!types_.is_loan(type)) require_not_lent(at, given, misuse_of_lent::given, where);
  }
  end_views(at, given, where);
  if (!types_.is_loan(type)) at.end_loans_held_in(given);
  const unsigned before = is_certain ? 0 : at.of(given).bits;
  at.set(given, {before | is_gone, where});
}

// It may be dropped from now on, or go on being used.
void rules::settle(state& at, const place& settled) {
  status known = at.of(settled);
  known.bits = (known.bits & ~is_live) | is_unknown;
  at.set(settled, known);
}

void rules::renew(state& at, const place& renewed, QualType type, SourceLocation where) {
  const auto replaced = at.entry(renewed);  // what only its container is known of may be nothing
  if (types_.must_run(type) && replaced && (replaced->bits & is_live) != 0 && writes_about(at, renewed)) {
    out_.never_run(where, renewed.name(), replaced->bits == is_live, types::advice(type), replaced->where);
  }
  if (types_.owns_directly(type) && at.of(renewed).bits != is_gone) {
    require_not_lent(at, renewed, misuse_of_lent::assigned, where);
  }
  end_views(at, renewed, where);
  at.end_loans_held_in(renewed);
  at.separate(renewed);
  at.set(renewed, {is_live, {}});
}

void rules::enter(state& at, const ParmVarDecl& parameter) {
  if (parameter.getType()->isReferenceType() || !types_.owns(parameter.getType())) return;
  at.set(finder_.of(parameter), {is_live, {}});
}

void rules::initialized(state& at, const FieldDecl& field) {
  if (types_.owns(field.getType())) at.set(finder_.object().with({step::field, &field, 0}), {is_live, {}});
}

void rules::declare(state& at, const VarDecl& variable) {
  if (variable.hasGlobalStorage()) return;
  finder_.bind(variable);
  at.forget_index(variable);
  const place declared = finder_.of(variable);
  const bool is_alias = declared.variable != &variable && declared.temporary == nullptr;
  if (is_alias) return;
  at.end_loans_held_in(declared);
  const QualType type = variable.getType();
  if (type->isReferenceType() || !types_.owns(type)) {
    at.forget(declared);
  } else {
    at.separate(declared);
    at.set(declared, {is_live, {}});
    const auto* made = dyn_cast_or_null<CXXConstructExpr>(place_finder::strip(variable.getInit()));
    if (types_.holds_what_must_run(type) && made != nullptr && made->getConstructor()->isDefaultConstructor()) {
      at.set(declared.with({step::contents, nullptr, 0}), {is_gone, {}});
    }
    if (variable.hasInit() && types_.is_owner(type)) remember_owners(at, declared, variable.getInit());
  }
  if (variable.hasInit()) hold(at, declared, type, variable.getInit());
}

// The copy of an owner owns the same memory, and so does an op, from a kernel that was given the owner by name.
void rules::remember_owners(state& at, const place& declared, const Expr* from) {
  from = place_finder::strip(from);
  if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(from)) from = place_finder::strip(bound->getSubExpr());
  const auto remember = [&](const Expr* owner) {
    const auto named = finder_.find(owner);
    if (named && types_.is_owner(owner->getType())) at.owners_of_same.insert({declared, *named});
  };
  if (const auto* made = dyn_cast<CXXConstructExpr>(from)) {
    if (made->getConstructor()->isCopyConstructor() && made->getNumArgs() == 1) remember(made->getArg(0));
    return;
  }
  const auto* call = dyn_cast<CallExpr>(from);
  const FunctionDecl* function = call != nullptr ? call->getDirectCallee() : nullptr;
  if (function == nullptr || !types_.must_run(call->getType())) return;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
    return remember_owners(at, declared, member->getImplicitObjectArgument());
  }
  const unsigned first = isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(function) ? 1 : 0;
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    if (call->getArg(i)->isLValue() && is_forwarding(*function, i - first)) remember(call->getArg(i));
  }
}

void rules::require_sole_owner(const state& at, const place& used, SourceLocation where) {
  if (!writes_about(at, used) || at.of(used).bits != is_live) return;
  for (const auto& [one, other] : at.owners_of_same) {
    if (one != used && other != used) continue;
    const place& rival = one == used ? other : one;
    if (at.of(rival).bits == is_live) out_.shared(where, used.name(), rival.name());
  }
}

void rules::temporary(state& at, const CXXBindTemporaryExpr& made) {
  if (!ending_.contains(&made)) return;
  const place itself{nullptr, &made, {}};
  at.end_loans_held_in(itself);
  if (types_.owns(made.getType())) {
    at.set(itself, {is_live, {}});
  } else {
    at.forget(itself);
  }
  if (types_.is_loan(made.getType())) hold(at, itself, made.getType(), made.getSubExpr());
}

// ---- Arguments -----------------------------------------------------------------------------------------------------
void rules::lvalue_argument(state& at, const Expr* given, const place& named, const FunctionDecl* function,
                            unsigned position) {
  const QualType type = given->getType();
  const SourceLocation where = given->getExprLoc();
  const bool is_owner = types_.is_owner(type);
  if (function != nullptr && is_forwarding(*function, position)) {
    if (is_owner) use(at, named, where);
    return;
  }
  const bool is_kept =
      function != nullptr && position < function->getNumParams() && keeps(*function->getParamDecl(position));
  if (is_owner && (is_kept || is_std(function, {"swap", "exchange"}))) {
    use(at, named, where);
    at.set(named, {is_live, {}});
    return;
  }
  at.forget(named);  // it may be given away or made anew there
}

void rules::closure(state& at, const Expr* given, bool is_stored) {
  const CXXRecordDecl* record = given->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->isLambda()) return;
  for (const LambdaCapture& each : record->captures()) {
    if (each.capturesThis()) at.forget(finder_.object());
    if (!each.capturesVariable() || each.getCaptureKind() != LCK_ByRef) continue;
    const place captured = finder_.of(*each.getCapturedVar());
    at.forget(captured);
    if (is_stored) at.escaped.insert(captured.variable);
  }
}

void rules::argument(state& at, const Expr* given, QualType parameter, const FunctionDecl* function,
                     unsigned position) {
  const QualType type = given->getType();
  if (parameter->isPointerType()) {
    const auto* address = dyn_cast<UnaryOperator>(place_finder::strip(given));
    if (address == nullptr || address->getOpcode() != UO_AddrOf || parameter->getPointeeType().isConstQualified())
      return;
    if (const auto named = finder_.find(address->getSubExpr())) at.forget(*named);
    return;
  }
  if (!parameter->isReferenceType()) {  // making the parameter was a step of its own; it is the function's to spend
    const Expr* made = place_finder::strip(given);
    if (isa<CXXBindTemporaryExpr>(made)) at.set({nullptr, made, {}}, {is_gone, given->getExprLoc()});
    return;
  }
  const std::vector<place> named = finder_.find_all(given);
  for (const place& each : named) {
    if (parameter->isRValueReferenceType()) {
      const bool is_spent_loan = types_.is_loan(type) && type.isDestructedType() == QualType::DK_cxx_destructor;
      if (types_.owns(type) || is_spent_loan) give(at, each, type, given->getExprLoc(), named.size() == 1);
    } else if (!parameter->getPointeeType().isConstQualified()) {
      lvalue_argument(at, given, each, function, position);
    } else if (types_.is_owner(type)) {
      use(at, each, given->getExprLoc());
      if (types_.is_settled_by_a_look(type)) settle(at, each);
    } else {
      look_inside(at, each);
    }
  }
}

void rules::construct(state& at, const CXXConstructExpr& made) {
  const CXXConstructorDecl* constructor = made.getConstructor();
  for (unsigned i = 0; i < made.getNumArgs() && i < constructor->getNumParams(); ++i) {
    const Expr* given = made.getArg(i);
    const bool is_own_copy = constructor->getParent()->isLambda();
    if (!is_own_copy) called_closure(at, given, constructor, i);
    argument(at, given, constructor->getParamDecl(i)->getType(), constructor, i);
    if (!is_own_copy) closure(at, given, true);
  }
  if (!made.isListInitialization()) require_order(at, llvm::ArrayRef(made.getArgs(), made.getNumArgs()));
}

// What a call stores in its object: loans of an argument that the parameter says it keeps, or of a new object.
void rules::keep_loans(state& at, const CallExpr& call, const Expr* given, const ParmVarDecl& parameter) {
  const auto* member = dyn_cast<CXXMemberCallExpr>(&call);
  const bool is_new = isa<CXXNewExpr>(place_finder::strip(given));
  if (member == nullptr || !(is_new || is_held_by_object(parameter))) return;
  for (const place& object : finder_.find_object(*member)) {
    if (is_new) at.end_loans_held_in(object);  // reset(new ...)
    hold(at, object, given->getType(), given);
  }
}

// ---- Calls ---------------------------------------------------------------------------------------------------------
void rules::member_call(state& at, const CallExpr& call, const CXXMethodDecl& method, const std::vector<place>& objects,
                        QualType type) {
  const SourceLocation where = call.getExprLoc();
  for (const place& object : objects) {
    if (types_.is_owner(type)) {
      use(at, object, where);
      if (!types_.is_loan(type)) lend_or_read(at, object, method, where);
      if (needs_sole_owner(method)) require_sole_owner(at, object, where);
      if (spends(method)) give(at, object, type, where, objects.size() == 1);
      if (settles(method)) settle(at, object);
      continue;
    }
    const auto held = is_in_std(method) ? container_call(at, object, type, method, where) : std::nullopt;
    if (spends(method)) {
      if (!looks_at_elements(method)) at.forget(object);
    } else if (adds_elements(method)) {
      if ((at.of(object).bits & is_gone) != 0) at.forget(object);
    } else if (!method.isConst() && !method.isStatic() && !looks_at_elements(method)) {
      at.forget(object);
    }
    if (held) at.set(object.with({step::contents, nullptr, 0}), *held);
  }
}

void rules::assign_call(state& at, const CXXOperatorCallExpr& call) {
  const Expr* left = place_finder::strip(call.getArg(0));
  const auto* tied = dyn_cast<CallExpr>(left);
  if (tied != nullptr && is_std(tied->getDirectCallee(), {"tie"})) {
    for (const Expr* each : tied->arguments()) {
      const auto named = finder_.find(each);
      if (named) renew(at, *named, each->getType(), each->getExprLoc());
    }
    return;
  }
  for (const place& each : finder_.find_all(left)) {
    if (types_.owns(left->getType())) {
      const place contents = each.with({step::contents, nullptr, 0});
      drop_contents(at, each, left->getType(), call.getExprLoc());
      const bool is_known = at.entry(contents).has_value();
      renew(at, each, left->getType(), call.getExprLoc());
      const bool fills = types_.holds_what_must_run(left->getType()) && types_.must_run(call.getArg(1)->getType());
      if (fills && is_known) at.set(contents, {is_live, call.getExprLoc()});
    } else {
      at.end_loans_held_in(each);
      at.forget(each);
    }
    hold(at, each, left->getType(), call.getArg(1));
  }
}

std::vector<place> rules::objects_of(const CallExpr& call) const {
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(&call)) return finder_.find_object(*member);
  return isa<CXXOperatorCallExpr>(call) ? finder_.find_all(call.getArg(0)) : std::vector<place>{};
}

void rules::call(state& at, const CallExpr& call) {
  const FunctionDecl* function = call.getDirectCallee();
  if (place_finder::passes_on(function) || is_pack_of_references(function) || is_getter(function)) return;
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(function);
  const auto* written = dyn_cast<CXXOperatorCallExpr>(&call);
  const unsigned first = written != nullptr && method != nullptr ? 1 : 0;
  const auto* type = call.getCallee()->getType()->getPointeeOrArrayElementType()->getAs<FunctionProtoType>();
  const auto given = llvm::ArrayRef(call.getArgs(), call.getNumArgs()).drop_front(first);
  if (written == nullptr || written->getOperator() == OO_Call) require_order(at, given);
  auto inner = function != nullptr ? inside(at, *function, objects_of(call), given) : std::nullopt;

  for (unsigned i = 0; i < given.size(); ++i) {
    const ParmVarDecl* declared =
        function != nullptr && i < function->getNumParams() ? function->getParamDecl(i) : nullptr;
    if (inner && inner->is_bound(i)) continue;
    bool is_followed = inner.has_value();
    if (declared != nullptr) {
      keep_loans(at, call, given[i], *declared);
      is_followed |= called_closure(at, given[i], function, i);
      argument(at, given[i], declared->getType(), function, i);
    } else if (function == nullptr && type != nullptr && i < type->getNumParams()) {
      argument(at, given[i], type->getParamType(i), function, i);
    }
    if (!is_followed) closure(at, given[i], false);
  }
  if (inner) {
    go_through(at, *inner, call.getExprLoc());
  } else if (written != nullptr && written->isAssignmentOp() && written->getOperator() == OO_Equal) {
    assign_call(at, *written);
  } else if (const auto* member = dyn_cast<CXXMemberCallExpr>(&call); member != nullptr && method != nullptr) {
    QualType object = member->getImplicitObjectArgument()->getType();
    if (object->isPointerType()) object = object->getPointeeType();
    member_call(at, call, *method, objects_of(call), object);
  } else if (first == 1) {
    closure(at, call.getArg(0), false);
    member_call(at, call, *method, objects_of(call), call.getArg(0)->getType());
  }
}

// ---- Everything else -----------------------------------------------------------------------------------------------
void rules::plain_operator(state& at, const BinaryOperator& written) {
  if (!written.isAssignmentOp()) return;
  const auto left = finder_.find(written.getLHS());
  if (!left) return;
  if (left->steps.empty() && left->variable != nullptr) at.forget_index(*left->variable);
  if (!left->steps.empty() || written.getLHS()->getType()->isPointerType()) {
    at.end_loans_held_in(*left);
    at.forget(*left);
    hold(at, *left, written.getLHS()->getType(), written.getRHS());
  }
}

void rules::named(state& at, const DeclRefExpr& name) {
  if (!writes_ || assigned_.contains(&name)) return;
  const auto view = finder_.find(&name);
  if (!view) return;
  const status known = at.of(*view);
  if (known.is_view_of_the_gone && writes_about(at, *view))
    out_.stale_view(name.getExprLoc(), view->name(), known.where);
}

void rules::statement(state& at, const Stmt* statement) {
  if (const auto* declared = dyn_cast<DeclStmt>(statement)) {
    for (const Decl* each : declared->decls()) {
      if (const auto* variable = dyn_cast<VarDecl>(each)) declare(at, *variable);
    }
  } else if (const auto* made = dyn_cast<CXXConstructExpr>(statement)) {
    construct(at, *made);
  } else if (const auto* written = dyn_cast<CallExpr>(statement)) {
    call(at, *written);
  } else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(statement)) {
    temporary(at, *bound);
  } else if (const auto* binary = dyn_cast<BinaryOperator>(statement)) {
    plain_operator(at, *binary);
  } else if (const auto* address = dyn_cast<UnaryOperator>(statement); address && address->getOpcode() == UO_AddrOf) {
    if (const auto pointed = finder_.find(address->getSubExpr())) look_inside(at, *pointed);
  } else if (const auto* unary = dyn_cast<UnaryOperator>(statement); unary && unary->isIncrementDecrementOp()) {
    const auto changed = finder_.find(unary->getSubExpr());
    if (!changed) return;
    if (changed->steps.empty() && changed->variable != nullptr) at.forget_index(*changed->variable);
    at.forget(*changed);
  } else if (const auto* ended = dyn_cast<CXXDeleteExpr>(statement)) {
    deleted(at, *ended);
  } else if (const auto* given = dyn_cast<ReturnStmt>(statement)) {
    returned(at, *given);
  } else if (const auto* name = dyn_cast<DeclRefExpr>(statement)) {
    named(at, *name);
  }
}

}  // namespace twcheck
