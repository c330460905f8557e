// SPDX-License-Identifier: Apache-2.0
// The assembler as a child process: found where it is installed, deaf to our environment, ended when it takes too long,
// quoted when it refuses.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compiler/tileir/child_process.hpp"
#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/tables.hpp"
#include "compiler/tileir/write.hpp"
#include "support/classic_launches.hpp"
#include "support/tileir_files.hpp"
#include "tileir/tools.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

namespace tileir = compiler::tileir;
using namespace std::chrono_literals;

// ---- Child processes -----------------------------------------------------------------------------------------------
TEST(ChildProcess, GivesItsOutputAndExitCode) {
  const auto result = tileir::run_process({"/bin/sh", "-c", "echo out; echo err >&2; exit 7"}, {}, 20s);
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_FALSE(result.is_timed_out);
}

TEST(ChildProcess, SeesOnlyTheEnvironmentItIsGiven) {
  setenv("CUDA_HOME", "/nonexistent", 1);
  const auto result = tileir::run_process({"/usr/bin/env"}, {"ONE=1"}, 20s);
  EXPECT_EQ(result.output, "ONE=1\n");
}

TEST(ChildProcess, IsEndedWithItsChildrenWhenItTakesTooLong) {
  const auto start = std::chrono::steady_clock::now();
  const auto result = tileir::run_process({"/bin/sh", "-c", "sleep 100 & sleep 100"}, {}, 100ms);
  EXPECT_TRUE(result.is_timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST(ChildProcess, ThatIsNotThereIsARuntimeError) {
  EXPECT_THROW(tileir::run_process({"/nonexistent/tileiras"}, {}, 1s), runtime_error);
}

// ---- Finding -------------------------------------------------------------------------------------------------------
TEST(TileirFinder, FindsAPythonEnvironmentByTheVariable) {
  const std::filesystem::path prefix = std::filesystem::path(testing::TempDir()) / "tileir_finder";
  const auto folder = prefix / "lib/python3.11/site-packages/nvidia/cu13/bin";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tileiras") << "#!/bin/sh\n";
  std::filesystem::permissions(folder / "tileiras", std::filesystem::perms::owner_all);
  setenv("TILEWRIGHT_TILEIR_TOOLS", prefix.c_str(), 1);
  const auto found = tileir::find_assembler();
  setenv("TILEWRIGHT_TILEIR_TOOLS", "/nonexistent", 1);
  EXPECT_FALSE(tileir::find_assembler().has_value());
  unsetenv("TILEWRIGHT_TILEIR_TOOLS");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->tileiras, folder / "tileiras");
  EXPECT_TRUE(found->tileirdisasm.empty());
}

// ---- Runs ----------------------------------------------------------------------------------------------------------
class TileirAssembler : public TileirTools {
 protected:
  static std::string refusal_of(const std::string& bytes, const ast::module_view& module,
                                const tileir::assembly_options& options) {
    try {
      assemble(tools(), bytes, module, options);
    } catch (const error& refused) {
      return refused.what();
    }
    return "accepted";
  }
};

TEST_F(TileirAssembler, CompilesTheSmallestKernelWhateverCudaHomeSays) {
  setenv("CUDA_HOME", "/nonexistent", 1);
  EXPECT_FALSE(assemble(tools(), smallest_tileir(), *add.reference().module).cubin.empty());
}

// f8E8M0 is not there on sm_90: an operation of record 2 makes one.
TEST_F(TileirAssembler, SaysTheKernelAndTheLineOfWhatItRefuses) {
  const classic_launch launch = classic_launches()[0];
  tileir::bytecode made = tileir::emit(bound(launch), compiler::target::sm_90);
  tileir::tables ids(made);
  tileir::operation& add_op = made.kernels[0].body[made.kernels[0].body.size() - 3];
  ASSERT_EQ(add_op.code, tileir::opcode::addf);
  tileir::operation odd;
  odd.code = tileir::opcode::constant;
  odd.results = {ids.tile(tileir::type_tag::f8e8m0fnu)};
  odd.fields = {ids.constant("\x7f")};
  odd.location = add_op.location;
  made.kernels[0].body.insert(made.kernels[0].body.end() - 1, odd);
  const std::string text = refusal_of(write(made), *launch.module, {});
  EXPECT_NE(text.find("refuses the kernel for sm_90; where: kernel 'add' at classic_kernels.hpp:"), std::string::npos)
      << text;
  EXPECT_NE(text.find("f8E8M0FNU"), std::string::npos) << text;
}

TEST_F(TileirAssembler, TellsAWrongInstallationFromAWrongKernel) {
  const std::string text = refusal_of(smallest_tileir(), *add.reference().module, {.architecture = "sm_75"});
  EXPECT_NE(text.find("does not work"), std::string::npos) << text;
  EXPECT_NE(text.find("sm_75"), std::string::npos) << text;
}

TEST_F(TileirAssembler, IsEndedAfterItsTimeLimit) {
  const classic_launch launch = classic_launches()[3];
  const std::string text =
      refusal_of(write(tileir::emit(bound(launch), compiler::target::sm_90)), *launch.module, {.limit = 20ms});
  EXPECT_NE(text.find("took too long; where: kernel 'attention'"), std::string::npos) << text;
}

}  // namespace
}  // namespace tilewright::test
