// SPDX-License-Identifier: Apache-2.0
// The message of an error is composed of its parts, and each class is caught by the base it claims.
#include "tilewright/base/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace tilewright {
namespace {

TEST(Error, MessageNamesEveryPartInOrder) {
  const usage_error e({.what = "shapes differ",
                       .where = "kernel 'add' line 7",
                       .expected = "[4, 8]",
                       .got = "[8, 4]",
                       .fix = "transpose the second operand"});
  EXPECT_STREQ(e.what(),
               "shapes differ; where: kernel 'add' line 7; expected: [4, 8]; got: [8, 4]; fix: transpose the second "
               "operand");
}

TEST(Error, MessageLeavesOutEmptyParts) {
  const io_error e({.what = "file is truncated", .where = {}, .expected = {}, .got = "12 bytes", .fix = {}});
  EXPECT_STREQ(e.what(), "file is truncated; got: 12 bytes");
}

TEST(Error, CopyKeepsTheMessageAlive) {
  std::string text;
  {
    const error original({.what = "a", .where = "b", .expected = {}, .got = {}, .fix = {}});
    const error copy = original;
    text = copy.what();
  }
  EXPECT_EQ(text, "a; where: b");
}

TEST(Error, InternalCheckNamesFileAndLineAndAsksForAReport) {
  try {
    require_internal(false, "a broken invariant", "some.cpp", 12);
    FAIL() << "nothing was thrown";
  } catch (const internal_error& e) {
    EXPECT_EQ(e.parts().where, "some.cpp:12");
    EXPECT_NE(e.parts().what.find("a broken invariant"), std::string::npos);
    EXPECT_NE(e.parts().fix.find("report"), std::string::npos);
  }
}

TEST(Error, InternalCheckIsSilentWhenTheInvariantHolds) { EXPECT_NO_THROW(require_internal(true, "holds")); }

static_assert(std::is_base_of_v<runtime_error, out_of_memory>);
static_assert(std::is_base_of_v<runtime_error, io_error>);
static_assert(std::is_base_of_v<runtime_error, driver_error>);
static_assert(!std::is_base_of_v<runtime_error, usage_error>);
static_assert(!std::is_base_of_v<runtime_error, device_fault>);
static_assert(std::is_nothrow_move_constructible_v<error>);

}  // namespace
}  // namespace tilewright
