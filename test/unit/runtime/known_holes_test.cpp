// SPDX-License-Identifier: Apache-2.0
// Ten ways in which safe code of another tile language (cuTile Rust, as it was in 2026) reaches undefined behaviour,
// and what the same program does here. The first line of each test says what happens there.
#include <array>
#include <optional>
#include <thread>

#include "unit/runtime/faulting_kernels.hpp"

TILEWRIGHT_TEST_UNFOLLOWED_LOANS

namespace tilewright::test {
namespace {

inline constexpr auto count_sharers = kernel<"count_sharers">(
    [](Block b, Accum<i32, combiner::sum, B> counts) { counts.combine(b.full<i32>(tile<B>, 1)); });

class KnownHole : public testing::TestWithParam<Device> {
 protected:
  Device device() const { return GetParam(); }
  Tensor<f32> full(f32 value) const { return device().full<f32>({64}, value); }
};
INSTANTIATE_TEST_SUITE_P(On, KnownHole, testing::Values(cpu_device(), interp_device()),
                         [](const auto& tested) { return std::string(tested.index == 0 ? "cpu" : "interp"); });

// An input that is shorter than the output is read past its end.
TEST_P(KnownHole, H01InputOfOtherExtent) {
  auto z = full(0);
  const auto x = full(1).share(), y = device().full<f32>({48}, 1.0f).share();
  const report said = usage_of([&] { add(z.partition({16}), x, y).sync(); });
  EXPECT_NE(said.got.find("Out [64], In [64], In [48]"), std::string::npos) << said.got;
  EXPECT_EQ(z.to_host(), full(0).to_host());
}

// Addresses are made of integers. Here places are indices of a tensor, and checked.
TEST_P(KnownHole, H02AddressesFromIntegers) {
  for (const i32 number : {4, -1, INT32_MAX, INT32_MIN}) {
    EXPECT_THROW(
        (void)pick_page(device().zeros<f32>({4}).partition({4}), pages_of(device()), page(device(), number)).sync(),
        device_fault);
  }
  EXPECT_EQ(std::get<0>(good_pick(device()).sync()).to_host(), page_two);
}

// Blocks store into a global that none of them owns. Here none can be named: a body captures nothing (n21_capture in
// test/compile_fail/lang), and an input has no store (n72_store_into_input). What blocks share is an Accum.
TEST_P(KnownHole, H03StoresThatBlocksShare) {
  auto counts = device().zeros<i32>({4});
  count_sharers(counts.partition({4}, shared_by(1000))).sync();
  EXPECT_EQ(counts.to_host(), std::vector<i32>(4, 1000));
}

// A copy holds bare pointers: into itself, of another size, from what is gone.
TEST_P(KnownHole, H04Copies) {
  auto z = device().iota<f32>({64});
  EXPECT_THROW(copy(z.slice(0, 0, 32).all(), z.slice(0, 16, 48).borrow()).sync(), usage_error);
  EXPECT_THROW(copy(z.slice(0, 0, 32).all(), z.slice(0, 32, 63).borrow()).sync(), usage_error);
  auto flying = copy(full(0), std::move(z)).start();
  const auto other = full(7);
  auto [to, from] = std::move(flying).wait();
  EXPECT_EQ(to.to_host(), counted(64));
  EXPECT_EQ(other.to_host(), full(7).to_host());
}

// A graph keeps pointers to buffers that may be freed before a replay.
TEST_P(KnownHole, H05GraphsOutliveTheirBuffers) {
  auto z = std::optional(full(0));
  auto graph = capture(device(), [&] { increment(z->partition({16})).sync(); });
  z.reset();
  const auto other = full(7), another = full(8);
  for (int i = 0; i < 3; ++i) graph.sync();
  EXPECT_EQ(other.to_host(), full(7).to_host());
  EXPECT_EQ(another.to_host(), full(8).to_host());
}

// A reshaped view of what is shared counts as another storage, and may be written.
TEST_P(KnownHole, H06ViewsAreSecondOwners) {
  auto x = full(1).share();
  const auto view = x.reshape({8, 8});
  EXPECT_THROW((void)std::move(x).into_unique(), usage_error);
  EXPECT_EQ(view.to_host(), full(1).to_host());
}

// Two threads that poll one shared result race.
TEST_P(KnownHole, H07TwoThreadsWaitForOneResult) {
  const Stream slow = device().new_stream();
  stream_gate gate(slow);
  const auto x = full(0);
  scope([&](Scope& s) {
    auto [z] = s.start_on(slow, add_one(full(0).partition({16}), x.borrow()));
    const Shared<f32> result = std::move(z).share();
    std::array<std::vector<f32>, 2> seen;
    std::thread first([&seen, result] { seen[0] = result.to_host(); });
    std::thread second([&seen, result] { seen[1] = result.to_host(); });
    gate.open();
    first.join();
    second.join();
    EXPECT_EQ(seen[0], full(1).to_host());
    EXPECT_EQ(seen[1], full(1).to_host());
  });
}

// What another stream computes is used without an event.
TEST_P(KnownHole, H08ResultsOfAnotherStream) {
  const Stream slow = device().new_stream();
  stream_gate gate(slow);
  auto x = full(0), y = full(0);
  scope([&](Scope& s) {
    auto [z] = s.start_on(slow, add_one(full(0).partition({16}), x.borrow()));
    (void)s.start(add_one(y.partition({16}), std::move(z)));
    gate.open();
  });
  EXPECT_EQ(y.to_host(), full(2).to_host());
}

// Buffers of a future that is dropped are freed while it is in flight.
TEST_P(KnownHole, H09DroppedInFlight) {
  const Stream slow = device().new_stream();
  stream_gate gate(slow);
  increment(full(0).partition({16})).start_on(slow).detach();
  const auto other = full(7), another = full(8);
  gate.open();
  slow.synchronize();
  EXPECT_EQ(other.to_host(), full(7).to_host());
  EXPECT_EQ(another.to_host(), full(8).to_host());
}

// Products of extents wrap past 2^31 elements. A view of 2^33, each of them the same; its last page is read.
TEST_P(KnownHole, H10MoreThan32Bits) {
  constexpr index_t many = index_t{1} << 33;
  const auto x = device().full<f32>({1}, 5.0f).share();
  const auto view = x.strided({many}, {0}, 0);
  auto [z, same, pages] = pick_page(device().zeros<f32>({4}).partition({4}), view, page(device(), INT32_MAX)).sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(4, 5.0f));
  EXPECT_THROW((void)device().empty<f32>({many, many}), usage_error);
}

}  // namespace
}  // namespace tilewright::test
