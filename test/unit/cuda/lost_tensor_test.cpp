// SPDX-License-Identifier: Apache-2.0
// What a faulting launch loses on a GPU: there the host learns of a fault long after the launches behind it were
// submitted, in other streams, in graphs, again and again.
#include <gtest/gtest.h>

#include "tilewright/base/error.hpp"
#include "tilewright/runtime/graph.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

// z block b is tile pages[b] of x.
inline constexpr auto pick = kernel<"pick">([](Block b, Out<f32, B> z, In<f32, dyn> x, In<i32, dyn> pages) {
  z.store(x.load(tile<B>, to_index(reshape(pages.load(tile<1>, b.pid(0)), tile<>))));
});

const std::vector<f32> third = {8, 9, 10, 11};

struct picked {
  Shared<f32> x;
  Shared<i32> good, bad;

  explicit picked(const Device& device)
      : x(device.iota<f32>({16}).share()),
        good(device.from_host(std::vector<i32>{2}, {1}).share()),
        bad(device.from_host(std::vector<i32>{17}, {1}).share()) {}
};

template <class Run>
std::string got_by(Run run) {
  try {
    run();
  } catch (const device_fault& fault) {
    return fault.parts().got;
  }
  return "no fault";
}

class LostOnCuda : public OnCuda {};
INSTANTIATE_TEST_SUITE_P(At, LostOnCuda, testing::Values(place::fake, place::delayed_fake, place::driver),
                         testing::PrintToStringParamName());

TEST_P(LostOnCuda, LeavesContextStreamAndOtherTensorsUsable) {
  on_device([](const Device& device) {
    const picked given(device);
    EXPECT_EQ(got_by([&] { (void)pick(device.zeros<f32>({4}).partition({4}), given.x, given.bad).sync(); }), "17");
    auto [z, x, pages] = pick(device.zeros<f32>({4}).partition({4}), given.x, given.good).sync();
    EXPECT_EQ(z.to_host(), third);
    EXPECT_EQ(given.x.to_host(), counted(16));
    EXPECT_NO_THROW(device.synchronize());
  });
}

TEST_P(LostOnCuda, OfEveryTenthOfAThousandLaunchesHarmsNoOther) {
  on_device([](const Device& device) {
    const picked given(device);
    std::vector<InFlight<std::tuple<Tensor<f32>, Shared<f32>, Shared<i32>>>> flying;
    for (int n = 0; n < 1000; ++n) {
      const Shared<i32>& pages = n % 10 == 3 ? given.bad : given.good;
      flying.push_back(pick(device.zeros<f32>({4}).partition({4}), given.x, pages).start());
    }
    for (int n = 0; n < 1000; ++n) {
      auto& one = flying[static_cast<std::size_t>(n)];
      if (n % 10 == 3) {
        EXPECT_EQ(got_by([&] { (void)std::move(one).wait(); }), "17") << n;
        continue;
      }
      auto [z, x, pages] = std::move(one).wait();
      EXPECT_EQ(z.to_host(), third) << n;
    }
    EXPECT_NO_THROW(device.synchronize());
  });
}

TEST_P(LostOnCuda, ReachesWhatWasSubmittedBehindIt) {
  on_device([](const Device& device) {
    const picked given(device);
    const Stream first = device.new_stream(), second = device.new_stream();
    auto kept = std::make_shared<std::vector<Shared<f32>>>();
    const auto next = [](auto from, std::shared_ptr<std::vector<Shared<f32>>> to, Device here) {
      to->push_back(std::move(std::get<0>(from)).share());
      return add_one(here.zeros<f32>({4}).partition({4}), to->front());
    };
    auto chain =
        pick(device.zeros<f32>({4}).partition({4}), given.x, given.bad).then(next, kept, device).start_on(first);
    auto reader = add_one(device.zeros<f32>({4}).partition({4}), kept->front()).start_on(second);
    EXPECT_THROW((void)std::move(reader).wait(), device_fault) << "another stream, waited for first";
    EXPECT_THROW((void)std::move(chain).wait(), device_fault);
    EXPECT_EQ(got_by([&] { (void)kept->front().to_host(); }), "17");
    EXPECT_NO_THROW(device.synchronize());
  });
}

TEST_P(LostOnCuda, OfAPreparedLaunchIsToldAndForgotten) {
  on_device([](const Device& device) {
    const picked given(device);
    auto z = device.zeros<f32>({4});
    auto failing = prepare(pick(std::move(z).partition({4}), given.x, given.bad));
    for (int run = 0; run < 5; ++run) failing.enqueue();
    EXPECT_EQ(got_by([&] { failing.sync(); }), "17");
    EXPECT_NO_THROW(device.synchronize()) << "all of these runs were told";
    failing.enqueue();
    EXPECT_EQ(got_by([&] { (void)std::move(failing).finish(); }), "17");
    auto fine = prepare(pick(device.zeros<f32>({4}).partition({4}), given.x, given.good));
    for (int run = 0; run < 5; ++run) fine.enqueue();
    auto [out, x, pages] = std::move(fine).finish();
    EXPECT_EQ(out.to_host(), third);
  });
}

TEST_P(LostOnCuda, OfAGraphLosesWhatItsNodeWroteAndWhatCameOfThat) {
  on_device([](const Device& device) {
    const picked given(device);
    auto lost = device.zeros<f32>({4}), follows = device.zeros<f32>({4}), good = device.zeros<f32>({4});
    const auto record = [&](const Shared<i32>& pages) {
      pick(lost.partition({4}), given.x.borrow(), pages.borrow()).sync();
      add_one(follows.partition({4}), lost.borrow()).sync();
      pick(good.partition({4}), given.x.borrow(), given.good.borrow()).sync();
    };
    Graph graph = capture(device, [&] { record(given.bad); });
    EXPECT_EQ(got_by([&] { graph.sync(); }), "17");
    EXPECT_EQ(got_by([&] { (void)lost.to_host(); }), "17");
    EXPECT_EQ(got_by([&] { (void)follows.to_host(); }), "17");
    EXPECT_EQ(good.to_host(), third);
    graph.update([&] { record(given.good); });
    graph.sync();
    EXPECT_EQ(lost.to_host(), third);
    EXPECT_EQ(follows.to_host(), counted(4, 9));
  });
}

}  // namespace
}  // namespace tilewright::test
