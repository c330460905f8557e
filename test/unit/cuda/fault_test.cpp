// SPDX-License-Identifier: Apache-2.0
// A check that fails in a kernel on a GPU loses what that launch writes, and what is computed from it, and nothing
// else, whichever stream is waited for first.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/cuda/cuda_stream.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/lang/lang.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

class FaultOnCuda : public OnCuda {};
INSTANTIATE_TEST_SUITE_P(Cuda, FaultOnCuda, testing::Values(place::fake, place::delayed_fake, place::driver),
                         testing::PrintToStringParamName());

// z block b is tile pages[b] of x.
inline constexpr auto pick = kernel<"pick">([](Block b, Out<f32, B> z, In<f32, dyn> x, In<i32, dyn> pages) {
  auto page = to_index(reshape(pages.load(tile<1>, b.pid(0)), tile<>));
  z.store(x.load(tile<B>, page));
});

struct inputs {
  explicit inputs(const Device& device)
      : table(device.iota<f32>({16}).share()),  // 4 tiles of 4
        good(device.from_host(std::vector<i32>{2}, {1}).share()),
        bad(device.from_host(std::vector<i32>{9}, {1}).share()) {}
  Shared<f32> table;
  Shared<i32> good, bad;
};
const std::vector<f32> third = {8, 9, 10, 11};

auto pick_one(const Device& device, const inputs& given, const Shared<i32>& page) {
  return pick(device.zeros<f32>({4}).partition({4}), given.table, page);
}

TEST_P(FaultOnCuda, IsThrownBySyncAndTheDeviceGoesOn) {
  on_device([](const Device& device) {
    const inputs given(device);
    for (int i = 0; i < 3; ++i) {
      EXPECT_THROW((void)pick_one(device, given, given.bad).sync(), device_fault);
      auto [z, x, page] = pick_one(device, given, given.good).sync();
      EXPECT_EQ(z.to_host(), third);
    }
    EXPECT_NO_THROW(device.synchronize());
  });
}

TEST_P(FaultOnCuda, OfAPreparedLaunchOnSeveralStreamsReachesFinish) {
  on_device([](const Device& device) {
    const inputs given(device);
    const Stream first = device.new_stream(), second = device.new_stream();
    auto prepared = prepare(pick_one(device, given, given.bad));
    prepared.enqueue_on(first);
    prepared.enqueue_on(second);
    EXPECT_THROW((void)std::move(prepared).finish(), device_fault);
    EXPECT_NO_THROW(device.synchronize());
  });
}

TEST_P(FaultOnCuda, ReachesWhoComputesFromTheLostOutput) {
  on_device([](const Device& device) {
    const inputs given(device);
    auto flying = pick_one(device, given, given.bad)
                      .then([](auto taken) { return increment(std::move(std::get<0>(taken)).partition({2})); })
                      .start();
    EXPECT_THROW((void)std::move(flying).wait(), device_fault);
    EXPECT_NO_THROW(device.synchronize());
  });
}

TEST_P(FaultOnCuda, OfOneLaunchLeavesTheOthersInFlightAlone) {
  on_device([](const Device& device) {
    const inputs given(device);
    using flight = decltype(pick_one(device, given, given.good).start());
    std::vector<flight> flying;
    for (int i = 0; i < 300; ++i)
      flying.push_back(pick_one(device, given, i % 10 == 3 ? given.bad : given.good).start());
    for (int i = 0; i < 300; ++i) {
      flight mine = std::move(flying[static_cast<std::size_t>(i)]);
      if (i % 10 == 3) {
        EXPECT_THROW((void)std::move(mine).wait(), device_fault) << i;
        continue;
      }
      auto [z, x, page] = std::move(mine).wait();
      EXPECT_EQ(z.to_host(), third) << i;
    }
  });
}

// ---- The order of done() -------------------------------------------------------------------------------------------
class OrderOfDone : public testing::Test {
 protected:
  struct note {
    std::vector<int>* book;
    int number;
  };
  static std::exception_ptr write(void* context) {
    const auto* made = static_cast<const note*>(context);
    made->book->push_back(made->number);
    return {};
  }
  static void nothing(void*, detail::stream_queue&) {}

  fake_place here;
  std::vector<int> book;
  note first{&book, 1}, second{&book, 2}, third_note{&book, 3};
};

TEST_F(OrderOfDone, IsThatOfTheWorkWhicheverStreamIsLookedAt) {
  on_own_thread([&] {
    const Stream a = here.device().new_stream(), b = here.device().new_stream(), c = here.device().new_stream();
    const std::uint64_t on_a = a.queue().push({nothing, write, &first});
    b.queue().wait_for({&a.queue(), on_a});
    const std::uint64_t on_b = b.queue().push({nothing, write, &second});
    c.queue().wait_for({&b.queue(), on_b});
    const std::uint64_t on_c = c.queue().push({nothing, write, &third_note});
    c.queue().wait(on_c);
    EXPECT_EQ(book, (std::vector<int>{1, 2, 3}));
    EXPECT_TRUE(a.queue().is_done(on_a));
  });
}

TEST_F(OrderOfDone, HoldsForStreamsThatWaitForEachOtherByTurns) {
  on_own_thread([&] {
    const Stream streams[] = {here.device().new_stream(), here.device().new_stream()};
    std::vector<note> notes;
    for (int i = 0; i < 1000; ++i) notes.push_back({&book, i});
    detail::event last;
    for (int i = 0; i < 1000; ++i) {
      detail::stream_queue& stream = streams[i % 2].queue();
      if (last.stream != nullptr) stream.wait_for(last);
      last = {&stream, stream.push({nothing, write, &notes[static_cast<std::size_t>(i)]})};
    }
    std::thread other([&] { streams[0].queue().wait(streams[0].queue().last_ticket()); });
    streams[1].queue().wait(streams[1].queue().last_ticket());
    other.join();
    std::vector<int> expected;
    for (int i = 0; i < 1000; ++i) expected.push_back(i);
    EXPECT_EQ(book, expected);
  });
}

}  // namespace
}  // namespace tilewright::test
