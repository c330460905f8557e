// SPDX-License-Identifier: Apache-2.0
// `tilewright debug`: what it prints, the page that shows it, and that kernels of the library have no findings.
#include <gmock/gmock.h>

#include "unit/tilewright_cli/command.hpp"

namespace tilewright::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class DebugCommand : public Command {};

TEST_F(DebugCommand, FindsNothingInKernelsOfTheLibrary) {
  for (const char* kernel : {
           "add --sizes N=10,BN=4",
           "saxpy --dtype f16 --sizes N=10,BN=4",
           "silu_mul --sizes M=3,C=5,BN=4",
           "softmax --sizes M=3,C=5",
           "softmax --dtype bf16 --sizes M=3,C=5,BM=2",
           "rms_norm --sizes M=3,C=5,BM=2",
           "layer_norm --sizes M=3,C=5,BM=2",
           "argmax_row --sizes M=3,C=5,BM=2,BN=4",
           "embedding --sizes M=3,C=5,ROWS=4,BN=4",
           "rotary --sizes M=3,HEADS=2,D=4,POSITIONS=8",
           "gemm --sizes M=5,N=6,K=7,BM=4,BN=4,BK=4",
           "gemm --dtype i8 --sizes M=5,N=6,K=7,BM=4,BN=4,BK=4",
           "gemv --sizes M=5,K=7,BM=4,BK=4",
           "attention --sizes M=5,KEYS=7,HEADS=2,KEY_HEADS=1,D=4,BM=4,BN=4",
           "attention_lse --sizes M=5,KEYS=7,HEADS=2,KEY_HEADS=1,D=4,BM=4,BN=4",
           "attention_decode --sizes KEYS=7,HEADS=2,KEY_HEADS=1,D=4,BN=4",
       }) {
    const Outcome found = run(std::string("debug ") + kernel);
    EXPECT_EQ(found.code, 0) << kernel << "\n" << found.out << found.err;
    EXPECT_THAT(found.out, HasSubstr("no findings\n")) << kernel;
  }
}

TEST_F(DebugCommand, TellsWhereANanComesFrom) {
  const Outcome found = run("debug softmax --sizes M=3,C=5 --set 1:2,3=nan");
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.out, AllOf(HasSubstr("1 finding\n"), HasSubstr("block [2, 0]: NaN begins here"),
                               HasSubstr("got nan in parameter 1 (In) at [2, 3], from the host"),
                               HasSubstr("stored to parameter 0 at [2, 0]")));
}

TEST_F(DebugCommand, TellsOfAnInputThatNobodyWrote) {
  const Outcome found = run("debug add --sizes N=10,BN=4 --empty 2");
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.out,
              AllOf(HasSubstr("uninitialised memory is read"), HasSubstr("of parameter 2 at [0] and 9 more")));
}

TEST_F(DebugCommand, TellsOfInfinitiesIfAsked) {
  const std::string overflow = "debug add --dtype f16 --sizes N=4,BN=4 --set 1:1=60000 --set 2:1=60000";
  EXPECT_EQ(run(overflow).code, 0);
  const Outcome found = run(overflow + " --infinity");
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.out, AllOf(HasSubstr("an infinity begins here"), HasSubstr("got cast(120000) = inf")));
}

TEST_F(DebugCommand, SaysWhatIsWrongWithACall) {
  const struct {
    const char *arguments, *message;
  } cases[] = {{"debug", "the kernel is missing"},
               {"debug none", "no such kernel"},
               {"debug add", "a size is missing"},
               {"debug add --sizes N=8,BN=4 --block 2", "a block is not in the grid"},
               {"debug add --sizes N=8,BN=4 --block 0,0", "a block is not in the grid"},
               {"debug add --sizes N=8,BN=4 --block x", "a block is not understood"},
               {"debug add --sizes N=8,BN=4 --set 1:8=1", "an element is not inside its tensor"},
               {"debug add --sizes N=8,BN=4 --set 1=1", "an element is not understood"},
               {"debug add --sizes N=8,BN=4 --set 1:1=one", "an element is not understood"},
               {"debug add --sizes N=8,BN=4 --set 0:1=1", "no input of the kernel"},
               {"debug add --sizes N=8,BN=4 --empty 3", "no input of the kernel"},
               {"debug add --sizes N=8,BN=4 --elements 1", "--elements"}};
  for (const auto& [arguments, message] : cases) {
    const Outcome refused = run(arguments);
    EXPECT_EQ(refused.code, 2) << arguments;
    EXPECT_THAT(refused.err, HasSubstr(message)) << arguments;
  }
}

// The page shows commands behind "$ tilewright", each with all that it prints.
TEST_F(DebugCommand, PrintsWhatItsPageShows) {
  std::ifstream page(TILEWRIGHT_DOCS "/debugging.md");
  std::string line, command, shown;
  int examples = 0;
  const auto compare = [&] {
    if (command.empty()) return;
    EXPECT_EQ(run(command).out, shown) << command;
    ++examples;
    command.clear();
    shown.clear();
  };
  const std::string prompt = "$ tilewright ";
  while (std::getline(page, line)) {
    if (line.rfind(prompt, 0) == 0) {
      compare();
      command = line.substr(prompt.size());
    } else if (line == "```") {
      compare();
    } else if (!command.empty()) {
      shown += line + "\n";
    }
  }
  EXPECT_EQ(examples, 2);
}

}  // namespace
}  // namespace tilewright::test
