// SPDX-License-Identifier: Apache-2.0
// kernel.with(deny_residual): no check of bounds may be left to the kernel, on any device.
#include <gtest/gtest.h>

#include "tilewright/base/error.hpp"
#include "tilewright/runtime/bake.hpp"
#include "unit/runtime/runtime_kernels.hpp"
#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::test {
namespace {

constexpr auto first_of(const In<i32, dyn>& list, const Index& i) {
  return to_index(reshape(list.load(tile<1>, i), tile<>));
}

constexpr int line_of_load = __LINE__ + 3;
// Block b of z is tile pages[b] of x; the kernel has to look at each page.
inline constexpr auto pick = kernel<"pick">([](Block b, Out<f32, B> z, In<f32, dyn> x, In<i32, dyn> pages) {
  z.store(x.load(tile<B>, first_of(pages, b.pid(0))));
});
// The same, with pages that cannot be outside.
inline constexpr auto pick_clamped = kernel<"pick">([](Block b, Out<f32, B> z, In<f32, dyn> x, In<i32, dyn> pages) {
  auto page = max(first_of(pages, b.pid(0)), 0);
  z.store(x.load(tile<B>, min(page, x.partition(tile<B>).tiles(0) - 1)));
});

static_assert(pick.with(deny_residual).reference().schedule.deny_residual);
static_assert(!pick.with(deny_residual).with(deny_residual = false).reference().schedule.deny_residual);

template <class Kernel>
std::vector<f32> third_page(const Kernel& kernel) {
  const Device host = cpu_device();
  auto [z, x, pages] =
      kernel(host.zeros<f32>({4}).partition({4}), host.iota<f32>({16}).share(), host.full<i32>({1}, 2).share()).sync();
  return z.to_host();
}
const std::vector<f32> third = {8, 9, 10, 11};

template <class Run>
report refusal_of(Run run) {
  try {
    run();
  } catch (const compile_error& refused) {
    return refused.parts();
  }
  ADD_FAILURE() << "no compile_error";
  return {};
}

TEST(DenyResidual, RefusesTheLaunchWithRuleLineReasonAndFix) {
  const report told = refusal_of([] { (void)third_page(pick.with(deny_residual)); });
  EXPECT_EQ(told.what,
            "a check is left to the kernel, which denies residual checks: a tile index of parameter 1 (In) on axis 0 "
            "stays within the tiles");
  EXPECT_EQ(told.where, "kernel 'pick' at deny_residual_test.cpp:" + std::to_string(line_of_load));
  EXPECT_EQ(told.got, "it depends on data loaded from parameter 2");
  EXPECT_NE(told.fix.find("min(i, x.tiles(axis) - 1)"), std::string::npos);
}

TEST(DenyResidual, TakesTheKernelThatClampsItsPages) { EXPECT_EQ(third_page(pick_clamped.with(deny_residual)), third); }

// Both share an image: what one was refused, or allowed, decides nothing for the other.
TEST(DenyResidual, IsForTheLaunchesThatSayIt) {
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(third_page(pick), third);
    (void)refusal_of([] { (void)third_page(pick.with(deny_residual)); });
    EXPECT_EQ(third_page(pick.with(deny_residual).with(deny_residual = false)), third);
  }
}

TEST(DenyResidual, HoldsForImagesThatAreBakedForGpus) {
  const temporary_folder folder;
  const bake_options options{.targets = {compiler::target::sm_90},
                             .pack = folder.path() / "denied.pack",
                             .progress = [](const std::string&) {}};
  (void)refusal_of([&] {
    (void)bake(BakeList().add(pick.with(deny_residual), bake_output{{4}, {4}}, bake_input{{16}}, bake_input{{1}}),
               options);
  });
  EXPECT_FALSE(std::filesystem::exists(options.pack));
}

}  // namespace
}  // namespace tilewright::test
