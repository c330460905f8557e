// SPDX-License-Identifier: Apache-2.0
// A device that looks at what kernels do: where NaN begin, reads of what nobody wrote, and values by block.
#include "tilewright/runtime/debug.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "unit/runtime/faulting_kernels.hpp"

namespace tilewright::test {
namespace {

using place = std::vector<index_t>;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

debug_finding single(const debug_report& report) {
  EXPECT_EQ(report.findings.size(), 1u) << to_text(report);
  return report.findings.empty() ? debug_finding() : report.findings[0];
}

// ---- NaN -----------------------------------------------------------------------------------------------------------
constexpr int quotient_line = __LINE__ + 3;
constexpr auto quotients = kernel<"quotients">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y) {
  const auto top = load_like(x, z);
  const auto quotient = top / load_like(y, z);
  z.store((quotient + 1.0f) * 2.0f);
});

TEST(DebugNan, IsAFindingWhereItBegins) {
  const Device device = debug_device();
  auto z = device.zeros<f32>({10});
  const auto x = device.from_host<f32>({1, 1, 1, 1, 1, 0, 1, 0, 1, 1}, {10}).share();
  const auto y = device.from_host<f32>({1, 1, 1, 1, 1, 0, 1, 0, 1, 1}, {10}).share();
  quotients(z.partition({4}), x, y).sync();
  const debug_finding found = single(take_debug_report(device));
  EXPECT_EQ(found.what, debug_fault::nan);
  EXPECT_EQ(found.place.kernel, "quotients");
  EXPECT_EQ(found.place.file, "debug_test.cpp");
  EXPECT_EQ(found.place.line, quotient_line);
  EXPECT_EQ(found.place.operation, "divide");
  EXPECT_EQ(found.place.block, place{1});
  EXPECT_EQ(found.parameter, 0);
  EXPECT_EQ(found.element, place{5});
  EXPECT_EQ(found.got, "divide(0, 0) = nan");
  EXPECT_EQ(found.count, 2);
  EXPECT_TRUE(take_debug_report(device).findings.empty());  // taken
}

// The last block divides 0 by 0 past the end of the tensors, which is nobody's fault.
TEST(DebugNan, IsNoFindingPastTheEdge) {
  const Device device = debug_device();
  auto z = device.zeros<f32>({5});
  quotients(z.partition({4}), device.full<f32>({5}, 1).share(), device.full<f32>({5}, 1).share()).sync();
  EXPECT_TRUE(take_debug_report(device).findings.empty());
}

// Nobody uses the sum, so its step is not checked; here nothing takes the range away, which is to end all the same.
constexpr auto unused_range = kernel<"unused_range">([](Block b, Out<i32, 4> z, In<i32, dyn> x, In<i32, dyn> steps) {
  const auto step = to_index(reshape(steps.load(tile<1>, 0), tile<>));
  auto total = b.zeros<i32>(tile<4>);
  for (auto j : range(1, x.partition(tile<4>).tiles(0), step)) total = total + x.load(tile<4>, j);
  z.store(x.load(tile<4>, b.pid(0)));
});

TEST(DebugLoop, WhoseStepNobodyChecksEnds) {
  const Device device = debug_device();
  auto z = device.zeros<i32>({8});
  const auto x = device.from_host<i32>({1, 2, 3, 4, 5, 6, 7, 8}, {8}).share();
  unused_range(z.partition({4}), x, device.zeros<i32>({1}).share()).sync();
  EXPECT_EQ(z.to_host(), (std::vector<i32>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(DebugNan, OfTheHostIsFoundWhereItIsLoaded) {
  const Device device = debug_device();
  auto z = device.zeros<f32>({4}), z2 = device.zeros<f32>({4});
  const auto x = device.from_host<f32>({1, 2, nan, 4}, {4}).share();
  add_one(z.partition({2}), x).sync();
  const debug_finding found = single(take_debug_report(device));
  EXPECT_EQ(found.place.operation, "load");
  EXPECT_EQ(found.got, "nan in parameter 1 (In) at [2], from the host");
  EXPECT_EQ(found.element, place{2});
  // In the next launch it is what the first one stored.
  add_one(z2.partition({2}), z.borrow()).sync();
  EXPECT_TRUE(take_debug_report(device).findings.empty());
  EXPECT_TRUE(std::isnan(z2.to_host()[2]));
}

TEST(DebugNan, OfAScalarIsTheHosts) {
  const Device device = debug_device();
  auto z = device.zeros<f32>({4});
  scale(z.partition({4}), nan, device.full<f32>({4}, 1).share()).sync();
  const debug_finding found = single(take_debug_report(device));
  EXPECT_EQ(found.place.operation, "scalar");
  EXPECT_EQ(found.got, "nan given as an argument");
}

constexpr auto guarded = kernel<"guarded">([](Out<f32, B> z, In<f32, dyn> x) {
  const auto v = load_like(x, z);
  z.store(select(v > 0.0f, log(v), 0.0f));
});

// Sums of quotients, by a combiner: NaN begins in the quotient, or where infinities of both signs meet.
constexpr auto row_sums = kernel<"row_sums">([](Out<f32, 1> z, In<f32, 4> x, In<f32, 4> y) {
  auto quotient = x.load(tile<4>, 0) / y.load(tile<4>, 0);
  auto [sum, count] = reduce<0>(values(quotient, quotient), identity(0, 0), [](const auto& a, const auto& b) {
    return values(a.first + b.first, a.second + 1.0f);
  });
  z.store(sum + count * 0.0f);
});

TEST(DebugNan, OfACombinerIsItsOperandsOrItsOwn) {
  const Device device = debug_device();
  auto z = device.zeros<f32>({1});
  const auto y = device.from_host<f32>({1, 0, 1, 0}, {4}).share();
  row_sums(z.partition({1}), device.from_host<f32>({1, 0, 1, 1}, {4}).share(), y).sync();
  EXPECT_EQ(single(take_debug_report(device)).place.operation, "divide");
  row_sums(z.partition({1}), device.from_host<f32>({1, -1, 1, 1}, {4}).share(), y).sync();
  const debug_finding own = single(take_debug_report(device));
  EXPECT_EQ(own.place.operation, "reduce_begin");
  EXPECT_EQ(own.got, "reduce_begin of 4 elements = nan");
}

TEST(DebugNan, ThatASelectDropsIsNone) {
  const Device device = debug_device();
  auto z = device.zeros<f32>({4});
  guarded(z.partition({4}), device.from_host<f32>({-1, 1, -2, 3}, {4}).share()).sync();
  EXPECT_TRUE(take_debug_report(device).findings.empty());
}

constexpr auto doubled_sum = kernel<"doubled_sum">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
  auto total = load_like(x, z) * 0.0f;
  for ([[maybe_unused]] auto i : b.range(3)) {
    total = total + load_like(x, z) * 1e38f;
  }
  z.store(total - total);
});

TEST(DebugNan, OfALoopIsFoundBehindIt) {
  const Device device = debug_device();
  auto z = device.zeros<f32>({2});
  doubled_sum(z.partition({2}), device.from_host<f32>({1, 3}, {2}).share()).sync();
  const debug_finding found = single(take_debug_report(device));
  EXPECT_EQ(found.place.operation, "subtract");
  EXPECT_EQ(found.got, "subtract(inf, inf) = nan");
  EXPECT_EQ(found.element, place{1});
}

TEST(DebugInfinity, IsAFindingWhereItIsAskedFor) {
  debug_options options;
  options.has_infinity = true;
  const Device device = debug_device(options);
  auto z = device.zeros<f32>({4});
  scale(z.partition({4}), 3e38f, device.full<f32>({4}, 2).share()).sync();
  const debug_finding found = single(take_debug_report(device));
  EXPECT_EQ(found.what, debug_fault::infinity);
  EXPECT_EQ(found.place.operation, "multiply");
  EXPECT_EQ(found.count, 4);
}

// ---- Uninitialised -------------------------------------------------------------------------------------------------
TEST(DebugUninitialised, IsAReadOfWhatNobodyWrote) {
  const Device device = debug_device();
  auto z = device.empty<f32>({6});
  const auto x = device.empty<f32>({6}).share();
  add(z.partition({4}), x, device.zeros<f32>({6}).share()).sync();
  const debug_finding found = single(take_debug_report(device));
  EXPECT_EQ(found.what, debug_fault::uninitialised);
  EXPECT_EQ(found.place.operation, "load");
  EXPECT_EQ(found.place.block, place{0});
  EXPECT_EQ(found.parameter, 1);
  EXPECT_EQ(found.element, place{0});
  EXPECT_EQ(found.count, 6);  // no lane past the end
}

TEST(DebugUninitialised, IsNoneOnceALaunchOrACopyHasWritten) {
  const Device device = debug_device();
  auto first = device.empty<f32>({6}), copied = device.empty<f32>({6}), last = device.empty<f32>({6});
  add_one(first.partition({4}), device.zeros<f32>({6}).share()).sync();
  copy(copied.all(), first.borrow()).sync();
  add_one(last.partition({4}), copied.borrow()).sync();
  EXPECT_TRUE(take_debug_report(device).findings.empty());
  EXPECT_EQ(last.to_host(), std::vector<f32>(6, 2.0f));
}

TEST(DebugUninitialised, IsCopiedWithTheElements) {
  const Device device = debug_device();
  auto copied = device.zeros<f32>({6}), z = device.empty<f32>({6});
  const auto source = device.empty<f32>({4});
  copy(copied.slice(0, 2, 6).all(), source.borrow()).sync();
  add_one(z.partition({6}), copied.borrow()).sync();
  const debug_finding found = single(take_debug_report(device));
  EXPECT_EQ(found.element, place{2});
  EXPECT_EQ(found.count, 4);
}

TEST(DebugUninitialised, IsAnInOutThatWasNeverWritten) {
  const Device device = debug_device();
  auto z = device.empty<f32>({4});
  increment(z.partition({4})).sync();
  EXPECT_EQ(single(take_debug_report(device)).place.operation, "load_piece");
  increment(z.partition({4})).sync();
  EXPECT_TRUE(take_debug_report(device).findings.empty());
}

TEST(DebugUninitialised, IsMemoryThatIsUsedAnew) {
  const Device device = debug_device();
  (void)device.zeros<f32>({1000});
  auto z = device.empty<f32>({1000});
  increment(z.partition({1000})).sync();
  EXPECT_EQ(single(take_debug_report(device)).count, 1000);
}

// ---- Values, and the device itself ---------------------------------------------------------------------------------
TEST(DebugDevice, ComputesAsTheInterpreterDoes) {
  const Device device = debug_device();
  auto z = device.empty<f32>({77});
  add(z.partition({19}), device.iota<f32>({77}).share(), device.iota<f32>({77}).share()).sync();
  EXPECT_EQ(z.to_host()[76], 152.0f);
  EXPECT_STREQ(device.name(), "debug");
}

TEST(DebugDevice, KeepsTheFirstRoundsOfALoop) {
  debug_options options;
  options.has_every_block = true;
  options.rounds = 2;
  const Device device = debug_device(options);
  auto z = device.zeros<f32>({2});
  doubled_sum(z.partition({2}), device.zeros<f32>({2}).share()).sync();
  const debug_report report = take_debug_report(device);
  std::int64_t sums = 0;
  for (const debug_tile& each : report.tiles) sums += each.place.operation == "add" ? 1 : 0;
  EXPECT_EQ(sums, 2);
  EXPECT_GT(report.later_rounds, 0);
}

// Lines of the tests move.
std::string without_lines(const std::string& text) {
  return std::regex_replace(text, std::regex("debug_test.cpp:[0-9]+"), "debug_test.cpp:LINE");
}

constexpr auto plain = kernel<"plain">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z)); });

TEST(DebugDevice, PrintsTilesAndFindings) {
  debug_options options;
  options.blocks = {{1}};
  const Device device = debug_device(options);
  auto z = device.zeros<f32>({6});
  plain(z.partition({4}), device.from_host<f32>({0, 1, 2, 3, nan, 5.5}, {6}).share()).sync();
  const std::string finding =
      "  kernel 'plain' at debug_test.cpp:LINE, block [1]: NaN begins here and reaches an output; got nan in parameter "
      "1 "
      "(In) at [4], from the host; stored to parameter 0 at [4]; look at the host code that gave the argument\n";
  EXPECT_EQ(without_lines(to_text(take_debug_report(device))), R"(block [1] of 'plain'
  debug_test.cpp:LINE block_id index: 1
  debug_test.cpp:LINE load f32[4]: from 5.5 to 5.5, 1 NaN, 2 outside
    nan 5.5   .   .
  debug_test.cpp:LINE store f32[4]: from 5.5 to 5.5, 1 NaN, 2 outside
    nan 5.5   .   .
1 finding
)" + finding);
}

// There is no page 9: the launch says so, as on any device, and nothing of it was read.
TEST(DebugDevice, LeavesFaultsToTheLaunch) {
  const Device device = debug_device();
  EXPECT_THROW((void)bad_pick(device).sync(), device_fault);
  EXPECT_TRUE(take_debug_report(device).findings.empty());
}

TEST(DebugDevice, AloneMakesReports) {
  EXPECT_EQ(usage_of([] { (void)take_debug_report(interp_device()); }).what,
            "a report is asked of a device that makes none");
}

}  // namespace
}  // namespace tilewright::test
