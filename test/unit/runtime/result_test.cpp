// SPDX-License-Identifier: Apache-2.0
// Failures as values: which they are, and what of the arguments is kept.
#include "tilewright/runtime/result.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "unit/runtime/faulting_kernels.hpp"

TILEWRIGHT_BEGIN_OWNERS  // on purpose: some tests spend what is spent, or leave what must be spent

namespace tilewright::test {
namespace {

const Device host = cpu_device();

TEST(Result, HoldsWhatTheOpGives) {
  auto result = good_pick(host).try_sync();
  ASSERT_TRUE(result);
  auto [z, x, pages] = std::move(result).value();
  EXPECT_EQ(z.to_host(), page_two);
}

TEST(Result, OfAFailureKeepsTheArgumentsWithLostOutputs) {
  auto result = bad_pick(host).try_sync();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().parts().got, "9");
  auto arguments = std::move(result).arguments();
  ASSERT_TRUE(arguments.has_value());
  auto& [z, x, pages] = *arguments;
  EXPECT_EQ(x.to_host(), counted(16)) << "an input is as it was";
  EXPECT_THROW((void)z.to_host(), device_fault) << "an output is lost";
  EXPECT_NO_THROW(host.synchronize()) << "and the failure is told once";

  auto [again, x2, good] = pick_page(std::move(z).partition({4}), std::move(x), page(host, 2)).sync();
  EXPECT_EQ(again.to_host(), page_two) << "until it is written anew";
}

TEST(Result, ThrowsTheFailureWhenAskedForTheValue) {
  auto result = bad_pick(host).try_sync();
  EXPECT_THROW((void)std::move(result).value(), device_fault);
  EXPECT_THROW((void)std::move(result).value(), device_fault) << "as often as it is asked";
  EXPECT_TRUE(std::move(result).arguments().has_value());
  EXPECT_FALSE(std::move(result).arguments().has_value()) << "they are given once";
}

TEST(Result, GivesItsValueOnceAndNoErrorWhereThereIsNone) {
  auto result = good_pick(host).try_sync();
  EXPECT_EQ(usage_of([&] { (void)result.error(); }).what, "error() of a Result that has none");
  EXPECT_FALSE(std::move(result).arguments().has_value());
  auto [z, x, pages] = std::move(result).value();
  EXPECT_EQ(usage_of([&] { (void)std::move(result).value(); }).what, "value() of a Result that has none");
}

TEST(Result, OfWorkInFlight) {
  auto good = good_pick(host).start(), bad = bad_pick(host).start();
  auto failed = std::move(bad).try_wait();
  EXPECT_FALSE(failed);
  EXPECT_EQ(std::get<1>(*std::move(failed).arguments()).to_host(), counted(16));
  auto result = std::move(good).try_wait();
  ASSERT_TRUE(result);
  EXPECT_EQ(std::get<0>(std::move(result).value()).to_host(), page_two);
}

TEST(Result, OnAStreamOfItsOwn) {
  const Stream stream = host.new_stream();
  EXPECT_FALSE(bad_pick(host).try_sync_on(stream));
  EXPECT_NO_THROW(stream.synchronize());
}

TEST(Result, OfALaunchThatBorrows) {
  const auto x = pages_of(host);
  const auto bad = page(host, 9), good = page(host, 2);
  auto z = host.zeros<f32>({4});
  EXPECT_FALSE(pick_page(z.partition({4}), x.borrow(), bad.borrow()).try_sync());
  EXPECT_THROW((void)z.to_host(), device_fault);
  EXPECT_TRUE(pick_page(z.partition({4}), x.borrow(), good.borrow()).try_sync());
  EXPECT_EQ(z.to_host(), page_two);
}

TEST(Result, LeavesMistakesAndForeignExceptionsAlone) {
  EXPECT_THROW((void)increment(host.zeros<f32>({4}).partition({4})).try_sync_on(interp_device().stream()), usage_error);
  EXPECT_THROW((void)good_pick(host).map([](picked) -> int { throw std::logic_error("mine"); }).try_sync(),
               std::logic_error);
}

TEST(Result, OfAChainKeepsTheArgumentsOfItsLastOp) {
  const auto next = [](picked given) { return increment(std::move(std::get<0>(given)).partition({4})); };
  auto result = bad_pick(host).then(next).try_sync();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().parts().got, "9");
  auto arguments = std::move(result).arguments();
  ASSERT_TRUE(arguments.has_value());
  EXPECT_THROW((void)std::get<0>(*arguments).to_host(), device_fault);
  EXPECT_NO_THROW(host.synchronize());
}

TEST(Result, OfAChainThatBreaksBeforeItsLastOpKeepsNothing) {
  const auto broken = [](picked given) -> Op<std::tuple<Tensor<f32>>> {
    if (std::get<0>(given).shape().rank() == 1) find_no_next_op();
    return increment(std::move(std::get<0>(given)).partition({4}));
  };
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  auto result = good_pick(host).then(broken).try_sync();
  ASSERT_FALSE(result);
  EXPECT_STREQ(result.error().parts().what.c_str(), "no next op");
  EXPECT_FALSE(std::move(result).arguments().has_value());
  EXPECT_EQ(host.memory().in_use_bytes, before);
}

int dropped = 0;
TEST(Result, ThatNobodyLooksAtIsMisuse) {
  dropped = 0;
  const misuse_handler before = set_misuse_handler([](const char*) { ++dropped; });
  { [[maybe_unused]] const auto unseen = good_pick(host).try_sync(); }
  EXPECT_EQ(dropped, 1);
  { EXPECT_TRUE(good_pick(host).try_sync()); }
  EXPECT_EQ(dropped, 1);
  set_misuse_handler(before);
}

// ---- map -----------------------------------------------------------------------------------------------------------
constexpr auto read = [](auto given) { return std::get<0>(given).to_host(); };

TEST(Map, MakesAValueOfResults) {
  EXPECT_EQ(good_pick(host).map(read).sync(), page_two);
  const float sum = good_pick(host)
                        .map(read)
                        .map(
                            [](std::vector<f32> values, f32 factor) {
                              f32 total = 0;
                              for (const f32 each : values) total += each;
                              return total * factor;
                            },
                            2.0f)
                        .sync();
  EXPECT_EQ(sum, 76.0f);
}

TEST(Map, RunsOnTheThreadThatWaitsWhenTheWorkIsDone) {
  static std::thread::id where;
  const Stream stream = host.new_stream();
  stream_gate gate(stream);
  auto flying = good_pick(host)
                    .map([](auto given) {
                      where = std::this_thread::get_id();
                      return std::get<0>(given).to_host();
                    })
                    .start_on(stream);
  EXPECT_TRUE(where == std::thread::id());
  gate.open();
  EXPECT_EQ(std::move(flying).wait(), page_two);
  EXPECT_TRUE(where == std::this_thread::get_id());
}

TEST(Map, ComesAfterTheLastOfAChain) {
  auto values = good_pick(host)
                    .then([](auto given) { return increment(std::move(std::get<0>(given)).partition({4})).map(read); })
                    .sync();
  EXPECT_EQ(values, (std::vector<f32>{9, 10, 11, 12}));
}

TEST(Map, IsNotCalledWhenTheWorkFailed) {
  static int calls = 0;
  calls = 0;
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  const auto count = [](picked) { return ++calls; };
  EXPECT_THROW((void)bad_pick(host).map(count).sync(), device_fault);
  auto result = bad_pick(host).map(count).try_sync();
  EXPECT_FALSE(result);
  EXPECT_FALSE(std::move(result).arguments().has_value());
  good_pick(host).map(count).start().detach();
  host.synchronize();
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(host.memory().in_use_bytes, before) << "what it was to get is freed";
}

TEST(Map, LetsTheExceptionOfItsFunctionThroughAndGoesOn) {
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  EXPECT_THROW((void)good_pick(host).map([](picked) -> int { throw std::runtime_error("no"); }).sync(),
               std::runtime_error);
  EXPECT_EQ(host.memory().in_use_bytes, before);
  EXPECT_NO_THROW(host.synchronize());
}

TEST(Map, IsRefusedInACapture) {
  auto op = good_pick(host).map(read);
  EXPECT_EQ(usage_of([&] { (void)capture(host, [&] { (void)std::move(op).sync(); }); }).what, "map() inside a capture");
}

}  // namespace
}  // namespace tilewright::test

TILEWRIGHT_END_OWNERS
