// SPDX-License-Identifier: Apache-2.0
// Images for GPUs: their stored form survives, changed bytes are refused before a driver sees them, and a machine
// without the assembler says what to do.
#include "tilewright/compiler/gpu_image.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "support/program_builder.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using bytes = std::vector<std::byte>;

// ---- Targets -------------------------------------------------------------------------------------------------------
TEST(Target, HasANameThatFindsItAgain) {
  std::set<std::string> names;
  for (const target each : all_targets) {
    names.insert(name_of(each));
    EXPECT_EQ(target_named(name_of(each)), each);
  }
  EXPECT_EQ(names.size(), std::size(all_targets));
  EXPECT_EQ(std::string(name_of(target::sm_90)), "sm_90");
  EXPECT_FALSE(target_named("sm_9").has_value());
  EXPECT_FALSE(target_named("").has_value());
}

TEST(Target, IsAGpuFromSm80On) {
  EXPECT_FALSE(is_gpu(target::interp) || is_gpu(target::cpu));
  for (const target each : all_targets) EXPECT_EQ(is_gpu(each), std::string(name_of(each)).starts_with("sm_"));
}

// ---- How it is launched --------------------------------------------------------------------------------------------
TEST(GpuLaunchForm, StartsABlockForEachOrAsManyAsFit) {
  EXPECT_EQ((gpu_launch_form{}.grid_of(1000, 132)), 1000);
  EXPECT_EQ((gpu_launch_form{.persistent = true}.grid_of(1000, 132)), 132);
  EXPECT_EQ((gpu_launch_form{.persistent = true}.grid_of(100, 132)), 100);
  EXPECT_EQ((gpu_launch_form{.persistent = true, .num_ctas = 4, .occupancy = 2}.grid_of(1000, 132)), 66);
  EXPECT_EQ((gpu_launch_form{.persistent = true, .num_ctas = 16}.grid_of(1000, 8)), 1) << "never none";
}

// ---- The stored form -----------------------------------------------------------------------------------------------
const bytes cubin = {std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}, std::byte{9}};

gpu_image sample() {
  return {cubin,
          "gemm_1",
          {.persistent = true,
           .num_ctas = 2,
           .occupancy = 3,
           .programmatic = true,
           .has_status = true,
           .architecture = target::sm_90}};
}

TEST(GpuImage, ComesBackFromItsObject) {
  const gpu_image made = sample();
  const auto back = gpu_image::load(made.object(), target::sm_90, "kernel 'gemm'");
  EXPECT_EQ(back->symbol(), "gemm_1");
  EXPECT_EQ(back->form(), made.form());
  EXPECT_TRUE(std::ranges::equal(back->cubin(), cubin));
  EXPECT_EQ(back->object(), made.object());
  EXPECT_EQ(back->gpu(), back.get());
  EXPECT_EQ(back->host(), nullptr);
  EXPECT_THROW(host_of(*back), internal_error);
}

TEST(GpuImage, KeepsEachPartOfItsForm) {
  const gpu_launch_form forms[] = {{.persistent = true},   {.num_ctas = 16},     {.occupancy = 32},
                                   {.programmatic = true}, {.has_status = true}, {.architecture = target::sm_120}};
  for (const gpu_launch_form& form : forms) {
    const gpu_image made(cubin, "k", form);
    EXPECT_EQ(gpu_image::load(made.object(), form.architecture, {})->form(), form);
  }
}

TEST(GpuImage, RefusesChangedShortenedAndLongerBytes) {
  const bytes object = sample().object();
  for (std::size_t at = 0; at < object.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      bytes changed = object;
      changed[at] ^= static_cast<std::byte>(1U << bit);
      EXPECT_THROW(gpu_image::load(changed, target::sm_90, {}), runtime_error) << "byte " << at << " bit " << bit;
    }
  }
  for (std::size_t size = 0; size < object.size(); ++size) {
    EXPECT_THROW(gpu_image::load(std::span(object).first(size), target::sm_90, {}), runtime_error) << size;
  }
  bytes longer = object;
  longer.push_back(std::byte{0});
  EXPECT_THROW(gpu_image::load(longer, target::sm_90, {}), runtime_error);
}

TEST(GpuImage, RefusesAnotherArchitectureByName) {
  const bytes object = sample().object();
  try {
    gpu_image::load(object, target::sm_80, "kernel 'gemm'");
    FAIL() << "an image for sm_90 was taken for sm_80";
  } catch (const runtime_error& refused) {
    EXPECT_EQ(refused.parts().expected, "an image for sm_80");
    EXPECT_EQ(refused.parts().where, "kernel 'gemm'");
  }
}

// ---- Making one ----------------------------------------------------------------------------------------------------
class GpuEmit : public testing::Test {
 protected:
  GpuEmit() {
    builder_.store(builder_.out(dtype::i32, {4}),
                   builder_.value(ast::op::iota, test::type_of(dtype::i32, {4}), {}, {0}));
  }
  const program& source() { return builder_.result(); }

 private:
  test::program_builder builder_;
};

// As the variable names a folder, nothing else is searched.
TEST_F(GpuEmit, WithoutAnAssemblerSaysHowToGoOn) {
  ::setenv("TILEWRIGHT_TILEIR_TOOLS", "/nonexistent", 1);
  std::string message;
  try {
    emit(source(), target::sm_90);
  } catch (const runtime_error& refused) {
    message = refused.what();
  }
  ::unsetenv("TILEWRIGHT_TILEIR_TOOLS");
  for (const char* part :
       {"sm_90", "kernel '", "tileiras", "./dev setup --tileir", "TILEWRIGHT_TILEIR_TOOLS", "baked"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
}

TEST_F(GpuEmit, LoadsAnImageWithoutAnAssembler) {
  ::setenv("TILEWRIGHT_TILEIR_TOOLS", "/nonexistent", 1);
  const auto loaded = load_image(source(), target::sm_90, sample().object());
  ::unsetenv("TILEWRIGHT_TILEIR_TOOLS");
  ASSERT_NE(loaded->gpu(), nullptr);
  EXPECT_EQ(loaded->gpu()->symbol(), "gemm_1");
}

}  // namespace
}  // namespace tilewright::compiler
