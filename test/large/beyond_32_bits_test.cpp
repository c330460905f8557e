// SPDX-License-Identifier: Apache-2.0
// Tensors whose offsets pass 32 bits (KER-10), on cpu: several gigabytes, minutes.
#include <gtest/gtest.h>

#include "tilewright/compiler/compile.hpp"
#include "tilewright/kernels/argmax.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::test {
namespace {

using kernels::BN;

inline constexpr auto put = kernel<"put">([](Out<i8, BN> z, In<i8, dyn> x) { z.store(load_like(x, z)); });
inline constexpr auto sum_of_three = kernel<"sum_of_three">([](Block b, Out<i32, 1> z, In<i8, dyn> x) {
  z.store(reduce_sum<0>(cast<i32>(x.load(tile<4>, b.pid(0), pad(0)))));
});
inline constexpr auto sum_and_greatest =
    kernel<"sum_and_greatest">([](Block b, Out<i64, 1> sum, Out<i8, 1> greatest, In<i8, dyn> x) {
      auto xt = x.partition(tile<BN>);
      auto total = b.zeros<i64>(tile<1>);
      auto most = b.full<i8>(tile<1>, -128);
      for (auto i : range(xt.tiles(0))) {
        total = total + reduce_sum<0>(cast<i64>(xt.load(i, pad(0))));
        most = max(most, reduce_max<0>(xt.load(i, pad(-128))));
      }
      sum.store(total);
      greatest.store(most);
    });

class Beyond32Bits : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler::has_cpu_target()) GTEST_SKIP() << "built without LLVM";
  }
  void TearDown() override { device_.release_cached_memory(); }

  void plant(Tensor<i8>& into, index_t place, i8 value) const {
    put(into.slice(0, place, place + 1).partition({1}), device_.full<i8>({1}, value).share()).sync();
  }

  Device device_ = cpu_device();
};

// 32 bits would take the second offset, 2400000000, for a negative one.
TEST_F(Beyond32Bits, AViewWithAWideStrideReadsItsElements) {
  constexpr index_t stride = 1'200'000'000;
  auto buffer = device_.zeros<i8>({2 * stride + 1});
  for (const i8 n : {i8{0}, i8{1}, i8{2}}) plant(buffer, n * stride, static_cast<i8>(n + 1));
  const auto x = std::move(buffer).share().strided({3}, {stride}, 0);
  auto sum = device_.zeros<i32>({1});
  sum_of_three(sum.partition({1}), x).sync();
  EXPECT_EQ(sum.to_host(), std::vector<i32>{6});
  EXPECT_EQ(x.to_host(), (std::vector<i8>{1, 2, 3}));
}

TEST_F(Beyond32Bits, TheLastOfMoreThan2To31ElementsIsFound) {
  constexpr index_t count = (index_t{1} << 31) + 5;
  auto values = device_.zeros<i8>({count});
  plant(values, count - 1, 9);
  const auto x = std::move(values).share();
  auto sum = device_.zeros<i64>({1});
  auto greatest = device_.zeros<i8>({1});
  sum_and_greatest.with(BN = 65536)(sum.partition({1}), greatest.partition({1}), x).sync();
  EXPECT_EQ(sum.to_host(), std::vector<i64>{9});
  EXPECT_EQ(greatest.to_host(), std::vector<i8>{9});
  auto place = device_.zeros<i64>({1});
  kernels::argmax_row<i8>().with(BN = 65536)(place.partition({1}), x.reshape({1, count})).sync();
  EXPECT_EQ(place.to_host(), std::vector<i64>{2147483652});
}

}  // namespace
}  // namespace tilewright::test
