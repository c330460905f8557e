// SPDX-License-Identifier: Apache-2.0
// Memory comes back in the order of streams: to the stream that used it at once, to others after that use, to the host
// when it is at rest. When there is none, what is cached and what is in flight is given back first.
#include "runtime/memory_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "runtime/device_engine.hpp"
#include "runtime/host_stream.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

using detail::event;
using detail::memory_block;
using detail::memory_pool;
using pending = memory_pool::pending;

class small_source final : public detail::block_source {
 public:
  std::byte* take(std::size_t size) override {
    if (taken.size() >= most_blocks) return nullptr;
    auto* block = static_cast<std::byte*>(std::aligned_alloc(128, size));
    taken.insert(block);
    return block;
  }
  void give_back(std::byte* address) noexcept override {
    EXPECT_EQ(taken.erase(address), 1u);
    std::free(address);
  }
  const char* place() const override { return "a small place"; }
  std::size_t total_bytes() const noexcept override { return 3 * 1024; }

  std::size_t most_blocks = 3;
  std::set<std::byte*> taken;
};

class MemoryPool : public testing::Test {
 protected:
  void TearDown() override { host.synchronize(); }
  event in_flight(const Stream& stream) { return {&stream.queue(), stream.queue().last_ticket()}; }

  const Device host = interp_device();
  const Stream first = host.new_stream(), second = host.new_stream();
  small_source source;
};

TEST_F(MemoryPool, GivesAStreamWhatItStillUses) {
  memory_pool pool(source);
  stream_gate gate(first);
  const memory_block block = pool.take(1024, nullptr, pending::none);
  pool.free(block.address, 1024, in_flight(first));
  const memory_block again = pool.take(1024, &first.queue(), pending::of_stream);
  EXPECT_EQ(again.address, block.address);
  EXPECT_EQ(again.last_use.stream, &first.queue());
  gate.open();
  first.synchronize();
  pool.free(again.address, 1024, again.last_use);
}

TEST_F(MemoryPool, GivesOthersWhatIsAtRestFirst) {
  memory_pool pool(source);
  stream_gate gate(first);
  const memory_block busy = pool.take(1024, nullptr, pending::none), idle = pool.take(1024, nullptr, pending::none);
  pool.free(idle.address, 1024, {});
  pool.free(busy.address, 1024, in_flight(first));
  EXPECT_EQ(pool.take(1024, &second.queue(), pending::of_any).address, idle.address);
  const memory_block waiting = pool.take(1024, &second.queue(), pending::of_any);
  EXPECT_EQ(waiting.address, busy.address);
  EXPECT_EQ(waiting.last_use.ticket, in_flight(first).ticket) << "to be waited for";
  pool.free(waiting.address, 1024, waiting.last_use);
  gate.open();
  first.synchronize();
  EXPECT_EQ(pool.take(1024, &second.queue(), pending::of_any).last_use.stream, nullptr) << "nothing to wait for";
  pool.free(waiting.address, 1024, {});
  pool.free(idle.address, 1024, {});
}

TEST_F(MemoryPool, GivesTheHostNothingThatIsInFlight) {
  memory_pool pool(source);
  stream_gate gate(first);
  const memory_block busy = pool.take(1024, nullptr, pending::none);
  pool.free(busy.address, 1024, in_flight(first));
  const memory_block other = pool.take(1024, &first.queue(), pending::none);
  EXPECT_NE(other.address, busy.address);
  pool.release_cached();
  EXPECT_EQ(source.taken.count(busy.address), 1u) << "given back while in use";
  gate.open();
  first.synchronize();
  pool.free(other.address, 1024, {});
}

TEST_F(MemoryPool, CountsWhatIsInFlightAsCached) {
  memory_pool pool(source);
  stream_gate gate(first);
  const memory_block block = pool.take(1000, nullptr, pending::none);
  pool.free(block.address, 1000, in_flight(first));
  EXPECT_EQ(pool.statistics().in_use_bytes, 0u);
  EXPECT_EQ(pool.statistics().cached_bytes, 1024u);
  (void)pool.take(1000, &first.queue(), pending::of_stream);
  EXPECT_EQ(pool.statistics().in_use_bytes, 1024u);
  EXPECT_EQ(pool.statistics().cached_bytes, 0u);
  EXPECT_EQ(pool.statistics().high_water_bytes, 1024u);
  gate.open();
  first.synchronize();
  pool.free(block.address, 1000, {});
}

TEST_F(MemoryPool, GivesBackWhatIsAtRestBeforeThereIsNone) {
  memory_pool pool(source);
  std::vector<memory_block> blocks;
  for (int i = 0; i < 3; ++i) blocks.push_back(pool.take(1024, nullptr, pending::none));
  pool.free(blocks[0].address, 1024, {});
  const memory_block larger = pool.take(2048, nullptr, pending::none);
  EXPECT_NE(larger.address, nullptr);
  EXPECT_EQ(pool.statistics().cached_bytes, 0u);
  EXPECT_EQ(pool.take(512, nullptr, pending::none).address, nullptr);
  pool.free(larger.address, 2048, {});
  for (int i = 1; i < 3; ++i) pool.free(blocks[static_cast<std::size_t>(i)].address, 1024, {});
}

// A device of the host with little memory.
class small_engine final : public detail::device_engine {
 public:
  explicit small_engine(small_source& source) : pool(source) {}
  ~small_engine() override { destroy_streams(); }
  const char* name() const override { return "small"; }
  compiler::target target() const override { return compiler::target::interp; }
  memory_block allocate(std::size_t size_bytes, detail::first_use by) override {
    return allocate_from(pool, size_bytes, by);
  }
  void free(std::byte* address, std::size_t size_bytes, const event& last_use) noexcept override {
    pool.free(address, size_bytes, last_use);
  }
  memory_statistics memory() const override { return pool.statistics(); }
  void release_cached_memory() noexcept override { pool.release_cached(); }
  void copy_to_host(void*, const std::byte*, std::size_t) override {}
  void copy_from_host(std::byte*, const void*, std::size_t) override {}
  void fill(std::byte*, const void*, std::size_t, std::size_t) override {}
  void run(const detail::compiled_launch&, detail::stream_queue&) override {}
  memory_pool pool;

 protected:
  std::unique_ptr<detail::stream_queue> make_stream() override { return std::make_unique<detail::host_stream>(*this); }
};

TEST_F(MemoryPool, WhenThereIsNoneWorkInFlightIsWaitedFor) {
  small_engine engine(source);
  const Device device(engine);
  const Stream stream = device.new_stream();
  source.most_blocks = 1;
  stream_gate gate(stream);
  const memory_block held = engine.allocate(1024, detail::first_use::by_host);
  engine.free(held.address, 1024, in_flight(stream));
  std::thread opener([&] { gate.open(); });
  const memory_block next = engine.allocate(2048, detail::first_use::by_host);
  opener.join();
  EXPECT_NE(next.address, nullptr);
  EXPECT_EQ(engine.memory().cached_bytes, 0u);
  engine.free(next.address, 2048, {});
}

TEST_F(MemoryPool, NoMemoryIsSaidWithSizes) {
  small_engine engine(source);
  source.most_blocks = 2;
  const memory_block held = engine.allocate(1024, detail::first_use::by_host);
  engine.free(engine.allocate(512, detail::first_use::by_host).address, 512, {});
  source.most_blocks = 1;
  try {
    (void)engine.allocate(4096, detail::first_use::on_device);
    ADD_FAILURE() << "no out_of_memory";
  } catch (const out_of_memory& error) {
    EXPECT_EQ(error.parts().where, "a small place");
    EXPECT_EQ(error.parts().expected, "4096 bytes");
    EXPECT_EQ(error.parts().got,
              "1024 bytes are in use by other tensors, 512 were cached and have been given back, of 3072 in all");
  }
  EXPECT_EQ(engine.memory().in_use_bytes, 1024u);
  engine.free(held.address, 1024, {});
}

// ---- Tensors -------------------------------------------------------------------------------------------------------
TEST_F(MemoryPool, ALoopOfLaunchesNeedsTheMemoryOfOne) {
  std::thread([&] {
    const Shared<f32> x = host.full<f32>({3333}, 1.0f).share();
    stream_gate gate(host.stream());
    host.release_cached_memory();
    const std::size_t before = host.memory().in_use_bytes;
    std::set<const std::byte*> addresses;
    for (int i = 0; i < 100; ++i) {
      Tensor<f32> z = host.empty<f32>({3333});
      addresses.insert(detail::access::memory(z)->address);
      add_one(std::move(z).partition({100}), x).start().detach();
      EXPECT_EQ(host.memory().in_use_bytes, before);
    }
    EXPECT_EQ(addresses.size(), 1u);
    gate.open();
    host.stream().synchronize();
  }).join();
}

// Results of many threads on a few streams, most of them dropped at once.
TEST_F(MemoryPool, NoResultIsWrittenByAnother) {
  constexpr int threads = 4, rounds = 150;
  constexpr index_t size = 600;
  const Stream streams[] = {host.new_stream(), host.new_stream(), host.new_stream()};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      std::vector<std::pair<Tensor<f32>, f32>> kept;
      for (int i = 0; i < rounds; ++i) {
        const auto value = static_cast<f32>(1000 * t + i);
        const Shared<f32> x = host.full<f32>({size}, value).share();
        const Stream stream = random() % 2 == 0 ? host.stream() : streams[random() % 3];
        auto one = add_one(host.empty<f32>({size}).partition({100}), x).start_on(stream);
        auto two = add_one(host.empty<f32>({size}).partition({100}), x).start_on(streams[random() % 3]);
        if (random() % 3 != 0) {
          std::move(one).detach();
        } else {
          kept.emplace_back(std::get<0>(std::move(one).wait()), value + 1.0f);
        }
        std::move(two).detach();
        if (kept.size() < 6) continue;
        for (auto& [result, wanted] : kept) {
          ASSERT_EQ(result.to_host(), std::vector<f32>(static_cast<std::size_t>(size), wanted));
        }
        kept.clear();
      }
    });
  }
  for (std::thread& each : running) each.join();
  for (const Stream& stream : streams) stream.synchronize();
}

}  // namespace
}  // namespace tilewright::test
