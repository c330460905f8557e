// SPDX-License-Identifier: Apache-2.0
#include "runtime/ring.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace tilewright::detail {
namespace {

TEST(Ring, GivesBackWhatCameInItsOrderWhileItGrows) {
  ring<int> tested;
  std::deque<int> expected;
  int next = 0;
  for (int round = 1; round < 60; ++round) {
    for (int i = 0; i < round % 23; ++i, ++next) {
      tested.push_back(next);
      expected.push_back(next);
    }
    for (int i = 0; i < round % 17 && !expected.empty(); ++i) {
      ASSERT_EQ(tested.front(), expected.front());
      tested.pop_front();
      expected.pop_front();
    }
    ASSERT_EQ(tested.size(), expected.size());
    ASSERT_EQ(tested.empty(), expected.empty());
  }
}

}  // namespace
}  // namespace tilewright::detail
