// SPDX-License-Identifier: Apache-2.0
// Images of the whole kernel library, each kernel with each of its element types, for every architecture: made here,
// where no GPU need be, in half a second to some seconds each. Prints a line for each group.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "support/library_launches.hpp"
#include "tileir/tools.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/gpu_image.hpp"

namespace tilewright::test {
namespace {

using compiler::target;

class LibraryImages : public TileirTools, public testing::WithParamInterface<std::tuple<target, library_group>> {
 protected:
  void SetUp() override {
    TileirTools::SetUp();
    if (IsSkipped()) return;
    ::setenv("TILEWRIGHT_TILEIR_TOOLS", tools().tileiras.parent_path().c_str(), 1);
    ::setenv("TILEWRIGHT_TILEIR_SECONDS", "1800", 0);  // on a busy machine
  }

  static void expect_image(const library_launch& launch, target where) {
    try {
      const compiler::program source = launch.program();
      const auto made = compiler::emit(source, where);
      ASSERT_NE(made->gpu(), nullptr);
      EXPECT_EQ(made->gpu()->form().architecture, where);
      EXPECT_EQ(made->gpu()->symbol(), launch.module->name);
      EXPECT_EQ(compiler::load_image(source, where, made->object())->object(), made->object());
    } catch (const error& refused) {
      ADD_FAILURE() << launch.module->name << " for " << name_of(where) << ": " << refused.what();
    }
  }
};

TEST_P(LibraryImages, AreMadeForEveryArchitecture) {
  const auto& [where, group] = GetParam();
  const auto begin = std::chrono::steady_clock::now();
  for (const library_launch& launch : group.launches) expect_image(launch, where);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::printf("%s %s: %zu images in %.1f s\n", name_of(where), group.name.c_str(), group.launches.size(),
              taken.count());
}

INSTANTIATE_TEST_SUITE_P(Of, LibraryImages,
                         testing::Combine(testing::Values(target::sm_80, target::sm_86, target::sm_89, target::sm_90,
                                                          target::sm_100, target::sm_120),
                                          testing::ValuesIn(library_groups())),
                         [](const auto& tested) {
                           return std::string(name_of(std::get<0>(tested.param))) + "_" +
                                  std::get<1>(tested.param).name;
                         });

}  // namespace
}  // namespace tilewright::test
