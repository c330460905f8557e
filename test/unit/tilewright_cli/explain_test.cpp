// SPDX-License-Identifier: Apache-2.0
// The sections of `tilewright explain`, of kernels that the library lacks: with checks in place, and with loops and
// branches that depend on data or on the block.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain_text.hpp"
#include "support/checked_launches.hpp"

namespace tilewright::test {
namespace {

using kernels::BM, kernels::BN;
using testing::AllOf;
using testing::HasSubstr;

struct explained {
  std::vector<compiler::argument> arguments;
  std::vector<index_t> grid;
  compiler::program source;
  compiler::bounds_report report;

  template <class Kernel>
  explained(const Kernel& kernel, std::vector<compiler::argument> given, std::vector<compiler::named_extent> dims = {})
      : arguments(std::move(given)) {
    const ast::module_view& module = *kernel.reference().module;
    const compiler::bound_arguments bound = compiler::bind_arguments(module, arguments, dims, {});
    grid = bound.grid;
    source = compiler::bind(module, bound.special);
    compiler::check(source, &report);
    compiler::simplify(source);
  }
  traffic_estimate traffic() const { return estimate_traffic(source, arguments, grid); }
};

TEST(Explain, SaysWhyAnIndexIsCheckedInPlaceAndHowToDoWithout) {
  const explained pages(checked::pages, {dense({64, 128}, {16, 128}), dense({64, 128}), dense({64})});
  const std::string text = bounds_text(pages.source, pages.report, false);
  EXPECT_THAT(text, AllOf(HasSubstr("Bounds: 1 static, 1 by the launch (1 comparisons), 0 hoisted, 1 in place\n"),
                          HasSubstr("  in place  checked_launches.hpp:"),
                          HasSubstr("because: it depends on data loaded from parameter 2\n"),
                          HasSubstr("static with: clamp the index")));
  EXPECT_EQ(text.find("compares"), std::string::npos);
  EXPECT_THAT(bounds_text(pages.source, pages.report, true), HasSubstr("compares: (grid(0) + -1) <="));
}

TEST(Explain, TellsOfChecksThatLeftTheirLoop) {
  const compiler::argument whole = dense({1024, 2048}), one = scalar_bits(0x3f800000);
  const explained attention(scheduled_paged_attention<true>(),
                            {dense({1024, 2048}, {128, 128}), whole, whole, whole, one, dense({1})}, {{"BN", 128}});
  EXPECT_THAT(bounds_text(attention.source, attention.report, false),
              AllOf(HasSubstr(" 2 hoisted, 0 in place\n"), HasSubstr("  hoisted   paged_attention.hpp:"),
                    HasSubstr("because: it depends on data loaded from parameter 5\n"),
                    HasSubstr("static with: clamp the index")));
  EXPECT_EQ(attention.traffic().loops_that_depend_on_data, 0) << "checks do not fail in an estimate";
}

TEST(Explain, TellsTheAxesThatNeedAMask) {
  const explained rows(checked::rows, {dense({64, 90}, {16, 128}), dense({100, 90}), dense({64, 1})});
  EXPECT_THAT(masks_text(rows.source), AllOf(HasSubstr("load         2 In       [16, 1]    none\n"),
                                             HasSubstr("gather_rows  1 In       [16, 128]  0, 1\n"),
                                             HasSubstr("store        0 Out      [16, 128]  1\n")));
}

TEST(Explain, SaysWhyAMaskIsPlacedAndHowToDoWithout) {
  const explained rows(checked::rows, {dense({64, 90}, {16, 48}), dense({100, 90}), dense({64, 1})});
  EXPECT_THAT(masks_text(rows.source),
              AllOf(HasSubstr("Masks: 3 on the host, 3 on a GPU"),
                    HasSubstr("because: the kernel checks the rows: it depends on data loaded from parameter 2\n"),
                    HasSubstr("none with: clamp the index"),
                    HasSubstr("because: extent(1, 1) is not known to be a multiple of 48\n"),
                    HasSubstr("none with: give a tensor whose extent there is a multiple of 48, or tiles that divide "
                              "it\n")));
  const explained rounded(checked::rows, {dense({64, 96}, {16, 48}), dense({100, 96}), dense({64, 1})});
  EXPECT_THAT(masks_text(rounded.source), AllOf(HasSubstr("store        0 Out      [16, 48]  1 on a GPU\n"),
                                                HasSubstr("because: its 48 lanes are 64 there, a power of two\n"),
                                                HasSubstr("none with: a tile of 32 or 64 lanes\n")));
}

// A tile of one element begins inside its tensor, and so ends there, whatever other tiles do.
TEST(Explain, TellsOfNoMaskOfNarrowTilesBesideWideOnes) {
  constexpr auto mixed = kernel<"mixed">(
      [](Block b, Out<f32, BN> z, In<f32, dyn> x) { z.store(x.load(tile<BN>, b.pid(0)) + x.load(tile<1>, 0)); });
  const explained whole(mixed, {dense({32}, {8}), dense({32})}), ragged(mixed, {dense({30}, {8}), dense({30})});
  EXPECT_THAT(masks_text(whole.source), AllOf(HasSubstr("load         1 In       [8]   none\n"),
                                              HasSubstr("load         1 In       [1]   none\n"),
                                              HasSubstr("store        0 Out      [8]   none\n")));
  EXPECT_THAT(masks_text(ragged.source),
              AllOf(HasSubstr("load         1 In       [8]   0\n"), HasSubstr("load         1 In       [1]   none\n"),
                    HasSubstr("store        0 Out      [8]   0\n")));
}

// Block i of four reads the tiles 0 to i of x, and one tile more if i is odd.
constexpr auto triangle = kernel<"triangle">([](Block b, Out<f32, BN> z, In<f32, dyn> x) {
  auto sum = b.zeros<f32>(tile<BN>);
  for (auto j : range(b.pid(0) + 1)) sum = sum + x.load(tile<BN>, j);
  sum = if_(
      b.pid(0) % 2 == 1, [&] { return sum + x.load(tile<BN>, 0); }, [&] { return sum; });
  z.store(sum);
});

TEST(Traffic, FollowsLoopsAndBranchesThatTheBlockDecides) {
  const explained all(triangle, {dense({32}, {8}), dense({32})});
  const traffic_estimate found = all.traffic();
  EXPECT_EQ(found.loaded_bytes, (std::vector<double>{0, (1 + 2 + 3 + 4 + 2) * 8 * 4.0}));
  EXPECT_EQ(found.stored_bytes, (std::vector<double>{32 * 4.0, 0}));
  EXPECT_EQ(found.tensor_bytes, (std::vector<double>{32 * 4.0, 32 * 4.0}));
  EXPECT_EQ(found.element_operations, (1 + 2 + 3 + 4 + 2) * 8.0);
  EXPECT_EQ(found.loops_that_depend_on_data, 0);
  EXPECT_EQ(found.branches_that_depend_on_data, 0);
}

TEST(Traffic, CountsElementsInsideTensorsOnly) {
  const explained product(checked::paged_gemm,
                          {dense({100, 60}, {64, 32}), dense({100, 80}), dense({80, 60}), dense({8})}, {{"BK", 16}});
  const traffic_estimate found = product.traffic();
  EXPECT_EQ(found.loaded_bytes[1], 2 * 100 * 80 * 2.0);  // once for each of two columns of blocks
  EXPECT_EQ(found.stored_bytes[0], 100 * 60 * 2.0);
  EXPECT_EQ(found.mma_operations, 4 * 2 * 64 * 32 * 16 * 5.0);
}

// Of 10 elements, windows of 4 at every third: 4 + 4 + 4 + 1.
TEST(Traffic, CountsAnElementForEachWindowThatHasIt) {
  constexpr auto windows = kernel<"windows">(
      [](Block b, Out<f32, 4> z, In<f32, dyn> x) { z.store(x.windows(tile<4>, stride<3>).load(b.pid(0))); });
  const explained all(windows, {dense({16}, {4}), dense({10})});
  EXPECT_EQ(all.traffic().loaded_bytes[1], 13 * 4.0);
  EXPECT_THAT(masks_text(all.source), HasSubstr("load_window  1 In       [4]   0\n"));
}

TEST(Traffic, SaysWhatDependsOnData) {
  const explained nested(checked::nested, {dense({64, 64}, {16, 16}), dense({64, 64}), dense({64})});
  const traffic_estimate found = nested.traffic();
  EXPECT_EQ(found.loops_that_depend_on_data, 1);
  EXPECT_EQ(found.branches_that_depend_on_data, 1);
  EXPECT_THAT(traffic_text(nested.source, found), AllOf(HasSubstr("too low: 1 loops have bounds that are not followed"),
                                                        HasSubstr("inexact: 1 branches are not followed")));
}

// Where there are more blocks than are looked at.
TEST(Traffic, OfManyBlocksIsThatOfASample) {
  const explained all(triangle, {dense({1 << 15}, {8}), dense({1 << 15})});
  const double blocks = 4096, exact = (blocks * (blocks + 1) / 2 + blocks / 2) * 8 * 4;
  EXPECT_NEAR(all.traffic().loaded_bytes[1], exact, 0.01 * exact);
}

TEST(ScheduleText, NamesWhatIsSaid) {
  EXPECT_EQ(schedule_text({}), "left to the compiler");
  schedule given{.persistent = true, .num_ctas = 2, .deny_residual = true, .deterministic = true};
  given.of[1].tma = 0;
  EXPECT_EQ(schedule_text(given), "persistent, num_ctas 2, deny_residual, deterministic, tma(1) off");
}

}  // namespace
}  // namespace tilewright::test
