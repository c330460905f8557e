// SPDX-License-Identifier: Apache-2.0
// Pinned buffers and copies on a GPU: in flight, in order, from views in few transfers, and when a call fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "runtime/cuda/row_copies.hpp"
#include "tilewright/lang/lang.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

HostBuffer<f32> buffer_of(const Device& device, const std::vector<f32>& values) {
  auto made = device.host_buffer<f32>({static_cast<index_t>(values.size())});
  std::copy(values.begin(), values.end(), made.span().begin());
  return made;
}
std::vector<f32> values_of(const HostBuffer<f32>& buffer) {
  const std::span<const f32> values = buffer.span();
  return {values.begin(), values.end()};
}

class CudaCopy : public OnCuda {};
INSTANTIATE_TEST_SUITE_P(Places, CudaCopy, testing::Values(place::fake, place::delayed_fake, place::driver),
                         testing::PrintToStringParamName());

// A pitch of more than 2 GiB is refused by the driver, and so is a row.
TEST(CudaCopyNodes, OfManyGibibytesAreShortRowsEndToEnd) {
  detail::element_copy copy;
  copy.is_to_host = true;
  copy.run_bytes = (std::size_t{5} << 30) + 12;
  const std::vector<cuda::rows_to_copy> parts = cuda::transfers_of(copy);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].height * parts[0].width_bytes + parts[1].height * parts[1].width_bytes, copy.run_bytes);
  EXPECT_EQ(parts[1].height, 1u);
  EXPECT_EQ(parts[1].from.device, parts[0].height * parts[0].width_bytes);
  EXPECT_EQ(parts[1].to.host, parts[1].from.device);
  for (const cuda::rows_to_copy& part : parts) {
    EXPECT_EQ(part.from.pitch, part.width_bytes);
    EXPECT_EQ(part.to.pitch, part.width_bytes);
    EXPECT_LE(part.width_bytes, std::size_t{INT32_MAX});
  }
  copy.run_bytes = std::size_t{1} << 30;
  EXPECT_EQ(cuda::transfers_of(copy).size(), 1u);
}

TEST_P(CudaCopy, GoesThroughTheGpuAndBack) {
  on_device([](const Device& device) {
    const std::vector<f32> values = counted(100'000);
    auto [t, in] = copy(device.empty<f32>({100'000}), buffer_of(device, values)).sync();
    auto [out, same] = copy(device.host_buffer<f32>({100'000}), std::move(t)).sync();
    EXPECT_TRUE(values_of(out) == values);
    EXPECT_TRUE(values_of(in) == values);
    auto [second, first] = copy(device.host_buffer<f32>({100'000}), std::move(out)).sync();
    EXPECT_TRUE(values_of(second) == values);
  });
}

TEST_P(CudaCopy, InFlightComesAfterTheLaunchesBeforeOnAnyStream) {
  on_device([](const Device& device) {
    const Stream first = device.new_stream(), second = device.new_stream();
    auto in = prepare(copy(device.empty<f32>({4}), buffer_of(device, counted(4))));
    in.enqueue_on(first);
    in.enqueue_on(second);
    auto [t, from] = std::move(in).finish();
    auto flying = increment(std::move(t).partition({4}))
                      .then([](std::tuple<Tensor<f32>> given,
                               HostBuffer<f32> out) { return copy(std::move(out), std::get<0>(std::move(given))); },
                            std::move(from))
                      .start_on(first);
    EXPECT_EQ(values_of(std::get<0>(std::move(flying).wait())), counted(4, 1));
  });
}

TEST_P(CudaCopy, ReadsAndWritesViewsInRows) {
  on_device([](const Device& device) {
    const auto x = device.from_host(counted(240), {4, 6, 10}).share();
    for (const Shared<f32>& view : {x.slice(1, 1, 4), x.slice(2, 3, 5), x.slice(0, 1, 2), x.transpose(),
                                    x.strided({3, 4}, {-10, 1}, 40), x.strided({2, 5}, {0, 1}, 3)}) {
      SCOPED_TRACE(to_text(view.shape()));
      EXPECT_EQ(std::get<0>(copy(device.empty<f32>(view.shape()), view).sync()).to_host(), view.to_host());
      EXPECT_EQ(values_of(std::get<0>(copy(device.host_buffer<f32>(view.shape()), view).sync())), view.to_host());
    }
    auto z = device.zeros<f32>({4, 6});
    auto [left, right] = z.split_at(1, 2);
    copy(left.all(), x.strided({4, 2}, {60, 10}, 9)).sync();
    EXPECT_EQ(z.to_host(),
              (std::vector<f32>{9, 19, 0, 0, 0, 0, 69, 79, 0, 0, 0, 0, 129, 139, 0, 0, 0, 0, 189, 199, 0, 0, 0, 0}));
    copy(right.slice(1, 0, 2).all(), left.borrow()).sync();
    EXPECT_EQ(z.to_host()[2], 9.0f);
  });
}

TEST_P(CudaCopy, InTooManyPiecesIsRefusedBeforeAnythingRuns) {
  on_device([](const Device& device) {
    const auto x = device.zeros<f32>({5000, 3, 2}).share();
    const auto scattered = x.strided({5000, 3}, {1, -5000}, 15'000);
    EXPECT_EQ(std::get<0>(copy(device.empty<f32>({3, 5000}), x.strided({3, 5000}, {-5000, 1}, 15'000)).sync()).shape(),
              (Shape{3, 5000}));
    const report parts = usage_of([&] { copy(device.empty<f32>({5000, 3}), scattered).discard(); });
    EXPECT_EQ(parts.what, "a copy of a view in too many pieces");
    EXPECT_EQ(parts.got, "15000");
  });
}

TEST_P(CudaCopy, OfNothingDoesNothing) {
  on_device([](const Device& device) {
    auto [buffer, t] = copy(device.host_buffer<f32>({0}), device.empty<f32>({0})).sync();
    EXPECT_TRUE(buffer.span().empty());
  });
}

// ---- On the fake driver only ---------------------------------------------------------------------------------------
class DelayedCopy : public testing::Test {
 protected:
  void SetUp() override { here.driver.set_delayed(true); }
  fake_place here;
  const Device device = here.device();
};

TEST_F(DelayedCopy, IsOneTransferAndTheHostDoesNotWait) {
  on_own_thread([&] {
    const Stream stream = device.new_stream();
    auto t = device.zeros<f32>({48});
    auto in = buffer_of(device, counted(48));
    const std::int64_t before = here.driver.calls();
    auto flying = copy(std::move(t), std::move(in)).start_on(stream);
    EXPECT_FALSE(stream.queue().is_done(stream.queue().last_ticket()));
    auto [u, out] = std::move(flying).wait();
    EXPECT_LT(here.driver.calls() - before, 12);
    EXPECT_EQ(u.to_host(), counted(48));
  });
}

TEST_F(DelayedCopy, KeepsABufferThatNobodyHoldsUntilItIsDone) {
  on_own_thread([&] {
    auto t = device.zeros<f32>({1000});
    for (int i = 0; i < 10; ++i) {
      auto [next, in] = copy(std::move(t), buffer_of(device, counted(1000, static_cast<f32>(i)))).start().wait();
      t = std::move(next);
    }
    const Shared<f32> x = std::move(t).share();
    for (int i = 0; i < 10; ++i) copy(device.host_buffer<f32>({1000}), x).start().detach();  // ten blocks, not one
    auto [out, same] = copy(device.host_buffer<f32>({1000}), x).sync();
    EXPECT_TRUE(values_of(out) == counted(1000, 9));
  });
}

TEST_F(DelayedCopy, ThatFailsIsToldToWhoWaitsAndNothingElseIsLost) {
  on_own_thread([&] {
    auto t = device.from_host(counted(12), {3, 4});
    auto buffer = device.host_buffer<f32>({3, 2});
    here.driver.fail_next("cuMemcpy2DAsync", cuda::result::not_supported);
    EXPECT_THROW(copy(buffer.all(), t.slice(1, 1, 3).borrow()).sync(), driver_error);
    copy(buffer.all(), t.slice(1, 1, 3).borrow()).sync();
    EXPECT_EQ(values_of(buffer), (std::vector<f32>{1, 2, 5, 6, 9, 10}));
    here.driver.fail_next("cuMemcpyDtoHAsync", cuda::result::not_supported);
    auto lost = copy(device.host_buffer<f32>({3, 4}), device.empty<f32>({3, 4})).start();
    EXPECT_THROW((void)std::move(lost).wait(), driver_error);
    EXPECT_EQ(t.to_host(), counted(12));
  });
}

TEST_F(DelayedCopy, HasPinnedMemoryOrSaysThatThereIsNone) {
  on_own_thread([&] {
    here.driver.fail_next("cuMemHostAlloc", cuda::result::out_of_memory);
    (void)device.host_buffer<f32>({10});  // tries again after it has emptied its cache
    here.driver.fail_next("cuMemHostAlloc", cuda::result::not_permitted);
    EXPECT_THROW((void)device.host_buffer<f32>({100'000}), driver_error);
    device.release_cached_memory();
  });
}

// Every pair of tensors and buffers of the host and of two GPUs.
TEST(CopyBetweenDevices, GoesFromAnyToAny) {
  for (const bool is_delayed : {false, true}) {
    fake_place here(2);
    here.driver.set_delayed(is_delayed);
    fake_cuda_engine second(here.driver, 1);
    on_own_thread([&] {
      const Device devices[] = {interp_device(), here.device(), Device(second)};
      for (const Device& from : devices) {
        for (const Device& to : devices) {
          SCOPED_TRACE(std::string(from.name()) + " to " + to.name());
          const auto source = [&] {
            return std::get<0>(increment(from.from_host(counted(6), {6}).partition({6})).sync());
          };
          EXPECT_EQ(std::get<0>(copy(to.empty<f32>({6}), source()).sync()).to_host(), counted(6, 1));
          auto [pinned, t] = copy(from.host_buffer<f32>({6}), source()).sync();
          EXPECT_EQ(std::get<0>(copy(to.empty<f32>({6}), std::move(pinned)).sync()).to_host(), counted(6, 1));
          EXPECT_EQ(values_of(std::get<0>(copy(to.host_buffer<f32>({6}), source()).sync())), counted(6, 1));
        }
      }
    });
  }
}

TEST(CopyBetweenDevices, ReadsViewsInFewPieces) {
  fake_place here(2);
  fake_cuda_engine second(here.driver, 1);
  on_own_thread([&] {
    const Device gpu = here.device(), other(second), host = interp_device();
    const auto x = gpu.from_host(counted(24), {4, 6}).share();
    for (const Device& to : {host, other}) {
      for (const Shared<f32>& view : {x.slice(1, 2, 5), x.transpose()}) {
        EXPECT_EQ(std::get<0>(copy(to.empty<f32>(view.shape()), view).sync()).to_host(), view.to_host());
      }
    }
    const auto large = gpu.zeros<f32>({2000, 2}).share();
    EXPECT_EQ(usage_of([&] { copy(host.empty<f32>({2, 2000}), large.transpose()).discard(); }).got, "4000");
    auto z = host.zeros<f32>({4});
    auto pinned = gpu.host_buffer<f32>({4});
    copy(pinned.all(), z.borrow()).sync();
    copy(z.slice(0, 0, 2).all(), x.slice(0, 0, 1).reshape({6}).slice(0, 4, 6)).sync();
    EXPECT_EQ(z.to_host(), (std::vector<f32>{4, 5, 0, 0}));
  });
}

}  // namespace
}  // namespace tilewright::test
