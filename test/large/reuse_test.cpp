// SPDX-License-Identifier: Apache-2.0
// Memory of a tensor that is dropped while a stream still reads it is not given to another one (KER-11).
#include <gtest/gtest.h>

#include <algorithm>

#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::test {
namespace {

using kernels::BN;

inline constexpr auto add_one =
    kernel<"add_one">([](Out<f32, BN> z, In<f32, dyn> x) { z.store(load_like(x, z) + 1.0f); });

TEST(MemoryInFlight, IsNotReusedOnAnotherStream) {
  constexpr index_t count = index_t{16} << 20;
  const Device device = cpu_device();
  const Stream other = device.new_stream();
  for (int round = 0; round < 1000; ++round) {
    auto flight =
        add_one(device.empty<f32>({count}).partition({65536}), device.full<f32>({count}, 1.0f)).start_on(other);
    const auto fresh = device.full<f32>({count}, 7.0f);
    const auto b = std::get<0>(std::move(flight).wait()).to_host();
    ASSERT_EQ(std::count(b.begin(), b.end(), 2.0f), count) << "round " << round;
    const auto c = fresh.to_host();
    ASSERT_EQ(std::count(c.begin(), c.end(), 7.0f), count) << "round " << round;
  }
}

}  // namespace
}  // namespace tilewright::test
