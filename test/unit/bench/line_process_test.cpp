// SPDX-License-Identifier: Apache-2.0
#include "peers/line_process.hpp"

#include <gtest/gtest.h>

#include "tilewright/base/error.hpp"

namespace tilewright::bench {
namespace {

TEST(LineProcess, AnswersLineByLine) {
  LineProcess echo({"/bin/cat"});
  EXPECT_EQ(echo.ask("one"), "one");
  EXPECT_EQ(echo.ask(""), "");
  EXPECT_EQ(echo.ask("two words"), "two words");
}

TEST(LineProcess, ThatEndsGivesNoLine) {
  LineProcess once({"/bin/sh", "-c", "echo ready"});
  EXPECT_EQ(once.read_line(), "ready");
  EXPECT_EQ(once.read_line(), std::nullopt);
  EXPECT_EQ(once.ask("anybody there"), std::nullopt);
}

TEST(LineProcess, ThatIsNoProgramIsARuntimeError) { EXPECT_THROW(LineProcess({"/no/such/program"}), runtime_error); }

}  // namespace
}  // namespace tilewright::bench
