// SPDX-License-Identifier: Apache-2.0
// TILEWRIGHT_DUMP prints the stages that it names, with their times, and nothing else.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <string>

#include "support/module_builder.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {
namespace {

// What compiling a kernel writes to stderr while TILEWRIGHT_DUMP is `stages`.
std::string dump_of(const char* stages) {
  module_builder m("dumped");
  const auto z = m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {ast::dynamic_extent});
  m.store(z, m.unary(ast::op::negate, m.load(x, {4}, {m.block_id(0)})));
  compiler::specialization special;
  special.facts.resize(2);
  setenv("TILEWRIGHT_DUMP", stages, 1);
  testing::internal::CaptureStderr();
  const compiler::program source = compiler::front(m.view(), special);
  compiler::emit(source, compiler::has_cpu_target() ? compiler::target::cpu : compiler::target::interp);
  unsetenv("TILEWRIGHT_DUMP");
  return testing::internal::GetCapturedStderr();
}

bool finds(const std::string& text, const char* expression) { return std::regex_search(text, std::regex(expression)); }

constexpr const char* front_times = "kernel 'dumped': bind [0-9]+ us, check [0-9]+ us, simplify [0-9]+ us\n";
constexpr const char* cpu_times = "kernel 'dumped': LLVM IR [0-9]+ us, machine code [0-9]+ us, load [0-9]+ us\n";
constexpr const char* ast_text = "%[0-9]+: f32\\[4\\] = negate";
constexpr const char* program_text = "kernel 'dumped' grid rank";
constexpr const char* checks_line = "kernel 'dumped' at test\\.hpp:[0-9]+: .* <= .*a tile index of parameter 1";
constexpr const char* llvm_text = "define void @tilewright_kernel\\(";

TEST(Dump, AstIsTheModule) {
  const std::string text = dump_of("ast");
  EXPECT_TRUE(finds(text, "negate")) << text;
  EXPECT_FALSE(finds(text, front_times) || finds(text, program_text) || finds(text, llvm_text)) << text;
}

TEST(Dump, ProgramComesWithTheTimesOfItsStages) {
  const std::string text = dump_of("program");
  EXPECT_TRUE(finds(text, program_text) && finds(text, ast_text) && finds(text, front_times)) << text;
  EXPECT_FALSE(finds(text, llvm_text) || finds(text, cpu_times)) << text;
}

TEST(Dump, ChecksAreOneLineEach) {
  const std::string text = dump_of("checks");
  EXPECT_TRUE(finds(text, checks_line) && finds(text, front_times)) << text;
  EXPECT_FALSE(finds(text, program_text) || finds(text, llvm_text)) << text;
}

TEST(Dump, LlvmIsTheIrWithTheTimesOfTheBackEnd) {
  if (!compiler::has_cpu_target()) GTEST_SKIP() << "built without LLVM";
  const std::string text = dump_of("llvm");
  EXPECT_TRUE(finds(text, llvm_text) && finds(text, cpu_times)) << text;
  EXPECT_FALSE(finds(text, program_text) || finds(text, front_times)) << text;
}

TEST(Dump, AListPrintsEachOfItsStages) {
  const std::string text = dump_of("ast,program,checks,llvm");
  EXPECT_TRUE(finds(text, program_text) && finds(text, checks_line) && finds(text, front_times)) << text;
  EXPECT_EQ(finds(text, llvm_text), compiler::has_cpu_target()) << text;
  EXPECT_EQ(finds(text, cpu_times), compiler::has_cpu_target()) << text;
}

TEST(Dump, WhatIsNoStagePrintsNothing) {
  for (const char* stages : {"", "all", "astprogram", "Program", ",", "program ", "llvmir,ast2"}) {
    EXPECT_EQ(dump_of(stages), "") << "'" << stages << "'";
  }
}

}  // namespace
}  // namespace tilewright::test
