// SPDX-License-Identifier: Apache-2.0
#include "annotations.hpp"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Analysis/Analyses/LifetimeSafety/LifetimeAnnotations.h"

using namespace clang;

namespace twcheck {

namespace {

// An instance of a class template that is not complete yet has no attributes of its own.
template <class Found>
bool any_form(QualType type, Found found) {
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr) return false;
  if (found(*record)) return true;
  const auto* instance = dyn_cast<ClassTemplateSpecializationDecl>(record);
  return instance != nullptr && found(*instance->getSpecializedTemplate()->getTemplatedDecl());
}

bool says(const Decl& declaration, StringRef text) {
  return llvm::any_of(declaration.specific_attrs<AnnotateAttr>(),
                      [&](const AnnotateAttr* attribute) { return attribute->getAnnotation() == text; });
}

bool is_annotated(QualType type, StringRef text) {
  return any_form(type, [&](const CXXRecordDecl& record) { return says(record, text); });
}

// Attributes of a member that is defined outside its class stand at its first declaration.
template <class Attribute>
const Attribute* attribute_of(const CXXMethodDecl& method) {
  for (const FunctionDecl* each : method.redecls()) {
    if (const auto* found = each->getAttr<Attribute>()) return found;
  }
  return nullptr;
}

// Is a capability of the kind that readers hold together?
bool is_for_readers(const Expr* capability) {
  const CXXRecordDecl* kind = capability->getType()->getAsCXXRecordDecl();
  return kind != nullptr && kind->hasAttr<ReentrantCapabilityAttr>();
}

}  // namespace

bool types::is_owner(QualType type) {
  return any_form(type, [](const CXXRecordDecl& record) { return record.hasAttr<ConsumableAttr>(); }) ||
         is_annotated(type, "tilewright::owner") || must_run(type);
}

bool types::must_run(QualType type) { return is_annotated(type, "tilewright::must_run"); }

bool types::is_loan(QualType type) {
  return is_annotated(type, "tilewright::loan") || any_form(type, [](const CXXRecordDecl& record) {
           return record.hasAttr<ScopedLockableAttr>() || record.hasAttr<PointerAttr>();
         });
}

bool types::search(QualType type, bool through_arguments, int depth) {
  type = type.getNonReferenceType();
  if (is_owner(type)) return true;
  if (const ArrayType* array = type->getAsArrayTypeUnsafe()) {
    return search(array->getElementType(), through_arguments, depth);
  }
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || depth > 12) return false;
  auto& known = through_arguments ? any_ : direct_;
  const Type* key = type->getCanonicalTypeInternal().getTypePtr();
  if (const auto found = known.find(key); found != known.end()) return found->second;
  known[key] = false;  // ends recursive types
  bool result = false;
  if (const CXXRecordDecl* definition = record->getDefinition()) {
    for (const FieldDecl* field : definition->fields()) {
      result |= !field->getType()->isReferenceType() && search(field->getType(), through_arguments, depth + 1);
    }
    for (const CXXBaseSpecifier& base : definition->bases()) {
      result |= search(base.getType(), through_arguments, depth + 1);
    }
  }
  if (const auto* instance = dyn_cast<ClassTemplateSpecializationDecl>(record);
      instance != nullptr && through_arguments && !result && is_in_std(*instance)) {
    for (const TemplateArgument& argument : instance->getTemplateArgs().asArray()) {
      result |= argument.getKind() == TemplateArgument::Type && search(argument.getAsType(), true, depth + 1);
    }
  }
  known[key] = result;
  return result;
}

bool types::owns_directly(QualType type) { return search(type, false, 0); }
bool types::owns(QualType type) { return search(type, true, 0); }

bool types::is_settled_by_a_look(QualType type) {
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->hasDefinition() &&
         llvm::any_of(record->methods(), [](const CXXMethodDecl* each) { return each->isConst() && settles(*each); });
}

bool types::holds_what_must_run(QualType type) {
  const auto* instance = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (instance == nullptr || !is_in_std(*instance)) return false;
  return llvm::any_of(instance->getTemplateArgs().asArray(), [&](const TemplateArgument& each) {
    return each.getKind() == TemplateArgument::Type &&
           (must_run(each.getAsType()) || holds_what_must_run(each.getAsType()));
  });
}

bool types::is_own_business(const FunctionDecl& function) {
  const auto is_theirs = [&](const DeclContext* parent) {
    const auto* record = dyn_cast<CXXRecordDecl>(parent);
    if (record == nullptr || record->isDependentContext()) return false;
    const QualType type = record->getASTContext().getCanonicalTagType(record);
    return is_owner(type) || is_loan(type);
  };
  return is_theirs(function.getDeclContext()) || is_theirs(function.getLexicalDeclContext());
}

StringRef types::advice(QualType type) {
  StringRef text;
  any_form(type, [&](const CXXRecordDecl& record) {
    const auto* attribute = record.getAttr<WarnUnusedResultAttr>();
    if (attribute != nullptr) text = attribute->getMessage();
    return !text.empty();
  });
  return text;
}

StringRef types::advice_of_elements(QualType container) {
  const auto* instance = dyn_cast_or_null<ClassTemplateSpecializationDecl>(container->getAsCXXRecordDecl());
  if (instance == nullptr) return {};
  for (const TemplateArgument& each : instance->getTemplateArgs().asArray()) {
    if (each.getKind() != TemplateArgument::Type) continue;
    const StringRef text = must_run(each.getAsType()) ? advice(each.getAsType()) : advice_of_elements(each.getAsType());
    if (!text.empty()) return text;
  }
  return {};
}

bool spends(const CXXMethodDecl& method) { return method.getRefQualifier() == RQ_RValue; }

bool settles(const CXXMethodDecl& method) {
  const auto* after = attribute_of<SetTypestateAttr>(method);
  return after != nullptr && after->getNewState() == SetTypestateAttr::Consumed && !spends(method);
}

std::optional<loan_kind> lends(const CXXMethodDecl& method) {
  const bool gives_object = method.getReturnType()->isRecordType();
  if (!gives_object || !lifetimes::implicitObjectParamIsLifetimeBound(&method)) return std::nullopt;
  const auto* capability = attribute_of<AcquireCapabilityAttr>(method);
  if (capability == nullptr) return loan_kind::part;
  return capability->isShared() ? loan_kind::reader : loan_kind::writer;
}

bool excludes(const CXXMethodDecl& method, loan_kind lent) {
  if (lent == loan_kind::part) return false;
  if (lent == loan_kind::writer && attribute_of<AcquireCapabilityAttr>(method) != nullptr) return true;
  const auto* excluded = attribute_of<LocksExcludedAttr>(method);
  return excluded != nullptr && llvm::any_of(excluded->args(), [&](const Expr* capability) {
           return is_for_readers(capability) == (lent == loan_kind::reader);
         });
}

bool borrows_through(const ParmVarDecl& parameter) { return parameter.hasAttr<LifetimeBoundAttr>(); }

bool is_held_by_object(const ParmVarDecl& parameter) { return says(parameter, "tilewright::held"); }
bool needs_sole_owner(const CXXMethodDecl& method) { return says(method, "tilewright::sole_owner"); }

bool is_called(const ParmVarDecl& parameter) { return says(parameter, "tilewright::called"); }

bool keeps(const ParmVarDecl& parameter) { return parameter.hasAttr<ReturnTypestateAttr>(); }

bool is_forwarding(const FunctionDecl& function, unsigned i) {
  const FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  if (pattern == nullptr) return false;
  const unsigned declared = pattern->getNumParams();
  if (declared == 0) return false;
  QualType type = pattern->getParamDecl(std::min(i, declared - 1))->getType();  // the last one may be a pack
  if (const auto* pack = type->getAs<PackExpansionType>()) type = pack->getPattern();
  const auto* reference = type->getAs<RValueReferenceType>();
  return reference != nullptr && reference->getPointeeType()->isTemplateTypeParmType() &&
         !reference->getPointeeType().isConstQualified();
}

bool is_in_std(const Decl& declaration) {
  return declaration.getDeclContext()->getEnclosingNamespaceContext()->isStdNamespace();
}

bool is_std(const FunctionDecl* function, ArrayRef<StringRef> names) {
  return function != nullptr && is_in_std(*function) && function->getIdentifier() != nullptr &&
         llvm::is_contained(names, function->getName());
}

}  // namespace twcheck
