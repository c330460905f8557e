// SPDX-License-Identifier: Apache-2.0
// Misuse where no compiler sees it: thrown if possible, else told to the misuse handler. Memory stays safe.
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "unit/runtime/runtime_kernels.hpp"

TILEWRIGHT_BEGIN_OWNERS  // on purpose: these tests spend what is spent
TILEWRIGHT_TEST_UNFOLLOWED_LOANS

namespace tilewright::test {
namespace {

const Device host = interp_device();

Tensor<f32> zeros() { return host.zeros<f32>({4}); }

TEST(UseAfterGive, OfATensorIsAUsageError) {
  auto z = zeros();
  auto other = std::move(z);
  EXPECT_EQ(usage_of([&] { (void)z.to_host(); }).what, "use of a Tensor that was given away");
  EXPECT_THROW((void)z.shape(), usage_error);
  EXPECT_THROW((void)std::move(z).partition({4}), usage_error);
  EXPECT_THROW((void)std::move(z).share(), usage_error);
  EXPECT_THROW(increment(z.partition({4})).sync(), usage_error);
  EXPECT_THROW(add_one(zeros().partition({4}), std::move(z)).discard(), usage_error);
  z = std::move(other);
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 0.0f));
}

TEST(UseAfterGive, OfASharedIsAUsageError) {
  auto x = zeros().share();
  auto y = std::move(x);
  EXPECT_EQ(usage_of([&] { (void)x.to_host(); }).what, "use of a Shared that was given away");
  EXPECT_THROW(add_one(zeros().partition({4}), x).discard(), usage_error);
}

TEST(UseAfterGive, OfAnOpIsAUsageError) {
  auto op = increment(zeros().partition({4}));
  auto [z] = std::move(op).sync();
  EXPECT_EQ(usage_of([&] { (void)std::move(op).sync(); }).what, "Op: a second use");
  auto flying = increment(std::move(z).partition({4})).start();
  auto [again] = std::move(flying).wait();
  EXPECT_EQ(usage_of([&] { (void)std::move(flying).wait(); }).what, "InFlight: a second use");
}

// b26, which no compiler sees: a structured binding.
TEST(UseAfterGive, OfAPartOfAResultIsAUsageError) {
  auto [a, x] = add_one(zeros().partition({4}), zeros().share()).sync();
  auto [b] = increment(std::move(a).partition({4})).sync();
  EXPECT_THROW(increment(std::move(a).partition({4})).discard(), usage_error);
}

// b30, b47: one launch may not write what another loan sees.
TEST(NamedLoans, OfTheSameElementsAreComparedWithALaunch) {
  auto z = zeros(), y = zeros();
  {
    auto reader = z.borrow();
    EXPECT_EQ(usage_of([&] { increment(z.partition({4})).sync(); }).what,
              "a launch uses a Tensor while it is lent to others, and one of them writes");
    add_one(y.partition({4}), z.borrow()).sync();  // two readers
    add_one(y.partition({4}), std::move(reader)).sync();
    EXPECT_THROW(add_one(y.partition({4}), std::move(reader)).sync(), usage_error);
  }
  {
    auto first = z.partition({4}), second = z.partition({4});
    EXPECT_THROW(increment(std::move(first)).sync(), usage_error);
    EXPECT_THROW(add_one(y.partition({4}), z.borrow()).sync(), usage_error);
  }
  increment(z.partition({4})).sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
  EXPECT_EQ(y.to_host(), std::vector<f32>(4, 1.0f));
}

TEST(NamedLoans, OfOtherElementsDoNotMatter) {
  auto z = zeros();
  auto reader = z.slice(0, 0, 2).borrow();
  increment(z.slice(0, 2, 4).partition({2})).sync();
  auto writer = z.slice(0, 3, 4).partition({1});
  auto other = zeros();
  add_one(other.slice(0, 0, 2).partition({2}), std::move(reader)).sync();
  increment(z.slice(0, 2, 3).partition({1})).sync();
  increment(std::move(writer)).sync();
  EXPECT_EQ(z.slice(0, 0, 4).shape()[0], 4);
}

// b41, b46
TEST(NamedLoans, OfAWriterForbidReading) {
  auto z = zeros();
  auto op = increment(z.partition({4}));
  EXPECT_EQ(usage_of([&] { (void)z.to_host(); }).what, "a Tensor was read while it is lent to a writer");
  std::move(op).sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
}

TEST(UseAfterGive, OfATensorThatIsLentIsAUsageError) {
  auto z = zeros();
  auto op = increment(z.partition({4}));
  EXPECT_EQ(usage_of([&] { (void)std::move(z).share(); }).what, "a Tensor was moved while it is lent");
  std::move(op).sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
}

// ---- What only a destructor sees -----------------------------------------------------------------------------------
class Misuse : public testing::Test {
 protected:
  void SetUp() override {
    told.clear();
    set_misuse_handler([](const char* text) { told.emplace_back(text); });
  }
  void TearDown() override { set_misuse_handler(nullptr); }
  static inline std::vector<std::string> told;
};

// b05: on one path the op is never run.
TEST_F(Misuse, AnOpThatOnePathForgetsIsTold) {
  for (const bool is_run : {true, false}) {
    auto op = increment(zeros().partition({4}));
    if (is_run) (void)std::move(op).sync();
  }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0], "an Op was destroyed without having run; run it, or call discard()");
}

TEST_F(Misuse, AResultThatNobodyWaitsForIsTold) {
  { [[maybe_unused]] auto flying = increment(zeros().partition({4})).start(); }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0], "an InFlight was dropped; call wait(), or detach() to let it go on alone");
  host.synchronize();
}

TEST_F(Misuse, ABorrowedLaunchThatIsNotRunIsTold) {
  auto z = zeros();
  { [[maybe_unused]] auto op = increment(z.partition({4})); }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0], "a launch with borrowed tensors was destroyed without sync()");
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 0.0f));
}

// b18: the owner dies first. Its memory does not.
TEST_F(Misuse, ATensorThatDiesWhileLentIsToldAndItsMemoryKept) {
  const std::size_t before = host.memory().in_use_bytes;
  std::optional<Tensor<f32>> z(zeros());
  {
    auto op = increment(z->partition({4}));
    z.reset();
    std::move(op).sync();
  }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0], "a Tensor was destroyed while it is lent; run the borrowing launch first");
  EXPECT_EQ(host.memory().in_use_bytes, before) << "freed with the loan";
}

// b45: what was computed is gone before anybody saw it.
TEST_F(Misuse, OutputsThatAreDroppedInTheExpressionAreTold) {
  const auto x = zeros();
  (void)add_one(zeros().partition({4}), x.borrow()).sync();
  (void)sum_and_difference(zeros().partition({4}), zeros().partition({4}), x.borrow(), x.borrow()).sync();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[1],
            "what sync() gave back was dropped, and with it all that the launch computed; keep the tensors, or lend "
            "them");
}

TEST_F(Misuse, OutputsThatSomebodySawOrKeepsAreNot) {
  const auto x = zeros();
  const auto computed = [&] { return add_one(zeros().partition({4}), x.borrow()).sync(); };
  [[maybe_unused]] auto kept = add_one(zeros().partition({4}), x.borrow()).sync();
  EXPECT_EQ(std::get<0>(add_one(zeros().partition({4}), x.borrow()).sync()).to_host(), std::vector<f32>(4, 1.0f));
  EXPECT_EQ(std::get<0>(add_one(zeros().partition({4}), x.borrow()).sync()).shape()[0], 4);
  auto one =
      std::get<0>(sum_and_difference(zeros().partition({4}), zeros().partition({4}), x.borrow(), x.borrow()).sync());
  one = std::get<0>(add_one(std::move(one).partition({4}), x.borrow()).sync());
  { const auto shared = std::get<0>(add_one(zeros().partition({4}), x.borrow()).sync()).share(); }
  (void)increment(std::get<0>(add_one(zeros().partition({4}), x.borrow()).sync()).partition({4})).sync();
  (void)computed();
  EXPECT_TRUE(told.empty());
}

TEST_F(Misuse, IsSilentWhileAnExceptionUnwinds) {
  EXPECT_THROW(
      {
        [[maybe_unused]] auto op = increment(zeros().partition({4}));
        [[maybe_unused]] auto flying = increment(zeros().partition({4})).start();
        throw std::runtime_error("first");
      },
      std::runtime_error);
  EXPECT_TRUE(told.empty());
  host.synchronize();
}

TEST_F(Misuse, ALaunchThatIsRefusedIsNotAlsoTold) {
  auto z = zeros();
  EXPECT_THROW(add_one(z.partition({2}), host.zeros<f32>({2}).share()).sync(), usage_error);
  EXPECT_TRUE(told.empty());
}

TEST(MisuseHandler, PrintsAndAbortsByDefault) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH({ [[maybe_unused]] auto op = increment(zeros().partition({4})); },
               "tilewright: misuse: an Op was destroyed without having run");
}

TEST(MisuseHandler, GivesTheOneBefore) {
  const misuse_handler mine = [](const char*) {};
  EXPECT_EQ(set_misuse_handler(mine), nullptr);
  EXPECT_EQ(set_misuse_handler(nullptr), mine);
}

}  // namespace
}  // namespace tilewright::test

TILEWRIGHT_END_OWNERS
