// SPDX-License-Identifier: Apache-2.0
// Ops: when they run, in which order, and what reaches whom.
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

const Device host = interp_device();

TEST(Op, RunsNothingBeforeItIsRun) {
  auto z = host.zeros<f32>({4});
  const auto before = host.stream().queue().last_ticket();
  auto op = increment(std::move(z).partition({4}));
  EXPECT_EQ(host.stream().queue().last_ticket(), before);
  auto [back] = std::move(op).sync();
  EXPECT_EQ(back.to_host(), std::vector<f32>(4, 1.0f));
}

TEST(Op, StartReturnsBeforeTheWorkIsDone) {
  const Stream stream = host.new_stream();
  stream_gate gate(stream);
  auto flying = increment(host.zeros<f32>({4}).partition({4})).start_on(stream);
  EXPECT_FALSE(stream.queue().is_done(stream.queue().last_ticket()));
  gate.open();
  auto [z] = std::move(flying).wait();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
}

TEST(Op, RunsOnTheStreamItIsGiven) {
  const Stream stream = host.new_stream();
  const auto before = stream.queue().last_ticket();
  auto [z] = increment(host.zeros<f32>({4}).partition({4})).sync_on(stream);
  EXPECT_EQ(stream.queue().last_ticket(), before + 1);
  EXPECT_EQ(host.stream(), host.stream());
  EXPECT_NE(host.stream(), stream);
}

TEST(Op, OnAStreamOfAnotherDeviceIsRefused) {
  EXPECT_EQ(usage_of([] { (void)increment(host.zeros<f32>({4}).partition({4})).sync_on(cpu_device().stream()); }).what,
            "work of one device on a stream of another");
}

TEST(Op, KeepsWhatIsInFlightAlive) {
  host.synchronize();
  const Stream stream = host.new_stream();
  const std::size_t before = host.memory().in_use_bytes;
  stream_gate gate(stream);
  {
    const auto x = host.iota<f32>({1000}).share();
    add_one(host.zeros<f32>({1000}).partition({100}), x).start_on(stream).detach();
  }
  EXPECT_EQ(host.memory().in_use_bytes, before) << "later work of the stream may have it";
  const auto written = host.full<f32>({1000}, 7.0f), other = host.full<f32>({1000}, 7.0f);  // by the host, at once
  gate.open();
  stream.synchronize();
  EXPECT_EQ(written.to_host(), std::vector<f32>(1000, 7.0f));
  EXPECT_EQ(other.to_host(), std::vector<f32>(1000, 7.0f));
}

TEST(Op, InFlightHoldsItsInputs) {
  const Stream stream = host.new_stream();
  stream_gate gate(stream);
  auto x = host.iota<f32>({4}).share();
  auto flying = add_one(host.zeros<f32>({4}).partition({4}), x).start_on(stream);
  EXPECT_THROW((void)std::move(x).into_unique(), usage_error);
  gate.open();
  {
    auto [z, y] = std::move(flying).wait();
    EXPECT_EQ(z.to_host(), counted(4, 1.0f));
  }
  EXPECT_EQ(std::move(x).into_unique().to_host(), counted(4));
}

TEST(Op, AndItsFlightCanBeAssigned) {
  auto op = increment(host.zeros<f32>({4}).partition({4}));
  auto flying = std::move(op).start();
  for (int i = 0; i < 3; ++i) {
    auto [z] = std::move(flying).wait();
    op = increment(std::move(z).partition({2}));
    flying = std::move(op).start();
  }
  auto [z] = std::move(flying).wait();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 4.0f));
}

TEST(Op, DiscardedRunsNever) {
  const auto before = host.stream().queue().last_ticket();
  increment(host.zeros<f32>({4}).partition({4})).discard();
  EXPECT_EQ(host.stream().queue().last_ticket(), before);
}

// ---- then ----------------------------------------------------------------------------------------------------------
constexpr auto increment_again = [](auto given) { return increment(std::move(std::get<0>(given)).partition({2})); };

TEST(Then, RunsOneOpAfterTheOther) {
  auto [z] = increment(host.zeros<f32>({4}).partition({4})).then(increment_again).then(increment_again).sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 3.0f));
}

TEST(Then, TakesOwnedStateAlong) {
  const auto x = host.iota<f32>({4}).share();
  auto [z, y] = increment(host.zeros<f32>({4}).partition({4}))
                    .then(
                        [](auto given, Shared<f32> other, f32 factor) {
                          return scale(std::move(std::get<0>(given)).partition({2}), factor, std::move(other));
                        },
                        x, 3.0f)
                    .sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{0, 3, 6, 9}));
}

TEST(Then, CallsItsFunctionWhenTheOpIsEnqueued) {
  static int calls = 0;
  calls = 0;
  const Stream stream = host.new_stream();
  stream_gate gate(stream);
  auto op = increment(host.zeros<f32>({4}).partition({4})).then([](auto given) {
    ++calls;
    return increment(std::move(std::get<0>(given)).partition({4}));
  });
  EXPECT_EQ(calls, 0);
  auto flying = std::move(op).start_on(stream);
  EXPECT_EQ(calls, 1) << "although nothing has run yet";
  gate.open();
  auto [z] = std::move(flying).wait();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 2.0f));
}

TEST(Then, RefusesToReadWhatIsNotComputedYet) {
  EXPECT_EQ(usage_of([] {
              (void)increment(host.zeros<f32>({4}).partition({4}))
                  .then([](auto given) {
                    (void)std::get<0>(given).to_host();
                    return increment(std::move(std::get<0>(given)).partition({4}));
                  })
                  .sync();
            }).what,
            "to_host() inside a function given to then()");
  EXPECT_EQ(usage_of([] {
              (void)increment(host.zeros<f32>({4}).partition({4}))
                  .then([](auto given) {
                    increment(std::get<0>(given).partition({4})).sync();
                    return increment(std::move(std::get<0>(given)).partition({4}));
                  })
                  .sync();
            }).what,
            "sync() inside a function given to then()");
  EXPECT_EQ(usage_of([] {
              (void)increment(host.zeros<f32>({4}).partition({4}))
                  .then([](auto given) {
                    auto [z] = increment(std::move(std::get<0>(given)).partition({4})).start().wait();
                    return increment(std::move(z).partition({4}));
                  })
                  .sync();
            }).what,
            "wait() inside a function given to then()");
}

TEST(Then, LetsTheExceptionOfItsFunctionThroughAndGoesOn) {
  host.synchronize();
  const std::size_t before = host.memory().in_use_bytes;
  EXPECT_THROW((void)increment(host.zeros<f32>({4}).partition({4}))
                   .then([](auto given) {
                     if (std::get<0>(given).shape().rank() == 1) throw std::runtime_error("no");
                     return increment(std::move(std::get<0>(given)).partition({4}));
                   })
                   .sync(),
               std::runtime_error);
  host.synchronize();
  EXPECT_EQ(host.memory().in_use_bytes, before);
  auto [z] = increment(host.zeros<f32>({4}).partition({4})).sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
}

// ---- Order between streams -----------------------------------------------------------------------------------------
TEST(Streams, ATensorInFlightIsWaitedForOnAnotherStream) {
  static Shared<f32>* leaked = nullptr;
  const Stream slow = host.new_stream(), fast = host.new_stream();
  stream_gate gate(slow);
  increment(host.zeros<f32>({4}).partition({4}))
      .then([](auto given) {
        auto shared = std::move(std::get<0>(given)).share();
        leaked = new Shared<f32>(shared);
        return add_one(host.zeros<f32>({4}).partition({4}), shared);
      })
      .start_on(slow)
      .detach();
  auto flying = add_one(host.zeros<f32>({4}).partition({4}), *leaked).start_on(fast);
  EXPECT_FALSE(fast.queue().is_done(fast.queue().last_ticket()));
  gate.open();
  auto [z, x] = std::move(flying).wait();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 2.0f));
  slow.synchronize();
  delete leaked;
}

TEST(Streams, DeliverTheFailureOfAnEntryThatNobodyWaitedFor) {
  const Stream stream = host.new_stream();
  stream.queue().push({[](void*, detail::stream_queue&) { throw std::runtime_error("lost"); }, nullptr, nullptr});
  EXPECT_THROW(stream.synchronize(), std::runtime_error);
  stream.synchronize();
}

// ---- Prepared launches ---------------------------------------------------------------------------------------------
TEST(PreparedLaunch, RunsAgainAndAgain) {
  auto prepared = prepare(increment(host.zeros<f32>({4}).partition({4})));
  for (int i = 0; i < 10; ++i) prepared.enqueue();
  prepared.sync();
  auto [z] = std::move(prepared).finish();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 11.0f));
}

// A failure that comes with `done`, as a GPU's would: from a stream, under the ticket of an entry.
class FailedRun : public testing::Test {
 protected:
  static detail::event failed_on(const Stream& stream) {
    const auto fail = [](void*, detail::stream_queue&) { throw std::runtime_error("lost"); };
    return {&stream.queue(), stream.queue().push({fail, nullptr, nullptr})};
  }
  const Stream first = host.new_stream(), second = host.new_stream();
  detail::flights flights;
};

TEST_F(FailedRun, ReachesTheNextWaitThoughLaterOnesSucceeded) {
  flights.add(failed_on(first));
  flights.add({&first.queue(), first.queue().push({[](void*, detail::stream_queue&) {}, nullptr, nullptr})});
  EXPECT_THROW(flights.wait(), std::runtime_error);
  EXPECT_NO_THROW(flights.wait()) << "it is delivered once";
}

TEST_F(FailedRun, IsFoundOnEachStream) {
  flights.add(failed_on(first));
  flights.add(failed_on(second));
  flights.add({&first.queue(), first.queue().push({[](void*, detail::stream_queue&) {}, nullptr, nullptr})});
  EXPECT_THROW(flights.wait(), std::runtime_error);
  EXPECT_NO_THROW(flights.wait());
  EXPECT_NO_THROW(first.synchronize());
  EXPECT_NO_THROW(second.synchronize());
}

TEST(PreparedLaunch, EndsAfterWhatIsInFlight) {
  const Stream stream = host.new_stream();
  stream_gate gate(stream);
  std::thread opener;
  {
    auto prepared = prepare(increment(host.zeros<f32>({4}).partition({4})));
    prepared.enqueue_on(stream);
    opener = std::thread([&] { gate.open(); });
  }
  EXPECT_TRUE(stream.queue().is_done(stream.queue().last_ticket()));
  opener.join();
}

TEST(PreparedLaunch, OfAChainIsRefused) {
  EXPECT_EQ(usage_of([] { (void)prepare(increment(host.zeros<f32>({4}).partition({4})).then(increment_again)); }).what,
            "a chain of ops cannot be prepared");
}

}  // namespace
}  // namespace tilewright::test
