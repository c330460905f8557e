// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include "clang/Basic/DiagnosticIDs.h"

using namespace clang;

namespace twcheck {

namespace {
constexpr const char* rule_names[] = {"use-after-give", "never-run", "lent", "outlives", "shared", "stale-view"};
}

bool messages::is_rule(StringRef name) { return llvm::is_contained(rule_names, name); }

messages::messages(DiagnosticsEngine& engine, const options& chosen) : engine_(engine), options_(chosen) {
  use_after_give_ = define("use-after-give",
                           "'%0' %select{may have been|was}1 given away before; give it once, and go on with what the "
                           "launch or the function gives back");
  never_run_ = define("never-run", "'%0' %select{may be|is}1 dropped without having run: %2");
  lent_ = define("lent",
                 "'%0' is %select{given away|assigned|lent again|read|destroyed}1 while it is lent to '%2'; end that "
                 "loan first: run its launch in one expression, or give it a block of its own");
  outlives_ = define("outlives",
                     "'%0' ends before '%1', which borrows it; let the loan end first, or give the tensor away "
                     "(std::move) instead of lending it");
  stale_view_ = define("stale-view", "'%0' looks into what was given away before; look again at what came back");
  shared_ = define("shared",
                   "'%0' is not the only owner: '%1' owns the same memory, and this throws; let the others end or be "
                   "waited for first");
  given_here_ = engine.getCustomDiagID(DiagnosticsEngine::Note, "given away here");
  lent_here_ = engine.getCustomDiagID(DiagnosticsEngine::Note, "lent here");
  spent_here_ = engine.getCustomDiagID(DiagnosticsEngine::Note, "only the paths through here run it");
  called_here_ = engine.getCustomDiagID(DiagnosticsEngine::Note, "in what is called here");
  ends_here_ = engine.getCustomDiagID(DiagnosticsEngine::Note, "it ends with the block of this declaration");
}

unsigned messages::define(StringRef rule, StringRef text) {
  if (options_.off.contains(rule.str())) return 0;
  const auto severity = options_.warn ? diag::Severity::Warning : diag::Severity::Error;
  const auto kind = options_.warn ? DiagnosticIDs::CLASS_WARNING : DiagnosticIDs::CLASS_ERROR;
  return engine_.getDiagnosticIDs()->getCustomDiagID(
      DiagnosticIDs::CustomDiagDesc(severity, (text + " [twcheck-" + rule + "]").str(), kind));
}

bool messages::is_new(unsigned id, SourceLocation at, const std::string& name) {
  return id != 0 && told_.insert({id, at.getRawEncoding(), name}).second;
}

void messages::note(SourceLocation at, unsigned id) {
  if (at.isValid()) engine_.Report(at, id);
}

void messages::use_after_give(SourceLocation at, const std::string& name, bool is_certain, SourceLocation given,
                              SourceLocation called) {
  if (!is_new(use_after_give_, at, name)) return;
  engine_.Report(at, use_after_give_) << name << is_certain;
  note(given, given_here_);
  note(called, called_here_);
}

void messages::never_run(SourceLocation at, const std::string& name, bool is_certain, StringRef advice,
                         SourceLocation run_elsewhere) {
  if (!is_new(never_run_, at, name)) return;
  engine_.Report(at, never_run_) << name << is_certain << (advice.empty() ? "run it, or give it up" : advice);
  if (!is_certain) note(run_elsewhere, spent_here_);
}

void messages::lent(SourceLocation at, const std::string& name, misuse_of_lent action, const std::string& holder,
                    SourceLocation where) {
  if (!is_new(lent_, at, name)) return;
  engine_.Report(at, lent_) << name << static_cast<unsigned>(action) << holder;
  note(where, lent_here_);
}

void messages::outlives(SourceLocation at, const std::string& name, const std::string& holder, SourceLocation end) {
  if (!is_new(outlives_, at, name)) return;
  engine_.Report(at, outlives_) << name << holder;
  note(end, ends_here_);
}

void messages::shared(SourceLocation at, const std::string& name, const std::string& other) {
  if (is_new(shared_, at, name)) engine_.Report(at, shared_) << name << other;
}

void messages::stale_view(SourceLocation at, const std::string& name, SourceLocation given) {
  if (!is_new(stale_view_, at, name)) return;
  engine_.Report(at, stale_view_) << name;
  note(given, given_here_);
}

}  // namespace twcheck
