// SPDX-License-Identifier: Apache-2.0
#include "flow.hpp"

#include <deque>

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
  walk(const FunctionDecl& function, const CFG& graph, rules& told, bool is_followed)
      : function_(function), graph_(graph), rules_(told), is_followed_(is_followed) {}

  // The state at the normal end, if there is one.
  std::optional<state> run(state first, bool writes) {
    survey(function_.getBody(), nullptr);
    for (const CFGBlock* block : graph_) {
      if (!is_followed_) count_condition(*block);
      for (const CFGElement& each : *block) {
        if (const auto ended = each.getAs<CFGTemporaryDtor>()) rules_.expect_end(ended->getBindTemporaryExpr());
      }
    }
    for (const ParmVarDecl* each : function_.parameters()) rules_.enter(first, *each);
    rules_.write_messages(false);
    reach(graph_.getEntry(), {}, first);
    while (!waiting_.empty()) {
      const CFGBlock* block = *waiting_.begin();
      waiting_.pop_front();
      flow(*block);
    }
    if (writes) write();
    std::optional<state> last;
    for (const auto& [path, at] : before_[&graph_.getExit()]) {
      if (last) {
        last->join(at);
      } else {
        last = at;
      }
    }
    return last;
  }

 private:
  // In a function that is followed only what happens on every path is a mistake of this call.
  void write() {
    for (auto block = graph_.rbegin(); block != graph_.rend(); ++block) {
      rules_.write_messages(!is_followed_ || is_on_every_path(**block));
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

  // Is there no way to the exit around it? Exceptions that calls may throw are none, those written here are.
  bool is_on_every_path(const CFGBlock& block) const {
    std::set<const CFGBlock*> seen{&block};
    std::deque<const CFGBlock*> next{&graph_.getEntry()};
    while (!next.empty()) {
      const CFGBlock* here = next.front();
      next.pop_front();
      if (!seen.insert(here).second) continue;
      if (here == &graph_.getExit()) return false;
      unsigned edge = 0;
      for (const CFGBlock::AdjacentBlock& to : here->succs()) {
        const bool throws = edge++ > 0 && here->getTerminatorStmt() == nullptr;
        if (!throws && to.getReachableBlock() != nullptr) next.push_back(to.getReachableBlock());
      }
    }
    return true;
  }

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
  rules& rules_;
  const bool is_followed_;
  std::map<const CFGBlock*, std::map<facts, state>> before_;
  std::deque<const CFGBlock*> waiting_;
  std::set<const ValueDecl*> changed_;
  std::map<const ValueDecl*, int> tests_;
  std::map<const CXXTryStmt*, std::set<const ValueDecl*>> declared_in_;
};

}  // namespace

void check_function(const FunctionDecl& function, program& all) {
  const bool matters =
      mentions_owner(function.getBody(), all.known) ||
      llvm::any_of(function.parameters(), [&](const ParmVarDecl* each) { return all.known.owns(each->getType()); });
  if (!matters) return;
  const CFG* graph = all.graph_of(function);
  rules own(all);
  if (graph != nullptr) walk(function, *graph, own, false).run({}, true);
}

std::optional<state> follow(const FunctionDecl& function, program& all, rules& as, const state& before, bool writes) {
  return walk(function, *all.graph_of(function), as, true).run(before, writes);
}

}  // namespace twcheck
