// SPDX-License-Identifier: Apache-2.0
// scope(f): borrowed launches in flight, which are done when it returns; what conflicts with their loans; failures.
#include <gtest/gtest.h>

#include <concepts>
#include <stdexcept>
#include <thread>
#include <utility>

#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

const Device d = interp_device();
constexpr const char* conflict = "a tensor is used while a scope has lent it";

static_assert(!std::move_constructible<Scope> && !std::copy_constructible<Scope> && !std::default_initializable<Scope>);

// Runs launches of the calling thread's stream only once it is gone.
struct blocked_stream {
  Stream stream = d.stream();
  stream_gate gate{stream};
  bool is_open = false;
  void open() {
    if (!std::exchange(is_open, true)) gate.open();
  }
  ~blocked_stream() { open(); }
};

TEST(Scope, IsNotLeftBeforeItsLaunchesAreDone) {
  auto z = d.zeros<f32>({4});
  const auto x = d.full<f32>({4}, 2.0f);
  blocked_stream blocked;
  std::thread opener;
  scope([&](Scope& s) {
    s.start(add_one(z.partition({2}), x.borrow()));
    EXPECT_FALSE(blocked.stream.queue().is_done(blocked.stream.queue().last_ticket())) << "the host waited";
    opener = std::thread([&] { blocked.open(); });
  });
  opener.join();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 3.0f));
  auto given = std::move(z);  // nothing is lent any more
}

TEST(Scope, IsNotLeftByAnExceptionEither) {
  auto z = d.zeros<f32>({4});
  {
    blocked_stream blocked;
    std::thread opener;
    EXPECT_THROW(scope([&](Scope& s) {
                   s.start(increment(z.partition({2})));
                   opener = std::thread([&] { blocked.open(); });
                   throw std::length_error("of the caller");
                 }),
                 std::length_error);
    opener.join();
  }
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
  auto given = std::move(z);
}

TEST(Scope, GivesWhatItsFunctionReturned) {
  auto z = d.zeros<f32>({4});
  const int answer = scope([&](Scope& s) {
    s.start(increment(z.partition({2})));
    return 42;
  });
  EXPECT_EQ(answer, 42);
  Tensor<f32> made = scope([&](Scope& s) {
    auto [owned] = s.start(add_one(d.empty<f32>({4}).partition({4}), z.borrow()));
    return std::move(owned);
  });
  EXPECT_EQ(made.to_host(), std::vector<f32>(4, 2.0f));
}

TEST(Scope, LetsPartsThatShareNothingBeWrittenTogether) {
  auto z = d.from_host(counted(8), {8});
  const auto x = d.full<f32>({4}, 5.0f);
  const Stream other = d.new_stream();
  auto buffer = d.host_buffer<f32>({4});
  scope([&](Scope& s) {
    auto [head, tail] = z.split_at(0, 4);
    s.start(increment(head.partition({2})));
    s.start_on(other, add_one(tail.partition({2}), x.borrow()));
    s.start(copy(buffer.all(), x.borrow()));  // readers share
  });
  EXPECT_EQ(z.to_host(), (std::vector<f32>{1, 2, 3, 4, 6, 6, 6, 6}));
  EXPECT_EQ(buffer.span()[3], 5.0f);
}

TEST(Scope, RefusesASecondUseOfWhatIsWritten) {
  auto z = d.zeros<f32>({8});
  auto y = d.zeros<f32>({8});
  const auto x = d.zeros<f32>({8});
  scope([&](Scope& s) {
    s.start(increment(z.slice(0, 0, 4).partition({2})));
    const report told = usage_of([&] { s.start(add_one(z.slice(0, 3, 8).partition({5}), x.borrow())); });
    EXPECT_EQ(told.what, conflict);
    EXPECT_EQ(told.where, "kernel 'add_one'");
    EXPECT_NE(told.expected.find("kernel 'increment', parameter 0 (InOut): elements 0 to 3"), std::string::npos);
    EXPECT_NE(told.got.find("elements 3 to 7"), std::string::npos) << told.got;
    EXPECT_EQ(usage_of([&] { s.start(add_one(y.partition({8}), z.borrow())); }).what, conflict) << "read";
    EXPECT_EQ(usage_of([&] { increment(z.partition({8})).sync(); }).what, conflict) << "outside of the scope's start";
    EXPECT_EQ(usage_of([&] { (void)z.to_host(); }).what, conflict);
    s.start(increment(z.slice(0, 4, 8).partition({4})));
    s.start(increment(y.partition({8})));  // what was refused is not lent
  });
  EXPECT_EQ(z.to_host(), std::vector<f32>(8, 1.0f));
}

TEST(Scope, RefusesAWriterOfWhatIsRead) {
  auto z = d.zeros<f32>({4});
  auto x = d.zeros<f32>({4});
  auto buffer = d.host_buffer<f32>({4});
  scope([&](Scope& s) {
    s.start(add_one(z.partition({4}), x.borrow()));
    EXPECT_EQ(usage_of([&] { s.start(increment(x.partition({4}))); }).what, conflict);
    EXPECT_EQ(x.to_host(), std::vector<f32>(4, 0.0f)) << "the host may read it";
    s.start(copy(buffer.all(), x.borrow()));
    EXPECT_EQ(usage_of([&] { (void)buffer.span(); }).what, conflict);
    EXPECT_EQ(usage_of([&] { (void)std::as_const(buffer).span(); }).where, "span()");
  });
  EXPECT_EQ(buffer.span().size(), 4u);
}

TEST(Scope, RefusesToGiveALentTensorAway) {
  auto z = d.zeros<f32>({4});
  const auto give_away = [](Tensor<f32>& from) { Tensor<f32> taken(std::move(from)); };
  scope([&](Scope& s) {
    s.start(increment(z.partition({4})));
    EXPECT_EQ(usage_of([&] { give_away(z); }).what, "a Tensor was moved while it is lent");
  });
  give_away(z);
}

TEST(Scope, ReportsATensorThatDiesInItAndKeepsItsMemory) {
  static std::string told;
  const misuse_handler before = set_misuse_handler([](const char* text) { told = text; });
  scope([&](Scope& s) {
    const auto lend_a_local = [&] {
      auto z = d.zeros<f32>({4});
      s.start(increment(z.partition({4})));
    };
    lend_a_local();
  });
  set_misuse_handler(before);
  EXPECT_NE(told.find("destroyed while it is lent"), std::string::npos);
}

TEST(Scope, InsideAnotherSeesItsLoans) {
  auto z = d.zeros<f32>({4});
  auto y = d.zeros<f32>({4});
  scope([&](Scope& outer) {
    outer.start(increment(z.partition({4})));
    scope([&](Scope& inner) {
      EXPECT_EQ(usage_of([&] { inner.start(increment(z.partition({4}))); }).what, conflict);
      outer.start(increment(y.partition({4})));
    });
    EXPECT_EQ(usage_of([&] { (void)y.to_host(); }).what, conflict) << "lent by the outer one";
  });
  EXPECT_EQ(y.to_host(), z.to_host());
}

TEST(Scope, ThrowsTheFirstFailureAtItsEndAndLosesWhatFailed) {
  static constexpr auto quotient =
      kernel<"quotient">([](Out<i32, B> z, In<i32, dyn> x) { z.store(load_like(x, z) / load_like(x, z)); });
  auto bad = d.zeros<i32>({4}), also = d.zeros<i32>({4}), good = d.zeros<i32>({4});
  const auto zeros = d.zeros<i32>({4}), ones = d.full<i32>({4}, 1);
  bool went_on = false;
  EXPECT_THROW(scope([&](Scope& s) {
                 s.start(quotient(bad.partition({4}), zeros.borrow()));
                 s.start(quotient(also.partition({4}), zeros.borrow()));
                 s.start(quotient(good.partition({4}), ones.borrow()));
                 went_on = true;
               }),
               device_fault);
  EXPECT_TRUE(went_on);
  EXPECT_NO_THROW(d.stream().synchronize()) << "the second failure is dropped";
  EXPECT_THROW((void)bad.to_host(), device_fault);
  EXPECT_THROW((void)also.to_host(), device_fault);
  EXPECT_EQ(good.to_host(), std::vector<i32>(4, 1));
  scope([&](Scope& s) { s.start(copy(bad.all(), ones.borrow())); });
  EXPECT_EQ(bad.to_host(), std::vector<i32>(4, 1)) << "written anew";
}

TEST(Scope, KeepsToItsThreadAndOutOfCaptures) {
  auto z = d.zeros<f32>({4});
  scope([&](Scope& s) {
    std::thread([&] {
      auto y = d.zeros<f32>({4});
      EXPECT_EQ(usage_of([&] { s.start(increment(y.partition({4}))); }).what, "a Scope was used on another thread");
    }).join();
    EXPECT_EQ(usage_of([&] { (void)capture(d, [&] { s.start(increment(z.partition({4}))); }); }).what,
              "a launch of a Scope inside a capture");
  });
}

TEST(Scope, ChecksALaunchBeforeItIsEnqueued) {
  auto z = d.zeros<f32>({4});
  scope([&](Scope& s) {
    const auto lend_both = [&](Tensor<f32>& to, Tensor<f32>& from) {
      s.start(add_one(to.partition({4}), from.borrow()));
    };
    EXPECT_EQ(usage_of([&] { lend_both(z, z); }).what, "an output overlaps another argument");
    s.start(increment(z.partition({4})));
  });
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
}

}  // namespace
}  // namespace tilewright::test
