// SPDX-License-Identifier: Apache-2.0
// Order and copies between devices: two GPUs of the fake driver and the host. Whoever enqueues waits for nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "runtime/memory_uses.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/cuda/device_copies.hpp"
#include "unit/runtime/runtime_kernels.hpp"

TILEWRIGHT_BEGIN_OWNERS  // tensors that go round in loops, and one that is used after it was given away

namespace tilewright::test {
namespace {

using detail::event;

bool is_done(const event& point) { return point.stream->is_done(point.ticket); }
event end_of(const Stream& stream) { return {&stream.queue(), stream.queue().last_ticket()}; }
event last_use_of(Tensor<f32>& tensor) { return detail::access::memory(tensor)->last_use; }

// The parameter: whether the GPUs are as late as they may be.
class BetweenDevices : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { here.driver.set_delayed(GetParam()); }
  Device host() const { return interp_device(); }
  Device gpu(int index) { return index == 0 ? here.device() : Device(second); }

  fake_place here{2};
  fake_cuda_engine second{here.driver, 1};
};
INSTANTIATE_TEST_SUITE_P(Gpus, BetweenDevices, testing::Bool(),
                         [](const auto& each) { return each.param ? "Delayed" : "AtOnce"; });

TEST_P(BetweenDevices, AGpuWaitsForAStreamOfTheHost) {
  on_own_thread([&] {
    const Stream on_host = host().new_stream(), on_gpu = gpu(0).new_stream();
    stream_gate gate(on_host);
    const event gated = end_of(on_host);  // what tells the GPU comes after it, and may still be at work then
    detail::wait_in_order(on_gpu.queue(), gated);
    auto op = increment(gpu(0).zeros<f32>({4}).partition({4})).start_on(on_gpu);
    EXPECT_FALSE(is_done(gated)) << "the host waited";
    EXPECT_FALSE(is_done(end_of(on_gpu)));
    gate.open();
    auto [z] = std::move(op).wait();
    EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
    EXPECT_TRUE(is_done(gated));
  });
}

TEST_P(BetweenDevices, AStreamOfTheHostWaitsForAGpu) {
  on_own_thread([&] {
    const Stream gate_stream = host().new_stream(), on_host = host().new_stream(), on_gpu = gpu(0).new_stream();
    stream_gate gate(gate_stream);
    detail::wait_in_order(on_gpu.queue(), end_of(gate_stream));
    increment(gpu(0).zeros<f32>({4}).partition({4})).start_on(on_gpu).detach();
    detail::wait_in_order(on_host.queue(), end_of(on_gpu));
    auto op = increment(host().zeros<f32>({4}).partition({4})).start_on(on_host);
    EXPECT_FALSE(is_done(end_of(on_host)));
    gate.open();
    (void)std::move(op).wait();
    EXPECT_TRUE(is_done(end_of(on_gpu)));
  });
}

TEST_P(BetweenDevices, AGpuWaitsForAnother) {
  on_own_thread([&] {
    const Stream gate_stream = host().new_stream(), first = gpu(0).new_stream(), other = gpu(1).new_stream();
    stream_gate gate(gate_stream);
    detail::wait_in_order(first.queue(), end_of(gate_stream));
    increment(gpu(0).zeros<f32>({4}).partition({4})).start_on(first).detach();
    detail::wait_in_order(other.queue(), end_of(first));
    auto op = increment(gpu(1).zeros<f32>({4}).partition({4})).start_on(other);
    EXPECT_FALSE(is_done(end_of(other)));
    gate.open();
    (void)std::move(op).wait();
    EXPECT_TRUE(is_done(end_of(first)));
    const auto told = here.driver.journal();
    EXPECT_EQ(std::count(told.begin(), told.end(), "wait 2 for 1"), 1) << testing::PrintToString(told);
  });
}

// A GPU waits for an entry that only a waiting thread would run: the host's stream is held.
TEST_P(BetweenDevices, AHeldStreamRunsWhatAGpuWaitsFor) {
  on_own_thread([&] {
    const Stream on_host = host().new_stream(), on_gpu = gpu(0).new_stream();
    const detail::stream_scope held(on_host.queue());
    auto first = increment(host().zeros<f32>({4}).partition({4})).start_on(on_host);
    detail::wait_in_order(on_gpu.queue(), end_of(on_host));
    (void)increment(gpu(0).zeros<f32>({4}).partition({4})).sync_on(on_gpu);
    EXPECT_TRUE(is_done({&on_host.queue(), 1}));
    (void)std::move(first).wait();
  });
}

// The host waits for an entry of a GPU's stream whose next entry waits for what the host does after that.
TEST_P(BetweenDevices, AWaitIsNotForWhatIsPushedLater) {
  on_own_thread([&] {
    const Stream on_host = host().new_stream(), on_gpu = gpu(0).new_stream();
    auto prepared = prepare(increment(gpu(0).zeros<f32>({4}).partition({4})));
    for (int round = 0; round < 10; ++round) {
      stream_gate gate(on_host);
      for (int i = 0; i < 100; ++i) {
        prepared.enqueue_on(on_gpu);
        detail::wait_in_order(on_host.queue(), end_of(on_gpu));
        increment(host().zeros<f32>({4}).partition({4})).start_on(on_host).detach();
        detail::wait_in_order(on_gpu.queue(), end_of(on_host));
        prepared.enqueue_on(on_gpu);
      }
      gate.open();
      on_host.synchronize();
    }
    auto [z] = std::move(prepared).finish();
    EXPECT_EQ(z.to_host(), std::vector<f32>(4, 2000.0f));
    on_host.synchronize();
  });
}

TEST_P(BetweenDevices, WhatOneComputesIsCopiedToTheNext) {
  on_own_thread([&] {
    constexpr index_t count = 3000;
    Tensor<f32> a = host().iota<f32>({count});
    Tensor<f32> b = gpu(0).zeros<f32>({count}), c = gpu(1).zeros<f32>({count}), d = interp_device().zeros<f32>({count});
    constexpr int rounds = 20;
    for (int i = 0; i < rounds; ++i) {
      const auto step = [](Tensor<f32>& tensor) {
        auto prepared = prepare(increment(std::move(tensor).partition({100})));
        prepared.enqueue();
        std::tie(tensor) = std::move(prepared).finish();
      };
      step(a);
      enqueue_copy(b, a);
      step(b);
      enqueue_copy(c, b);
      step(c);
      enqueue_copy(d, c);
      enqueue_copy(a, d);
    }
    EXPECT_EQ(a.to_host(), counted(count, 3.0f * rounds));
  });
}

TEST_P(BetweenDevices, CopiesAreEnqueuedAndNotWaitedFor) {
  on_own_thread([&] {
    const Stream gate_stream = host().new_stream();
    Tensor<f32> a = gpu(0).full<f32>({8}, 7.0f), b = gpu(1).zeros<f32>({8}), c = host().zeros<f32>({8}),
                d = gpu(0).zeros<f32>({8});
    stream_gate gate(gate_stream);
    detail::wait_in_order(gpu(1).stream().queue(), end_of(gate_stream));
    enqueue_copy(b, a);
    enqueue_copy(c, b);
    enqueue_copy(d, c);
    for (Tensor<f32>* each : {&b, &c, &d}) EXPECT_FALSE(is_done(last_use_of(*each)));
    gate.open();
    EXPECT_EQ(d.to_host(), std::vector<f32>(8, 7.0f));
  });
}

TEST_P(BetweenDevices, GpusThatDoNotReachEachOtherGoThroughTheHost) {
  here.driver.set_peers_reachable(false);
  on_own_thread([&] {
    EXPECT_EQ(&detail::copying_device(second, *here.engine), &detail::cpu_engine());
    Tensor<f32> a = gpu(0).iota<f32>({5000}), b = gpu(1).zeros<f32>({5000});
    enqueue_copy(b, a);
    EXPECT_EQ(b.to_host(), counted(5000));
    const auto told = here.driver.journal();
    EXPECT_EQ(std::count(told.begin(), told.end(), "peer copy on 1"), 0);
  });
}

TEST_P(BetweenDevices, ADriverThatCannotWaitForTheHostIsWaitedForByIt) {
  on_own_thread([&] {
    const Stream on_host = host().new_stream(), on_gpu = gpu(0).new_stream();
    Tensor<f32> z = host().zeros<f32>({4});
    increment(std::move(z).partition({4})).start_on(on_host).detach();
    here.driver.fail_next("cuStreamWaitValue32", cuda::result::not_supported);
    detail::wait_in_order(on_gpu.queue(), end_of(on_host));
    (void)increment(gpu(0).zeros<f32>({4}).partition({4})).sync_on(on_gpu);
    EXPECT_TRUE(is_done({&on_host.queue(), 1}));
  });
}

// ---- Failures ------------------------------------------------------------------------------------------------------
// Waits, copies and memory between the host and two GPUs, with work in flight on all of them.
void use_all(const Device& host, const Device& first, const Device& other) {
  const Shared<f32> x = first.full<f32>({1000}, 1.0f).share();
  const Stream stream = first.new_stream();
  Tensor<f32> a = host.iota<f32>({1000}), b = first.empty<f32>({1000}), c = other.empty<f32>({1000}),
              d = host.zeros<f32>({1000});
  for (int i = 0; i < 3; ++i) {
    enqueue_copy(b, a);
    for (int k = 0; k < 4; ++k) add_one(first.empty<f32>({1000}).partition({100}), x).start().detach();
    add_one(first.empty<f32>({1000}).partition({100}), x).start_on(stream).detach();
    std::tie(b) = increment(std::move(b).partition({100})).sync_on(stream);
    enqueue_copy(c, b);
    std::tie(c) = increment(std::move(c).partition({100})).sync();
    enqueue_copy(d, c);
    enqueue_copy(a, d);
  }
  ASSERT_EQ(a.to_host(), counted(1000, 6.0f));
  ASSERT_EQ(std::get<0>(add_one(first.empty<f32>({1000}).partition({100}), x).sync()).to_host(),
            std::vector<f32>(1000, 2.0f));
  for (const Device& each : {host, first, other}) each.synchronize();
}

struct outcome {
  std::int64_t calls = 0;
  bool has_error = false;
};
// One call fails in one use of everything; what was there before is as it was, and all works again.
outcome use_all_with_failure(std::int64_t n, bool is_delayed) {
  outcome seen;
  fake_place here(2);
  fake_cuda_engine second(here.driver, 1);
  here.driver.set_delayed(is_delayed);
  on_own_thread([&] {
    const Device host = interp_device(), first = here.device(), other(second);
    const Tensor<f32> on_first = first.iota<f32>({777}), on_other = other.iota<f32>({777});
    const std::int64_t before = here.driver.calls();
    if (n != 0) here.driver.fail_call(n, cuda::result::not_supported);
    for (int i = 0; i < 2; ++i) {
      try {
        if (i == 0) use_all(host, first, other);
        for (const Device& each : {host, first, other}) each.synchronize();
      } catch (const runtime_error& error) {
        seen.has_error = true;
        EXPECT_FALSE(error.parts().fix.empty());
      }
      if (i == 0) seen.calls = here.driver.calls() - before;
      here.driver.fail_call(0, cuda::result::success);
    }
    EXPECT_EQ(on_first.to_host(), counted(777));
    EXPECT_EQ(on_other.to_host(), counted(777));
    use_all(host, first, other);
    EXPECT_EQ(first.memory().in_use_bytes, 3328u);
    EXPECT_EQ(other.memory().in_use_bytes, 3328u);
  });
  return seen;
}

class EveryCallBetween : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Fails, EveryCallBetween, testing::Bool(),
                         [](const auto& each) { return each.param ? "Delayed" : "AtOnce"; });

TEST_P(EveryCallBetween, GivesATypedErrorOrTheRightResult) {
  const std::int64_t calls = use_all_with_failure(0, GetParam()).calls;
  ASSERT_GT(calls, 100);
  int errors = 0;
  for (std::int64_t n = 1; n <= calls; n += GetParam() ? 3 : 1) {
    SCOPED_TRACE("call " + std::to_string(n) + " of " + std::to_string(calls));
    errors += use_all_with_failure(n, GetParam()).has_error ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(errors, 20);
}

TEST(LostBetween, TheOtherGpuAndTheHostGoOn) {
  fake_place here(2);
  fake_cuda_engine second(here.driver, 1);
  here.driver.set_delayed(true);
  on_own_thread([&] {
    const Device host = interp_device(), first = here.device(), other(second);
    Tensor<f32> a = first.full<f32>({8}, 7.0f), b = other.zeros<f32>({8}), c = host.zeros<f32>({8});
    enqueue_copy(b, a);
    std::tie(b) = increment(std::move(b).partition({4})).sync();
    enqueue_copy(c, b);
    here.engine->context().lose(cuda::result::illegal_address);
    EXPECT_THROW((void)a.to_host(), driver_error);
    enqueue_copy(a, c);  // fails on the stream of the host
    EXPECT_THROW((void)a.to_host(), driver_error);
    EXPECT_EQ(c.to_host(), std::vector<f32>(8, 8.0f));
    std::tie(b) = increment(std::move(b).partition({4})).sync();
    EXPECT_EQ(b.to_host(), std::vector<f32>(8, 9.0f));
  });
}

TEST(EndsInFlight, AStreamAndTheThreadThatUsedIt) {
  fake_place here(2);
  fake_cuda_engine second(here.driver, 1);
  here.driver.set_delayed(true);
  on_own_thread([&] {
    Tensor<f32> kept = here.device().full<f32>({8}, 1.0f);
    std::thread([&] {  // its streams are given back, and its tensors dropped, while they work
      Tensor<f32> there = std::get<0>(increment(Device(second).full<f32>({8}, 5.0f).partition({8})).start().wait());
      enqueue_copy(kept, there);
      const Stream gone = here.device().new_stream();
      increment(here.device().empty<f32>({8}).partition({8})).start_on(gone).detach();
    })
        .join();
    Tensor<f32> next = Device(second).empty<f32>({8});
    increment(std::move(next).partition({8})).start().detach();
    EXPECT_EQ(kept.to_host(), std::vector<f32>(8, 6.0f));
    here.device().synchronize();
    Device(second).synchronize();
  });
}

}  // namespace
}  // namespace tilewright::test

TILEWRIGHT_END_OWNERS
