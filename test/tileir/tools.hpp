// SPDX-License-Identifier: Apache-2.0
// The vendor's tools in tests: those that the library finds, or those of ./dev setup --tileir.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "compiler/tileir/assembler.hpp"

namespace tilewright::test {

// Looked for before any test changes the environment.
inline const std::optional<compiler::tileir::assembler_tools> installed_tools =
    compiler::tileir::find_assembler({TILEWRIGHT_SOURCE_DIR "/.cache/tileir"});

// Tests that need the tools are of this suite.
class TileirTools : public testing::Test {
 protected:
  void SetUp() override {
    if (!installed_tools) GTEST_SKIP() << "tileiras is not installed: ./dev setup --tileir";
    if (installed_tools->tileirdisasm.empty()) GTEST_SKIP() << "tileirdisasm is not beside tileiras";
  }
  static const compiler::tileir::assembler_tools& tools() { return *installed_tools; }
};

}  // namespace tilewright::test
