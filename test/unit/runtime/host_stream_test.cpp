// SPDX-License-Identifier: Apache-2.0
// Entries of a stream run once, in order, whoever runs them; waiting threads come back, failures arrive.
#include "runtime/host_stream.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "runtime/device_engine.hpp"

namespace tilewright::detail {
namespace {

// Notes the order in which entries run. No atomics: ThreadSanitizer would see two entries at the same time.
struct journal {
  struct note {
    journal* book;
    int number;
  };
  std::vector<int> numbers;

  static void write(void* context, stream_queue&) {
    const auto* made = static_cast<const note*>(context);
    made->book->numbers.push_back(made->number);
  }
};

void raise(void* flag, stream_queue&) { static_cast<std::atomic<bool>*>(flag)->store(true); }
void fail(void*, stream_queue&) { throw std::runtime_error("no"); }

class HostStream : public testing::Test {
 protected:
  host_stream stream{interp_engine()};
  journal book;
  std::vector<journal::note> notes;

  // Entries that write their number; kept until the test ends.
  void make_notes(int count) {
    for (int i = 0; i < count; ++i) notes.push_back({&book, i});
  }
  std::uint64_t push(int number) {
    return stream.push({journal::write, nullptr, &notes[static_cast<std::size_t>(number)]});
  }
  static std::vector<int> first_numbers(int count) {
    std::vector<int> made;
    for (int i = 0; i < count; ++i) made.push_back(i);
    return made;
  }
};

TEST_F(HostStream, RunsEntriesInOrder) {
  make_notes(1000);
  std::uint64_t last = 0;
  for (int i = 0; i < 1000; ++i) last = push(i);
  EXPECT_EQ(last, 1000u);
  stream.wait(last);
  EXPECT_EQ(book.numbers, first_numbers(1000));
}

TEST_F(HostStream, RunsMoreEntriesThanItHolds) {
  make_notes(100'000);
  for (int i = 0; i < 100'000; ++i) push(i);
  stream.wait(stream.last_ticket());
  EXPECT_EQ(book.numbers, first_numbers(100'000));
}

TEST_F(HostStream, RunsMoreEntriesThanItHoldsWhileAWaiterIsToRunThem) {
  make_notes(40'000);
  stream.hold();
  for (int i = 0; i < 40'000; ++i) push(i);
  stream.wait(stream.last_ticket());
  stream.let_go();
  EXPECT_EQ(book.numbers, first_numbers(40'000));
}

TEST_F(HostStream, RunsWhatWasPushedWhenNobodyWaits) {
  std::atomic<bool> ran{false};
  stream.push({raise, nullptr, &ran});
  while (!ran) std::this_thread::yield();
}

TEST_F(HostStream, RunsWhatWasHeldBackWhenTheHoldEnds) {
  std::atomic<bool> ran{false};
  stream.hold();
  stream.push({raise, nullptr, &ran});
  stream.let_go();
  while (!ran) std::this_thread::yield();
}

TEST_F(HostStream, LetsAnyNumberOfThreadsWaitForAnyEntry) {
  make_notes(20'000);
  std::atomic<int> faults{0};
  std::vector<std::thread> waiting;
  for (int t = 0; t < 4; ++t) {
    waiting.emplace_back([&, t] {
      for (std::uint64_t ticket = 1 + static_cast<std::uint64_t>(t); ticket <= 20'000; ticket += 7) {
        stream.wait(ticket);
        if (!stream.is_done(ticket)) ++faults;
      }
    });
  }
  for (int i = 0; i < 20'000; ++i) push(i);
  for (std::thread& thread : waiting) thread.join();
  EXPECT_EQ(faults.load(), 0);
  stream.wait(20'000);
  EXPECT_EQ(book.numbers, first_numbers(20'000));
}

TEST_F(HostStream, TakesEntriesFromSeveralThreads) {
  constexpr int threads = 4, each = 5000;
  make_notes(threads * each);
  std::vector<std::thread> pushing;
  for (int t = 0; t < threads; ++t) {
    pushing.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        const std::uint64_t ticket = push(t * each + i);
        if (i % 16 == 0) {
          stream.hold();
          stream.wait(ticket);
          stream.let_go();
        }
      }
    });
  }
  for (std::thread& thread : pushing) thread.join();
  stream.wait(stream.last_ticket());
  ASSERT_EQ(book.numbers.size(), static_cast<std::size_t>(threads * each));
  std::vector<int> next(threads);
  for (std::size_t t = 0; t < threads; ++t) next[t] = static_cast<int>(t) * each;
  for (const int number : book.numbers) ASSERT_EQ(number, next[static_cast<std::size_t>(number / each)]++);
}

TEST_F(HostStream, HandsTheFailureOfAnEntryToWhoAsksForItAndGoesOn) {
  make_notes(2);
  push(0);
  const std::uint64_t failing = stream.push({fail, nullptr, nullptr});
  const std::uint64_t last = push(1);
  stream.wait(last);
  EXPECT_EQ(book.numbers, first_numbers(2));
  EXPECT_NO_THROW(stream.throw_failure(last, last));
  EXPECT_THROW(stream.throw_failure(failing, failing), std::runtime_error);
  EXPECT_NO_THROW(stream.throw_failure(failing, failing)) << "it is delivered once";
}

TEST_F(HostStream, CallsDoneOnceBeforeAnEntryCountsAsDoneAlsoWhenItFailed) {
  int calls = 0;
  const auto count = [](void* context) {
    ++*static_cast<int*>(context);
    return std::exception_ptr();
  };
  const std::uint64_t good = stream.push({[](void*, stream_queue&) {}, count, &calls});
  stream.wait(good);
  EXPECT_EQ(calls, 1);
  const std::uint64_t bad = stream.push({fail, count, &calls});
  stream.wait(bad);
  EXPECT_EQ(calls, 2);
  EXPECT_THROW(stream.throw_failure(bad, bad), std::runtime_error);
}

TEST_F(HostStream, AFailureOfDoneIsTheEntrysOwn) {
  const std::uint64_t ticket = stream.push(
      {[](void*, stream_queue&) {}, [](void*) { return std::make_exception_ptr(std::runtime_error("no")); }, nullptr});
  stream.wait(ticket);
  EXPECT_THROW(stream.throw_failure(ticket, ticket), std::runtime_error);
  EXPECT_NO_THROW(stream.throw_failure(ticket, ticket));
}

TEST_F(HostStream, StartsWhatComesAfterWaitForWhenTheOtherStreamHasPassed) {
  host_stream other(interp_engine());
  std::atomic<bool> is_open{false};
  const std::uint64_t first = other.push({[](void* flag, stream_queue&) {
                                            while (!*static_cast<std::atomic<bool>*>(flag)) std::this_thread::yield();
                                          },
                                          nullptr, &is_open});
  stream.wait_for({&other, first});
  std::atomic<bool> ran{false};
  const std::uint64_t last = stream.push({raise, nullptr, &ran});
  EXPECT_FALSE(ran.load());
  is_open = true;
  stream.wait(last);
  EXPECT_TRUE(other.is_done(first));
  EXPECT_TRUE(ran.load());
}

TEST_F(HostStream, RunsWhatIsThereBeforeItEnds) {
  make_notes(1000);
  {
    host_stream ending(interp_engine());
    for (journal::note& note : notes) ending.push({journal::write, nullptr, &note});
  }
  EXPECT_EQ(book.numbers, first_numbers(1000));
}

}  // namespace
}  // namespace tilewright::detail
