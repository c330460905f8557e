// SPDX-License-Identifier: Apache-2.0
// The fixture of tests that run a hand-built program on every back end of this build.
#pragma once

#include <gtest/gtest.h>

#include "support/program_builder.hpp"
#include "support/program_run.hpp"

namespace tilewright::test {

class BackEndTest : public testing::TestWithParam<back_end> {
 protected:
  void run_here(const compiler::program& source, const std::vector<compiler::argument>& arguments,
                const std::vector<index_t>& grid) {
    run(source, GetParam(), arguments, grid);
  }
};

}  // namespace tilewright::test

// Suites are aliases of the fixture or derive from it.
#define TILEWRIGHT_ON_EVERY_BACK_END(Suite)                                             \
  INSTANTIATE_TEST_SUITE_P(On, Suite, testing::ValuesIn(tilewright::test::back_ends()), \
                           [](const auto& tested) { return tested.param.name; })
