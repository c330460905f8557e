// SPDX-License-Identifier: Apache-2.0
#include "places.hpp"

#include "annotations.hpp"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace twcheck {

namespace {

std::string step_name(const step& each, bool is_last_of_pointer) {
  switch (each.kind) {
    case step::field:
      return (is_last_of_pointer ? "->" : ".") + each.declaration->getNameAsString();
    case step::element:
      return "[" + std::to_string(each.index) + "]";
    case step::element_at:
      return "[" + each.declaration->getNameAsString() + "]";
    case step::pointee:
    case step::contents:
      break;
  }
  return "";
}

// The name that a structured binding gives to a member or element.
std::string binding_name(const DecompositionDecl& whole, const step& part) {
  std::int64_t index = 0;
  for (const BindingDecl* each : whole.bindings()) {
    const auto* member = dyn_cast_or_null<MemberExpr>(place_finder::strip(each->getBinding()));
    const bool is_it = part.kind == step::field ? member != nullptr && member->getMemberDecl() == part.declaration
                                                : index == part.index;
    if (is_it) return each->getNameAsString();
    ++index;
  }
  return "what is bound";
}

}  // namespace

// ---- Places --------------------------------------------------------------------------------------------------------
bool place::is_inside(const place& outer) const {
  return variable == outer.variable && temporary == outer.temporary && steps.size() >= outer.steps.size() &&
         std::equal(outer.steps.begin(), outer.steps.end(), steps.begin());
}

bool place::is_part_of(const place& outer) const {
  return is_inside(outer) && std::none_of(steps.begin() + static_cast<std::ptrdiff_t>(outer.steps.size()), steps.end(),
                                          [](const step& each) { return each.kind == step::pointee; });
}

place place::with(step next) const {
  place result = *this;
  result.steps.push_back(next);
  return result;
}

std::string place::name() const {
  std::string text = variable != nullptr ? variable->getNameAsString() : temporary != nullptr ? "a temporary" : "";
  auto rest = steps.begin();
  if (const auto* whole = dyn_cast_or_null<DecompositionDecl>(variable)) {
    text = rest == steps.end() ? "what is bound" : binding_name(*whole, *rest++);
  }
  bool was_pointee = false;
  for (const step& each : llvm::make_range(rest, steps.end())) {
    if (was_pointee && each.kind != step::field) text = "(*" + text + ")";
    text += step_name(each, was_pointee);
    was_pointee = each.kind == step::pointee;
  }
  if (was_pointee) text = "*" + text;
  if (!text.empty() && text.front() == '.') text.erase(0, 1);  // a member of *this
  return text.empty() ? "*this" : text;
}

// ---- Finding them --------------------------------------------------------------------------------------------------
bool place_finder::passes_on(const FunctionDecl* function) {
  return is_std(function, {"move", "forward", "as_const", "move_if_noexcept"}) && function->getNumParams() == 1;
}

const Expr* place_finder::strip(const Expr* expression) {
  while (expression != nullptr) {
    const Expr* before = expression;
    expression = expression->IgnoreParenImpCasts();
    if (const auto* full = dyn_cast<FullExpr>(expression)) expression = full->getSubExpr();
    if (const auto* made = dyn_cast<MaterializeTemporaryExpr>(expression)) expression = made->getSubExpr();
    if (const auto* cast = dyn_cast<ExplicitCastExpr>(expression); cast != nullptr && cast->isGLValue()) {
      expression = cast->getSubExpr();
    }
    if (const auto* call = dyn_cast<CallExpr>(expression); call != nullptr && passes_on(call->getDirectCallee())) {
      expression = call->getArg(0);
    }
    if (expression == before) break;
  }
  return expression;
}

place place_finder::of(const ValueDecl& variable) const {
  if (const auto found = bound_.find(&variable); found != bound_.end()) return found->second;
  const auto* binding = dyn_cast<BindingDecl>(&variable);
  if (binding == nullptr) return {&variable, nullptr, {}};
  const auto* whole = cast<DecompositionDecl>(binding->getDecomposedDecl());
  if (const auto* member = dyn_cast_or_null<MemberExpr>(strip(binding->getBinding()))) {
    return of(*whole).with({step::field, member->getMemberDecl(), 0});
  }
  const auto all = whole->bindings();
  const auto position = std::find(all.begin(), all.end(), binding) - all.begin();
  return of(*whole).with({step::element, nullptr, position});
}

void place_finder::bind(const VarDecl& variable) {
  if (!variable.hasInit()) return;
  if (variable.getType()->isReferenceType()) {
    const auto named = find(variable.getInit());
    if (named && named->variable != &variable) bound_.insert_or_assign(&variable, *named);
  } else if (variable.getType()->isPointerType() && !reassigned_.contains(&variable)) {
    const auto* address = dyn_cast<UnaryOperator>(strip(variable.getInit()));
    if (address == nullptr || address->getOpcode() != UO_AddrOf) return;
    if (const auto named = find(address->getSubExpr())) pointed_.insert_or_assign(&variable, *named);
  }
}

std::optional<place> place_finder::pointee(const Expr* pointer) const {
  pointer = strip(pointer);
  if (const auto* address = dyn_cast<UnaryOperator>(pointer); address && address->getOpcode() == UO_AddrOf) {
    return find(address->getSubExpr());
  }
  const auto named = find(pointer);
  if (!named) return std::nullopt;
  if (isa<CXXThisExpr>(pointer)) return named;
  if (named->steps.empty() && named->variable != nullptr) {
    if (const auto found = pointed_.find(named->variable); found != pointed_.end()) return found->second;
  }
  return named->with({step::pointee, nullptr, 0});
}

std::optional<place> place_finder::find_element(const Expr* container, const Expr* index) const {
  const auto whole = find(container);
  if (!whole || index->isValueDependent()) return std::nullopt;
  Expr::EvalResult value;
  if (index->EvaluateAsInt(value, context_)) {
    return whole->with({step::element, nullptr, value.Val.getInt().getExtValue()});
  }
  const auto* name = dyn_cast<DeclRefExpr>(strip(index));
  if (name == nullptr || !name->getType()->isIntegralOrEnumerationType()) return std::nullopt;
  return whole->with({step::element_at, name->getDecl(), 0});
}

std::optional<place> place_finder::first_element(const Expr* container) const {
  const auto whole = find(container);
  return whole ? std::optional(whole->with({step::element, nullptr, 0})) : std::nullopt;
}

std::optional<place> place_finder::find_call(const CallExpr& call) const {
  const FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr) return std::nullopt;
  if (const auto* written = dyn_cast<CXXOperatorCallExpr>(&call)) {
    switch (written->getOperator()) {
      case OO_Arrow:
        return find(call.getArg(0));  // the member behind it adds the step
      case OO_Star:
        return call.getNumArgs() == 1 ? pointee(call.getArg(0)) : std::nullopt;
      case OO_Subscript:
        return call.getNumArgs() == 2 ? find_element(call.getArg(0), call.getArg(1)) : std::nullopt;
      default:
        return std::nullopt;
    }
  }
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(&call)) {
    const Expr* object = member->getImplicitObjectArgument();
    if (is_std(function, {"value"})) return pointee(object);
    if (is_std(function, {"get"}) && call.getNumArgs() == 0) return find(object);  // of a pointer that owns
    if (is_std(function, {"front"})) return first_element(object);
    if (is_std(function, {"at"}) && call.getNumArgs() == 1) return find_element(object, call.getArg(0));
    return std::nullopt;
  }
  if (is_std(function, {"get"}) && call.getNumArgs() == 1) {
    const TemplateArgumentList* arguments = function->getTemplateSpecializationArgs();
    if (arguments == nullptr || arguments->get(0).getKind() != TemplateArgument::Integral) return std::nullopt;
    const auto whole = find(call.getArg(0));
    if (!whole) return std::nullopt;
    return whole->with({step::element, nullptr, arguments->get(0).getAsIntegral().getExtValue()});
  }
  return std::nullopt;
}

std::optional<place> place_finder::find(const Expr* expression) const {
  expression = strip(expression);
  if (expression == nullptr) return std::nullopt;
  if (isa<CXXThisExpr>(expression)) return object_;
  if (isa<CXXBindTemporaryExpr>(expression)) return place{nullptr, expression, {}};
  if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
    const ValueDecl* declaration = name->getDecl();
    if (const auto* variable = dyn_cast<VarDecl>(declaration)) {
      if (variable->hasGlobalStorage()) return std::nullopt;  // anybody may change it
      return of(*variable);
    }
    return isa<BindingDecl>(declaration) ? std::optional(of(*declaration)) : std::nullopt;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (field == nullptr) return std::nullopt;
    const auto object = member->isArrow() ? pointee(member->getBase()) : find(member->getBase());
    return object ? std::optional(object->with({step::field, field, 0})) : std::nullopt;
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(expression); unary && unary->getOpcode() == UO_Deref) {
    return pointee(unary->getSubExpr());
  }
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(expression)) {
    return find_element(element->getBase(), element->getIdx());
  }
  const auto* call = dyn_cast<CallExpr>(expression);
  return call != nullptr ? find_call(*call) : std::nullopt;
}

std::vector<place> place_finder::find_object(const CXXMemberCallExpr& call) const {
  const Expr* object = call.getImplicitObjectArgument();
  if (!object->getType()->isPointerType()) return find_all(object);
  const auto named = pointee(object);
  return named ? std::vector{*named} : std::vector<place>{};
}

std::vector<place> place_finder::find_all(const Expr* expression) const {
  expression = strip(expression);
  if (const auto* choice = dyn_cast_or_null<ConditionalOperator>(expression)) {
    std::vector<place> result = find_all(choice->getTrueExpr());
    for (place& each : find_all(choice->getFalseExpr())) result.push_back(std::move(each));
    return result;
  }
  const auto named = find(expression);
  return named ? std::vector{*named} : std::vector<place>{};
}

}  // namespace twcheck
