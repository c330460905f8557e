// SPDX-License-Identifier: Apache-2.0
// Calls of functions and closures whose bodies are there: what they do to the places of their caller. What a body does
// on some of its paths only is not known afterwards, and uses are mistakes only where every path comes by.
#include "flow.hpp"

using namespace clang;

namespace twcheck {

namespace {

constexpr std::size_t deepest = 3;

const CXXRecordDecl* closure_type(QualType type) {
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->isLambda() ? record : nullptr;
}

// Functions of the library that call what they are given, and go on only when it is done or on another thread.
bool calls_its_arguments(const FunctionDecl& function) {
  if (const auto* made = dyn_cast<CXXConstructorDecl>(&function)) {
    const CXXRecordDecl* type = made->getParent();
    return is_in_std(*type) && (type->getName() == "thread" || type->getName() == "jthread");
  }
  return is_std(&function, {"apply", "async", "call_once", "invoke"});
}

// Where a condition that the caller does not see decides, it may know the outcome by other ways.
bool tells_nothing_else(const FunctionDecl& function) {
  return function.getReturnType()->isVoidType() && function.getNumParams() == 1 && !isa<CXXMethodDecl>(function);
}

}  // namespace

bool rules::knows(const state& at, const place& named, QualType type) const {
  if (!types_.owns(type.getNonReferenceType())) return false;
  return at.knows_within(named) || at.of(named).bits != is_unknown;
}

bool rules::knows_captures(const state& at, QualType type) const {
  const CXXRecordDecl* closure = closure_type(type);
  if (closure == nullptr) return false;
  return llvm::any_of(closure->captures(), [&](const LambdaCapture& each) {
    if (!each.capturesVariable()) return each.capturesThis() && at.knows_within(finder_.object());
    const ValueDecl& variable = *each.getCapturedVar();
    return each.getCaptureKind() == LCK_ByRef && knows(at, finder_.of(variable), variable.getType());
  });
}

// ---- What the names of the body mean -------------------------------------------------------------------------------
bool rules::is_bound(unsigned parameter) const {
  const FunctionDecl& body = *callers_.back();
  return parameter < body.getNumParams() && finder_.is_bound(*body.getParamDecl(parameter));
}

// Gives whether that is known which the parameters name.
bool rules::bind_parameters(const state& at, const FunctionDecl& body, ArrayRef<const Expr*> given) {
  bool matters = false;
  for (unsigned i = 0; i < given.size() && i < body.getNumParams(); ++i) {
    const ParmVarDecl& declared = *body.getParamDecl(i);
    matters |= knows_captures(at, given[i]->getType());
    if (!declared.getType()->isLValueReferenceType()) continue;
    const auto named = finder_.find_all(given[i]);
    if (named.size() != 1) continue;
    finder_.bind_to(declared, named.front());
    matters |= knows(at, named.front(), declared.getType());
  }
  return matters;
}

bool rules::bind_captures(const state& at, const CXXRecordDecl& closure, const std::vector<place>& objects) {
  bool matters = false;
  for (const LambdaCapture& each : closure.captures()) {
    if (!each.capturesVariable()) {
      matters |= each.capturesThis() && at.knows_within(finder_.object());
      continue;
    }
    const ValueDecl& variable = *each.getCapturedVar();
    if (each.getCaptureKind() == LCK_ByCopy) {  // a member of the closure
      const place itself = objects.size() == 1 ? objects.front() : place{&variable, nullptr, {}};
      finder_.bind_to(variable, itself.with({step::field, &variable, 0}));
    }
    matters |= knows(at, finder_.of(variable), variable.getType());
  }
  return matters;
}

std::optional<rules> rules::inside(const state& at, const FunctionDecl& called, const std::vector<place>& objects,
                                   ArrayRef<const Expr*> given) const {
  if (callers_.size() == deepest) return std::nullopt;
  const FunctionDecl* body = program_.body_of(called);
  if (body == nullptr || llvm::is_contained(callers_, body)) return std::nullopt;
  if (llvm::any_of(called.parameters(), [](const ParmVarDecl* each) { return is_called(*each); })) return std::nullopt;
  rules inner = *this;
  inner.callers_.push_back(body);
  bool matters = inner.bind_parameters(at, *body, given);
  if (const auto* method = dyn_cast<CXXMethodDecl>(body); method != nullptr && method->getParent()->isLambda()) {
    const auto is_copy_of_this = [](const LambdaCapture& each) { return each.getCaptureKind() == LCK_StarThis; };
    if (llvm::any_of(method->getParent()->captures(), is_copy_of_this)) return std::nullopt;
    matters |= inner.bind_captures(at, *method->getParent(), objects);
  } else if (method != nullptr && method->isInstance()) {
    if (objects.size() != 1 || method->getRefQualifier() == RQ_RValue) return std::nullopt;
    matters |= knows(at, objects.front(), program_.context.getCanonicalTagType(method->getParent()));
    inner.finder_.set_object(objects.front());
  }
  return matters ? std::optional(std::move(inner)) : std::nullopt;
}

// ---- Through it ----------------------------------------------------------------------------------------------------
void rules::go_through(state& at, rules& inner, SourceLocation where) {
  const FunctionDecl& body = *inner.callers_.back();
  if (callers_.empty()) inner.called_ = where;
  auto after = follow(body, program_, inner, at, writes_);
  if (!after) return;
  after->come_back(at, body, tells_nothing_else(body));
  at = std::move(*after);
}

// A closure that goes into a call which runs it; true when what it does is known.
bool rules::called_closure(state& at, const Expr* given, const FunctionDecl* function, unsigned position) {
  const CXXRecordDecl* closure = closure_type(given->getType());
  if (closure == nullptr || closure->isGenericLambda()) return false;
  const bool is_now = position < function->getNumParams() && is_called(*function->getParamDecl(position));
  if (!is_now && !calls_its_arguments(*function)) return false;
  auto inner = inside(at, *closure->getLambdaCallOperator(), finder_.find_all(given), {});
  if (!inner) return false;
  state after = at;
  go_through(after, *inner, given->getExprLoc());
  if (is_now) at = std::move(after);
  return is_now;
}

}  // namespace twcheck
