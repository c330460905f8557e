// SPDX-License-Identifier: Apache-2.0
// From a program to an image for a GPU, through the assembler.
#include <algorithm>
#include <cstdlib>
#include <thread>

#include "compiler/tileir/cubin.hpp"
#include "support/classic_launches.hpp"
#include "tileir/tools.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/compiler/gpu_image.hpp"
#include "tilewright/kernels/gemm.hpp"

namespace tilewright::test {
namespace {

// emit() looks for the tools by itself; the variable tells it where those of the tests are.
class TileirImage : public TileirTools {
 protected:
  void SetUp() override {
    TileirTools::SetUp();
    if (!IsSkipped()) ::setenv("TILEWRIGHT_TILEIR_TOOLS", tools().tileiras.parent_path().c_str(), 1);
  }
};

TEST_F(TileirImage, ComesFromTheAssemblerAndBackFromItsObject) {
  const compiler::program source = bound(classic_launches().front());
  for (const compiler::target where : {compiler::target::sm_80, compiler::target::sm_90, compiler::target::sm_120}) {
    const auto made = compiler::emit(source, where);
    ASSERT_NE(made->gpu(), nullptr);
    EXPECT_EQ(made->gpu()->form().architecture, where);
    EXPECT_EQ(made->gpu()->symbol(), source.module->name);
    const auto back = compiler::load_image(source, where, made->object());
    EXPECT_EQ(back->object(), made->object());
    EXPECT_TRUE(std::ranges::equal(back->gpu()->cubin(), made->gpu()->cubin()));
  }
}

TEST_F(TileirImage, IsTheSameEachTimeAndOnAnyThread) {
  const compiler::program source = bound(classic_launches().front());
  std::vector<std::shared_ptr<const compiler::image>> made(3);
  std::vector<std::thread> threads;
  for (auto& image : made) threads.emplace_back([&] { image = compiler::emit(source, compiler::target::sm_90); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& image : made) EXPECT_EQ(image->object(), made[0]->object());
}

TEST_F(TileirImage, ChecksItsAccessesWhenAsked) {
  const compiler::program source = bound(classic_launches().front());
  const auto plain = compiler::emit(source, compiler::target::sm_90);
  compiler::set_gpu_options({.memcheck = true});
  const auto checked = compiler::emit(source, compiler::target::sm_90);
  compiler::set_gpu_options({});
  EXPECT_GT(checked->object().size(), plain->object().size());
}

// Beside a ragged edge most copies read nothing; the assembler's checks would report them all the same.
TEST_F(TileirImage, ThatChecksItsAccessesLoadsWithoutAsynchronousCopies) {
  const compiler::argument z = dense({100, 90}, {32, 32}), x = dense({100, 70}), y = dense({70, 90});
  const compiler::program source = bound({"ragged", kernels::gemm<f32>().reference().module, {z, x, y}, {{"BK", 16}}});
  const auto loads = [&] {
    const auto made = compiler::emit(source, compiler::target::sm_90);
    const auto report = compiler::tileir::read_cubin(made->gpu()->cubin());
    return report.asynchronous_loads + report.copied_loads;
  };
  EXPECT_GT(loads(), 0u);
  compiler::set_gpu_options({.memcheck = true});
  EXPECT_EQ(loads(), 0u);
  compiler::set_gpu_options({});
}

}  // namespace
}  // namespace tilewright::test
