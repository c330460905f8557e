// SPDX-License-Identifier: Apache-2.0
// What the runtime tells the driver: in which order, on which stream, and for how long memory is held. On the fake
// driver, whose GPU is as late as it may be.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

using lines = std::vector<std::string>;

class Order : public testing::Test {
 protected:
  void SetUp() override { here.driver.set_delayed(true); }
  // What the driver was told while body() ran.
  template <class Body>
  lines told(Body body) {
    const std::size_t before = here.driver.journal().size();
    on_own_thread(body);
    const lines all = here.driver.journal();
    return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
  }

  fake_place here;
  const Device device = here.device();
};

TEST_F(Order, LaunchesOfOneStreamNeedNoEvents) {
  const lines got = told([&] {
    auto prepared = prepare(increment(device.zeros<f32>({300}).partition({100})));
    for (int i = 0; i < 3; ++i) prepared.enqueue();
    (void)std::move(prepared).finish();
  });
  EXPECT_EQ(got, lines(3, "launch increment_0 3 on 2"));
}

inline constexpr auto sums_of_pages = kernel<"sums_of_pages">(
    [](Block b, Accum<f32, combiner::sum, B> z, In<f32, dyn> x) { z.combine(x.load(tile<B>, b.pid(1), pad(0))); });

TEST_F(Order, OneBlockIsStartedForAllThatTakeTurns) {
  const lines got = told([&] {
    auto sums = device.zeros<f32>({300});
    const Shared<f32> x = device.zeros<f32>({500}).share();
    sums_of_pages(sums.partition({100}, shared_by(5)), x).sync();
    sums_of_pages.with(deterministic)(sums.partition({100}, shared_by(5)), x).sync();
    sums_of_pages.with(deterministic)(sums.partition({100}, shared_by(0)), x).sync();
  });
  EXPECT_EQ(got, (lines{"launch sums_of_pages_0 15 on 2", "launch sums_of_pages_1 3 on 2"}));
}

TEST_F(Order, TheGpuWaitsForAnotherStreamAndTheHostDoesNot) {
  const Stream first = device.new_stream(), second = device.new_stream();
  const lines got = told([&] {
    auto prepared = prepare(increment(device.zeros<f32>({4}).partition({4})));
    prepared.enqueue_on(first);
    prepared.enqueue_on(second);
    prepared.enqueue_on(second);
    EXPECT_FALSE(first.queue().is_done(1)) << "the host waited";
    auto [z] = std::move(prepared).finish();
    EXPECT_EQ(z.to_host(), std::vector<f32>(4, 3.0f));
  });
  const std::string launch = "launch increment_0 1 on ";
  EXPECT_EQ(got, (lines{launch + "1", "wait 2 for 1", launch + "2", launch + "2"}));
}

TEST_F(Order, StreamsWaitForEachOther) {
  const Stream first = device.new_stream(), second = device.new_stream();
  on_own_thread([&] {
    auto a = prepare(increment(device.zeros<f32>({4}).partition({4})));
    auto b = prepare(increment(device.zeros<f32>({4}).partition({4})));
    for (int i = 0; i < 50; ++i) {
      a.enqueue_on(i % 2 == 0 ? first : second);
      b.enqueue_on(i % 2 == 0 ? second : first);
    }
    EXPECT_EQ(std::get<0>(std::move(a).finish()).to_host().front(), 50.0f);
    EXPECT_EQ(std::get<0>(std::move(b).finish()).to_host().front(), 50.0f);
  });
}

TEST_F(Order, TheHostWritesNoMemoryThatIsInFlight) {
  on_own_thread([&] {
    std::vector<Tensor<f32>> results;
    for (int i = 0; i < 20; ++i) {
      // Dropped at once; the next tensor of this size is written by the host while the GPU has not even begun.
      const Shared<f32> x = device.full<f32>({1000}, static_cast<f32>(i)).share();
      auto prepared = prepare(add_one(device.empty<f32>({1000}).partition({100}), x));
      add_one(device.empty<f32>({1000}).partition({100}), x).start().detach();
      prepared.enqueue();
      results.push_back(std::get<0>(std::move(prepared).finish()));
    }
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(results[static_cast<std::size_t>(i)].to_host(), std::vector<f32>(1000, static_cast<f32>(i + 1)));
    }
    results.clear();
    EXPECT_EQ(device.memory().in_use_bytes, 0u);
  });
}

TEST_F(Order, WorkOfAStreamGetsTheMemoryThatItsEarlierWorkStillUses) {
  const lines got = told([&] {
    const Shared<f32> x = device.full<f32>({1000}, 1.0f).share();
    const std::size_t before = here.driver.gpu().blocks(), high = device.memory().high_water_bytes;
    for (int i = 0; i < 50; ++i) add_one(device.empty<f32>({1000}).partition({1000}), x).start().detach();
    EXPECT_FALSE(device.stream().queue().is_done(1)) << "the host waited";
    EXPECT_EQ(here.driver.gpu().blocks(), before + 1);
    EXPECT_EQ(device.memory().high_water_bytes, high + 4096);
    EXPECT_EQ(device.memory().in_use_bytes, high);
    EXPECT_EQ(device.memory().cached_bytes, 4096u);
  });
  EXPECT_EQ(got, lines(50, "launch add_one_0 1 on 2"));
}

// Nothing of the first launch has run when its memory goes to another stream, which is to wait, and not the host.
TEST_F(Order, AnotherStreamWaitsForTheWorkThatUsesItsMemory) {
  const Stream first = device.new_stream(), second = device.new_stream();
  const lines got = told([&] {
    const Shared<f32> x = device.full<f32>({4}, 1.0f).share();
    add_one(device.empty<f32>({4}).partition({4}), x).start_on(first).detach();
    (void)device.empty<f32>({4});  // whoever has it in between does not make it free to use
    auto flying = add_one(device.empty<f32>({4}).partition({4}), x).start_on(second);
    EXPECT_FALSE(first.queue().is_done(1)) << "the host waited";
    EXPECT_EQ(here.driver.gpu().blocks(), 2u);
    EXPECT_EQ(std::get<0>(std::move(flying).wait()).to_host(), std::vector<f32>(4, 2.0f));
  });
  EXPECT_EQ(got, (lines{"launch add_one_0 1 on 1", "wait 2 for 1", "launch add_one_0 1 on 2"}));
}

TEST_F(Order, MemoryThatSeveralStreamsReadComesBackWhenAllHavePassed) {
  const Stream first = device.new_stream(), second = device.new_stream();
  on_own_thread([&] {
    std::byte* address = nullptr;
    {
      const Shared<f32> x = device.full<f32>({5000}, 1.0f).share();
      address = detail::access::memory(x)->address;
      for (const Stream& stream : {first, second}) {
        add_one(device.empty<f32>({4}).partition({4}), x).start_on(stream).detach();
      }
    }
    const Tensor<f32> other = device.empty<f32>({5000});
    EXPECT_NE(detail::access::memory(other)->address, address);
    here.driver.run_all();
    const Tensor<f32> next = device.empty<f32>({5000});
    EXPECT_EQ(detail::access::memory(next)->address, address);
  });
}

TEST_F(Order, MemoryThatTheGpuHasPassedIsHandedOutAgainWithoutAWait) {
  on_own_thread([&] {
    increment(device.zeros<f32>({1000}).partition({100})).start().detach();
    here.driver.run_all();
    const std::size_t blocks = here.driver.gpu().blocks();
    const Tensor<f32> next = device.empty<f32>({1000});
    EXPECT_EQ(here.driver.gpu().blocks(), blocks) << "a new block was taken from the driver";
  });
}

TEST_F(Order, WhenMemoryEndsWhatIsInFlightIsWaitedFor) {
  on_own_thread([&] {
    here.driver.gpu().memory_bytes = std::size_t{1} << 20;
    for (int i = 0; i < 50; ++i) increment(device.empty<f32>({50'000}).partition({1000})).start().detach();
  });
  EXPECT_LE(device.memory().high_water_bytes, std::size_t{1} << 20);
}

TEST_F(Order, NoMemoryAtAllIsSaidWithSizes) {
  on_own_thread([&] {
    here.driver.gpu().memory_bytes = std::size_t{1} << 20;
    const Tensor<f32> held = device.empty<f32>({100'000});
    increment(device.empty<f32>({32'768}).partition({1024})).start().detach();
    EXPECT_EQ(device.memory().cached_bytes, 131'072u);
    try {
      (void)device.empty<f32>({200'000});
      FAIL() << "no out_of_memory";
    } catch (const out_of_memory& error) {
      EXPECT_EQ(error.parts().where, "memory of cuda:0 (fake)");
      EXPECT_EQ(error.parts().expected, "800000 bytes");
      EXPECT_EQ(device.memory().cached_bytes, 0u);
      EXPECT_EQ(error.parts().got,
                "425984 bytes are in use by other tensors, 131072 were cached and have been given back, of 1073741824 "
                "in all");
    }
  });
}

TEST_F(Order, OnlyAnImageThatWaitsItselfStartsEarly) {
  here.engine->form.programmatic = true;
  const lines got = told([&] { (void)increment(device.zeros<f32>({4}).partition({4})).sync(); });
  EXPECT_EQ(got, lines{"launch early increment_0 1 on 2"});
}

TEST_F(Order, APersistentImageStartsNoMoreBlocksThanFit) {
  here.engine->form.persistent = true;
  here.engine->form.occupancy = 2;  // of 4 multiprocessors
  const lines got = told([&] {
    (void)increment(device.zeros<f32>({3}).partition({1})).sync();
    (void)increment(device.zeros<f32>({300}).partition({1})).sync();
  });
  EXPECT_EQ(got, (lines{"launch increment_0 3 on 2", "launch increment_0 8 on 2"}));
}

TEST_F(Order, NothingIsLaunchedForNoBlocks) {
  const lines got = told([&] { (void)increment(device.empty<f32>({0}).partition({4})).sync(); });
  EXPECT_EQ(got, lines{});
}

TEST_F(Order, MoreBlocksThanAGridHoldsAreRefusedBeforeAnythingIsTold) {
  const lines got = told([&] {
    const Shared<f32> x = device.full<f32>({1}, 1.0f).share();
    detail::compiled_launch launch;
    launch.image = std::make_shared<compiler::gpu_image>(fake_driver::code_of("k"), "k", here.engine->form);
    launch.blocks = index_t{1} << 31;
    EXPECT_THROW(here.engine->prepare(launch), usage_error);
  });
  EXPECT_EQ(got, lines{});
}

// ---- Modules -------------------------------------------------------------------------------------------------------
class Modules : public Order {
 protected:
  std::shared_ptr<const compiler::gpu_image> image_of(const std::string& symbol) {
    here.driver.add_kernel(symbol, {{true, false}, [](std::uint32_t, const std::uint64_t*) {}});
    return std::make_shared<compiler::gpu_image>(fake_driver::code_of(symbol), symbol, here.engine->form);
  }
  void* prepared_function(const std::shared_ptr<const compiler::gpu_image>& image, std::size_t parameters) {
    detail::compiled_launch launch;
    launch.image = image;
    launch.blocks = 1;
    launch.parameters.resize(parameters);
    here.engine->prepare(launch);
    return launch.gpu.function;
  }
};

TEST_F(Modules, AnImageIsLoadedOnce) {
  const auto image = image_of("one");
  void* function = prepared_function(image, 2);
  EXPECT_EQ(prepared_function(image, 2), function);
}

TEST_F(Modules, ADeadImageIsUnloaded) {
  (void)prepared_function(image_of("first"), 2);
  (void)prepared_function(image_of("second"), 2);
  (void)prepared_function(image_of("third"), 2);
  const lines left = here.driver.leaks();
  EXPECT_TRUE(std::find(left.begin(), left.end(), "1 modules") != left.end()) << testing::PrintToString(left);
}

TEST_F(Modules, AnImageThatTakesOtherParametersIsRefused) {
  EXPECT_THROW((void)prepared_function(image_of("two"), 3), runtime_error);
}

TEST_F(Modules, CodeThatIsNoneIsRefused) {
  const auto image =
      std::make_shared<compiler::gpu_image>(std::vector<std::byte>(16), std::string("k"), here.engine->form);
  EXPECT_THROW((void)prepared_function(image, 2), driver_error);
}

}  // namespace
}  // namespace tilewright::test
