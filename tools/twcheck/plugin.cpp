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
  functions(ASTContext& context, messages& out) : context_(context), program_(context, types_, out) {
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
  void check(const FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext() || function->isDefaulted()) return;
    if (context_.getSourceManager().isInSystemHeader(function->getLocation())) return;
    if (types_.is_own_business(*function)) return;
    if (done_.insert(function).second) check_function(*function, program_);
  }

  ASTContext& context_;
  types types_;
  program program_;
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
