// SPDX-License-Identifier: Apache-2.0
// The texts of the checker: the rule, the place, the line where it was given or lent, and what to write instead.
#pragma once

#include <set>
#include <string>
#include <tuple>

#include "clang/Basic/Diagnostic.h"

namespace twcheck {

// -fplugin-arg-twcheck-warn: findings are warnings, as -Werror finds them.
// -fplugin-arg-twcheck-no-<rule>: one rule less.
struct options {
  bool warn = false;
  std::set<std::string> off;
};

enum class misuse_of_lent { given, assigned, lent_again, read, destroyed };

class messages {
 public:
  messages(clang::DiagnosticsEngine& engine, const options& chosen);

  static bool is_rule(llvm::StringRef name);

  void use_after_give(clang::SourceLocation at, const std::string& name, bool is_certain, clang::SourceLocation given,
                      clang::SourceLocation called = {});
  void never_run(clang::SourceLocation at, const std::string& name, bool is_certain, llvm::StringRef advice,
                 clang::SourceLocation run_elsewhere);
  void lent(clang::SourceLocation at, const std::string& name, misuse_of_lent action, const std::string& holder,
            clang::SourceLocation where);
  void outlives(clang::SourceLocation at, const std::string& name, const std::string& holder,
                clang::SourceLocation end);
  void shared(clang::SourceLocation at, const std::string& name, const std::string& other);
  void stale_view(clang::SourceLocation at, const std::string& name, clang::SourceLocation given);

 private:
  unsigned define(llvm::StringRef rule, llvm::StringRef text);
  void note(clang::SourceLocation at, unsigned id);
  // One finding for each rule, line and name.
  bool is_new(unsigned id, clang::SourceLocation at, const std::string& name);

  clang::DiagnosticsEngine& engine_;
  options options_;
  unsigned use_after_give_, never_run_, lent_, outlives_, stale_view_, shared_;
  unsigned given_here_, lent_here_, spent_here_, ends_here_, called_here_;
  std::set<std::tuple<unsigned, unsigned, std::string>> told_;
};

}  // namespace twcheck
