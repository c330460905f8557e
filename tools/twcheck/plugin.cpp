// SPDX-License-Identifier: Apache-2.0
// twcheck, a plugin of clang 22: ownership and loans of tensors, launches and whatever else the headers annotate,
// followed through every function of a translation unit. See docs/twcheck.md.
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "flow.hpp"

using namespace clang;

namespace twcheck {

namespace {

class functions : public DynamicRecursiveASTVisitor {
 public:
  functions(ASTContext& context, messages& out) : context_(context), out_(out) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitFunctionDecl(FunctionDecl* function) override {
    check(function);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr* lambda) override {
    CXXMethodDecl* body = lambda->getCallOperator();
    if (FunctionTemplateDecl* generic = body->getDescribedFunctionTemplate()) {
      for (FunctionDecl* each : generic->specializations()) check(each);
    } else {
      check(body);
    }
    return true;
  }

 private:
  // Owners and loans handle spent objects on purpose.
  bool is_own_business(const DeclContext* parent) {
    const auto* record = dyn_cast<CXXRecordDecl>(parent);
    if (record == nullptr || record->isDependentContext()) return false;
    const QualType type = context_.getCanonicalTagType(record);
    return types_.is_owner(type) || types_.is_loan(type);
  }

  void check(const FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext() || function->isDefaulted()) return;
    if (context_.getSourceManager().isInSystemHeader(function->getLocation())) return;
    if (is_own_business(function->getDeclContext()) || is_own_business(function->getLexicalDeclContext())) return;
    if (done_.insert(function).second) check_function(*function, context_, types_, out_);
  }

  ASTContext& context_;
  messages& out_;
  types types_;
  std::set<const FunctionDecl*> done_;
};

class consumer : public ASTConsumer {
 public:
  consumer(DiagnosticsEngine& engine, const options& chosen) : engine_(engine), options_(chosen) {}
  void HandleTranslationUnit(ASTContext& context) override {
    if (engine_.hasUncompilableErrorOccurred()) return;  // the tree has holes
    messages out(engine_, options_);
    functions(context, out).TraverseDecl(context.getTranslationUnitDecl());
  }

 private:
  DiagnosticsEngine& engine_;
  options options_;
};

class action : public PluginASTAction {
 public:
  bool ParseArgs(const CompilerInstance& compiler, const std::vector<std::string>& arguments) override {
    for (const std::string& each : arguments) {
      const bool is_off = each.starts_with("no-") && messages::is_rule(StringRef(each).drop_front(3));
      if (is_off) {
        options_.off.insert(each.substr(3));
      } else if (each == "warn") {
        options_.warn = true;
      } else {
        DiagnosticsEngine& engine = compiler.getDiagnostics();
        engine.Report(engine.getCustomDiagID(DiagnosticsEngine::Error, "twcheck: unknown argument '%0'")) << each;
        return false;
      }
    }
    return true;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    // This sees all that -Wconsumed does, without its false alarms.
    compiler.getDiagnostics().setSeverityForGroup(diag::Flavor::WarningOrError, "consumed", diag::Severity::Ignored);
    return std::make_unique<consumer>(compiler.getDiagnostics(), options_);
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

 private:
  options options_;
};

const FrontendPluginRegistry::Add<action> registered("twcheck", "ownership and loans of tensors and launches");

}  // namespace

}  // namespace twcheck
