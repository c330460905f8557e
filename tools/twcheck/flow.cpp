// SPDX-License-Identifier: Apache-2.0
#include "flow.hpp"

#include <deque>

#include "clang/AST/ASTContext.h"
#include "clang/Analysis/CFG.h"

using namespace clang;

namespace twcheck {

namespace {

// Conditions that are tested again are remembered along a path: `if (c) ...; if (c) ...` is two paths, not four.
using facts = std::map<const ValueDecl*, bool>;
constexpr std::size_t most_facts = 3;

const ValueDecl* tested_variable(const Expr* condition, bool& is_negated) {
  is_negated = false;
  while (condition != nullptr) {
    condition = condition->IgnoreParenImpCasts();
    const auto* unary = dyn_cast<UnaryOperator>(condition);
    if (unary == nullptr || unary->getOpcode() != UO_LNot) break;
    is_negated = !is_negated;
    condition = unary->getSubExpr();
  }
  const auto* name = dyn_cast_or_null<DeclRefExpr>(condition);
  if (name == nullptr || !name->getType()->isBooleanType()) return nullptr;
  const auto* variable = dyn_cast<VarDecl>(name->getDecl());
  return variable != nullptr && variable->hasLocalStorage() ? variable : nullptr;
}

class walk {
 public:
  walk(const FunctionDecl& function, const CFG& graph, const ASTContext& context, types& known, messages& out)
      : function_(function), graph_(graph), rules_(context, known, out) {}

  void run() {
    survey(function_.getBody(), nullptr);
    for (const CFGBlock* block : graph_) {
      count_condition(*block);
      for (const CFGElement& each : *block) {
        if (const auto ended = each.getAs<CFGTemporaryDtor>()) rules_.expect_end(ended->getBindTemporaryExpr());
      }
    }
    state first;
    for (const ParmVarDecl* each : function_.parameters()) rules_.enter(first, *each);
    reach(graph_.getEntry(), {}, first);
    while (!waiting_.empty()) {
      const CFGBlock* block = *waiting_.begin();
      waiting_.pop_front();
      flow(*block);
    }
    rules_.write_messages();
    for (auto block = graph_.rbegin(); block != graph_.rend(); ++block) {
      for (const auto& [path, before] : before_[*block]) {
        state at = before;
        facts known = path;
        effects(**block, known, at);
        if (*block == &graph_.getExit()) {
          for (const ParmVarDecl* each : function_.parameters()) rules_.returns(at, *each);
        }
      }
    }
  }

 private:
  // Pointers that are assigned, names on the left of assignments, bools that change, and what each try block declares.
  void survey(const Stmt* statement, const Stmt* parent) {
    if (statement == nullptr) return;
    if (const auto* name = dyn_cast<DeclRefExpr>(statement)) {
      const auto* read = dyn_cast_or_null<ImplicitCastExpr>(parent);
      if (read == nullptr || read->getCastKind() != CK_LValueToRValue) changed_.insert(name->getDecl());
      const bool is_pointer = name->getType()->isPointerType();
      if (is_pointer && changed_.contains(name->getDecl())) rules_.forbid_alias(*name->getDecl());
    } else if (const auto* binary = dyn_cast<BinaryOperator>(statement); binary && binary->isAssignmentOp()) {
      rules_.skip_view(place_finder::strip(binary->getLHS()));
    } else if (const auto* call = dyn_cast<CXXOperatorCallExpr>(statement); call && call->isAssignmentOp()) {
      rules_.skip_view(place_finder::strip(call->getArg(0)));
    } else if (const auto* guarded = dyn_cast<CXXTryStmt>(statement)) {
      collect_variables(guarded->getTryBlock(), declared_in_[guarded]);
    }
    for (const Stmt* child : statement->children()) survey(child, statement);
  }

  static void collect_variables(const Stmt* statement, std::set<const ValueDecl*>& found) {
    if (statement == nullptr) return;
    if (const auto* declared = dyn_cast<DeclStmt>(statement)) {
      for (const Decl* each : declared->decls()) {
        if (const auto* variable = dyn_cast<VarDecl>(each)) found.insert(variable);
      }
    }
    for (const Stmt* child : statement->children()) collect_variables(child, found);
  }

  void count_condition(const CFGBlock& block) {
    bool is_negated = false;
    const ValueDecl* tested = tested_variable(dyn_cast_or_null<Expr>(block.getTerminatorCondition()), is_negated);
    if (tested != nullptr && block.succ_size() == 2) ++tests_[tested];
  }

  // Does the path with `known` go over this edge? Adds what the edge says.
  bool follows(const CFGBlock& block, unsigned edge, facts& known) const {
    bool is_negated = false;
    const auto* condition = dyn_cast_or_null<Expr>(block.getTerminatorCondition());
    const ValueDecl* tested = tested_variable(condition, is_negated);
    if (tested == nullptr || block.succ_size() != 2 || changed_.contains(tested)) return true;
    const bool value = (edge == 0) != is_negated;
    if (const auto found = known.find(tested); found != known.end()) return found->second == value;
    const auto count = tests_.find(tested);
    if (count != tests_.end() && count->second > 1 && known.size() < most_facts) known[tested] = value;
    return true;
  }

  void effects(const CFGBlock& block, facts& known, state& at) {
    for (const CFGElement& each : block) {
      if (const auto written = each.getAs<CFGStmt>()) {
        if (const auto* declared = dyn_cast<DeclStmt>(written->getStmt())) {
          for (const Decl* one : declared->decls()) known.erase(dyn_cast<ValueDecl>(one));
        }
        rules_.statement(at, written->getStmt());
      } else if (const auto ended = each.getAs<CFGAutomaticObjDtor>()) {
        rules_.variable_ends(at, *ended->getVarDecl());
      } else if (const auto temporary = each.getAs<CFGTemporaryDtor>()) {
        rules_.temporary_ends(at, temporary->getBindTemporaryExpr());
      } else if (const auto initializer = each.getAs<CFGInitializer>()) {
        const FieldDecl* field = initializer->getInitializer()->getAnyMember();
        if (field != nullptr) rules_.initialized(at, *field);
      }
    }
  }

  // Temporaries that were not made on this path, where their end is skipped.
  static void skip_ends(const CFGBlock& skipped, state& at) {
    for (const CFGElement& each : skipped) {
      if (const auto ended = each.getAs<CFGTemporaryDtor>()) {
        at.end_loans_held_in({nullptr, ended->getBindTemporaryExpr(), {}});
      }
    }
  }

  // An exception ends all that its try block made.
  void unwind(const CXXTryStmt& handler, state& at) const {
    const auto declared = declared_in_.find(&handler);
    const auto ends = [&](const place& each) {
      return each.temporary != nullptr ||
             (each.variable != nullptr && declared != declared_in_.end() && declared->second.contains(each.variable));
    };
    std::erase_if(at.loans, [&](const loan& each) { return ends(each.holder) || ends(each.lender); });
  }

  void flow(const CFGBlock& block) {
    const auto paths = before_[&block];
    for (const auto& [path, before] : paths) {
      state at = before;
      facts known = path;
      effects(block, known, at);
      unsigned edge = 0;
      for (const CFGBlock::AdjacentBlock& next : block.succs()) {
        leave(block, edge++, next.getReachableBlock(), known, at);
      }
    }
  }

  void leave(const CFGBlock& block, unsigned edge, const CFGBlock* next, facts known, state at) {
    if (next == nullptr || !follows(block, edge, known)) return;
    const bool is_skip = edge == 1 && block.getTerminator().isTemporaryDtorsBranch();
    if (is_skip && block.succ_begin()->getReachableBlock() != nullptr) skip_ends(**block.succ_begin(), at);
    const auto* handler = dyn_cast_or_null<CXXTryStmt>(next->getTerminatorStmt());
    const bool throws = edge > 0 && block.getTerminatorStmt() == nullptr;
    if (handler != nullptr) {
      unwind(*handler, at);
    } else if (next == &graph_.getExit() && (throws || block.hasNoReturnElement() || ends_in_throw(block))) {
      return;
    }
    reach(*next, known, at);
  }

  static bool ends_in_throw(const CFGBlock& block) {
    if (block.empty()) return false;
    const auto last = block.back().getAs<CFGStmt>();
    return last && isa<CXXThrowExpr>(last->getStmt());
  }

  void reach(const CFGBlock& block, const facts& path, const state& at) {
    auto& known = before_[&block];
    const auto [found, is_new] = known.try_emplace(path, at);
    if (!is_new && !found->second.join(at)) return;
    if (std::find(waiting_.begin(), waiting_.end(), &block) == waiting_.end()) waiting_.push_back(&block);
  }

  const FunctionDecl& function_;
  const CFG& graph_;
  rules rules_;
  std::map<const CFGBlock*, std::map<facts, state>> before_;
  std::deque<const CFGBlock*> waiting_;
  std::set<const ValueDecl*> changed_;
  std::map<const ValueDecl*, int> tests_;
  std::map<const CXXTryStmt*, std::set<const ValueDecl*>> declared_in_;
};

bool mentions_owner(const Stmt* statement, types& known) {
  if (statement == nullptr) return false;
  if (const auto* expression = dyn_cast<Expr>(statement); expression && known.owns(expression->getType())) return true;
  return llvm::any_of(statement->children(), [&](const Stmt* child) { return mentions_owner(child, known); });
}

}  // namespace

void check_function(const FunctionDecl& function, ASTContext& context, types& known, messages& out) {
  if (!mentions_owner(function.getBody(), known) &&
      llvm::none_of(function.parameters(), [&](const ParmVarDecl* each) { return known.owns(each->getType()); })) {
    return;
  }
  CFG::BuildOptions wanted;
  wanted.setAllAlwaysAdd();
  wanted.AddEHEdges = true;
  wanted.AddImplicitDtors = true;
  wanted.AddInitializers = true;
  wanted.AddTemporaryDtors = true;
  const auto graph = CFG::buildCFG(&function, function.getBody(), &context, wanted);
  if (graph != nullptr) walk(function, *graph, context, known, out).run();
}

}  // namespace twcheck
