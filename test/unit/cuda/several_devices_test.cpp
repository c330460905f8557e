// SPDX-License-Identifier: Apache-2.0
// Order and copies between devices: two GPUs of the fake driver and the host. Whoever enqueues waits for nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/memory_uses.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

using detail::event;
using detail::storage;

// Copies on the stream of the calling thread, after what is in flight on either.
void enqueue_copy(Tensor<f32>& to, Tensor<f32>& from) {
  struct copy_entry {
    detail::memory_copy what;
    detail::device_engine* by;
  };
  storage* memories[] = {detail::access::memory(to), detail::access::memory(from)};
  detail::device_engine& by = detail::copying_device(*memories[0]->device, *memories[1]->device);
  detail::stream_queue& stream = by.thread_stream();
  auto entry = std::make_unique<copy_entry>(copy_entry{
      {memories[0]->device, memories[0]->address, memories[1]->device, memories[1]->address, memories[1]->size_bytes},
      &by});
  if (std::less<>()(memories[1], memories[0])) std::swap(memories[0], memories[1]);
  const detail::ordered_uses uses(memories, stream);
  const auto run = [](void* context, detail::stream_queue& where) {
    const auto* copied = static_cast<const copy_entry*>(context);
    copied->by->copy(copied->what, where);
  };
  const auto done = [](void* context) { delete static_cast<copy_entry*>(context); };
  const event pushed{&stream, stream.push({run, done, entry.release()})};
  for (storage* memory : memories) memory->last_use = pushed;
}

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
    detail::wait_in_order(on_gpu.queue(), end_of(on_host));
    auto op = increment(gpu(0).zeros<f32>({4}).partition({4})).start_on(on_gpu);
    EXPECT_FALSE(is_done(end_of(on_host))) << "the host waited";
    EXPECT_FALSE(is_done(end_of(on_gpu)));
    gate.open();
    auto [z] = std::move(op).wait();
    EXPECT_EQ(z.to_host(), std::vector<f32>(4, 1.0f));
    EXPECT_TRUE(is_done(end_of(on_host)));
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

}  // namespace
}  // namespace tilewright::test
