// SPDX-License-Identifier: Apache-2.0
// What all walks through the functions of a translation unit share: their control-flow graphs, and which of them can be
// followed where they are called.
#pragma once

#include <map>
#include <memory>

#include "clang/Analysis/CFG.h"
#include "messages.hpp"
#include "state.hpp"

namespace twcheck {

class program {
 public:
  program(clang::ASTContext& unit, types& annotated, messages& told) : context(unit), known(annotated), out(told) {}

  // The body that a call of this function runs for sure; null where it is elsewhere, too big, or handles owners.
  const clang::FunctionDecl* body_of(const clang::FunctionDecl& called);
  const clang::CFG* graph_of(const clang::FunctionDecl& function);  // null where clang makes none

  clang::ASTContext& context;
  types& known;
  messages& out;

 private:
  bool can_be_followed(const clang::FunctionDecl& function);

  std::map<const clang::FunctionDecl*, std::unique_ptr<clang::CFG>> graphs_;
  std::map<const clang::FunctionDecl*, bool> followed_;
};

bool mentions_owner(const clang::Stmt* statement, types& known);

}  // namespace twcheck
