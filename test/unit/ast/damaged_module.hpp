// SPDX-License-Identifier: Apache-2.0
// Modules that break one rule each, and which rules a module breaks.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "support/module_builder.hpp"
#include "tilewright/ast/verify.hpp"

namespace tilewright::test {

inline constexpr auto f32 = dtype::f32;

inline std::string rules_of(const ast::module_view& module) {
  std::string text;
  for (const ast::violation& v : ast::verify(module)) text += std::to_string(v.record) + ": " + v.rule + "\n";
  return text;
}

struct damaged {
  const char* rule;
  std::function<void(module_builder&)> build;
};

inline void PrintTo(const damaged& row, std::ostream* out) { *out << row.rule; }

inline void expect_broken(const damaged& row) {
  module_builder m;
  row.build(m);
  EXPECT_NE(rules_of(m.view()).find(row.rule), std::string::npos) << rules_of(m.view());
}

}  // namespace tilewright::test
