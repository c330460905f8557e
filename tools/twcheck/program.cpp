// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace twcheck {

namespace {
constexpr unsigned most_blocks = 64;  // of a function that is followed
}

bool mentions_owner(const Stmt* statement, types& known) {
  if (statement == nullptr) return false;
  if (const auto* expression = dyn_cast<Expr>(statement); expression && known.owns(expression->getType())) return true;
  return llvm::any_of(statement->children(), [&](const Stmt* child) { return mentions_owner(child, known); });
}

const CFG* program::graph_of(const FunctionDecl& function) {
  const auto [found, is_new] = graphs_.try_emplace(&function);
  if (is_new) {
    CFG::BuildOptions wanted;
    wanted.setAllAlwaysAdd();
    wanted.AddEHEdges = true;
    wanted.AddImplicitDtors = true;
    wanted.AddInitializers = true;
    wanted.AddTemporaryDtors = true;
    found->second = CFG::buildCFG(&function, function.getBody(), &context, wanted);
  }
  return found->second.get();
}

bool program::can_be_followed(const FunctionDecl& function) {
  if (function.isDependentContext() || function.isDefaulted() || isa<CXXConstructorDecl, CXXDestructorDecl>(function)) {
    return false;
  }
  if (isa<CoroutineBodyStmt>(function.getBody()) || known.is_own_business(function)) return false;
  if (context.getSourceManager().isInSystemHeader(function.getLocation())) return false;
  const auto* method = dyn_cast<CXXMethodDecl>(&function);
  if (method != nullptr && method->isVirtual()) return false;
  const CFG* graph = graph_of(function);
  return graph != nullptr && graph->getNumBlockIDs() <= most_blocks;
}

const FunctionDecl* program::body_of(const FunctionDecl& called) {
  const FunctionDecl* body = nullptr;
  if (!called.hasBody(body)) return nullptr;
  const auto [found, is_new] = followed_.try_emplace(body, false);
  if (is_new) found->second = can_be_followed(*body);
  return followed_[body] ? body : nullptr;
}

}  // namespace twcheck
