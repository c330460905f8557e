// SPDX-License-Identifier: Apache-2.0
// Kernels whose indices and divisors come from data: right where those keep to the tensors, a device_fault where one
// does not, and right again after it. On a GPU too.
#include <cmath>

#include "numeric/kernels/kernel_test.hpp"
#include "support/checked_kernels.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using kernels::BK, kernels::BN;

class Checked : public KernelTest {
 protected:
  // good() before and after bad(), which has to fault with this value.
  template <class Good, class Bad>
  static void survives(Good good, Bad bad, const std::string& got) {
    good();
    for (int n = 0; n < 2; ++n) {
      try {
        bad();
        FAIL() << "no device_fault";
      } catch (const device_fault& fault) {
        EXPECT_EQ(fault.parts().got, got);
        EXPECT_NE(fault.parts().where.find("checked_kernels.hpp:"), std::string::npos) << fault.what();
      }
      good();
    }
    EXPECT_NO_THROW(device().synchronize());
  }
  static std::vector<f32> counted(index_t count) {
    std::vector<f32> values;
    for (index_t i = 0; i < count; ++i) values.push_back(static_cast<f32>(i));
    return values;
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Checked);

TEST_P(Checked, PagesOfAList) {
  const auto x = upload(counted(61 * 97), {61, 97});  // 11 tiles of 6 rows, 4 of 30 columns
  const std::vector<i32> order = {3, 0, 10, 7, 7, 1, 9, 2, 10, 4};
  const auto good = upload(order);
  const auto launch = [&](const Shared<i32>& list) {
    return output(checked::pages(poisoned<f32>({60, 90}).partition({6, 30}), x, list));
  };
  survives(
      [&] {
        const std::vector<f32> z = launch(good);
        for (index_t i = 0; i < 60 * 90; ++i) {
          const index_t row = order[static_cast<std::size_t>(i / 90 / 6)] * 6 + i / 90 % 6;
          ASSERT_EQ(z[static_cast<std::size_t>(i)], row < 61 ? static_cast<f32>(row * 97 + i % 90) : 0) << i;
        }
      },
      [&] {
        (void)launch(upload(std::vector<i32>{3, 0, 10, 7, 7, 1, 11, 2, 10, 4}));
      },
      "11");
  EXPECT_THROW((void)launch(upload(std::vector<i32>(10, -1))), device_fault);
}

TEST_P(Checked, RowsOfAList) {
  const auto x = upload(counted(100 * 97), {100, 97});
  std::vector<i64> order;
  for (i64 r = 0; r < 60; ++r) order.push_back(r * 37 % 100);
  std::vector<i64> wrong = order;
  wrong[37] = i64{1} << 40;
  wrong[40] = -5;  // a later lane of the same block: the first one is told
  const auto launch = [&](const std::vector<i64>& list) {
    return output(checked::rows(poisoned<f32>({60, 90}).partition({6, 30}), x, upload(list, {60, 1})));
  };
  survives(
      [&] {
        const std::vector<f32> z = launch(order);
        for (std::size_t i = 0; i < z.size(); ++i) {
          ASSERT_EQ(z[i], static_cast<f32>(order[i / 90] * 97 + static_cast<i64>(i % 90))) << i;
        }
      },
      [&] { (void)launch(wrong); }, "1099511627776");
}

TEST_P(Checked, DivisorsFromData) {
  std::vector<i32> x, d;
  for (i32 i = 0; i < 60 * 90; ++i) {
    x.push_back(1000 - 7 * i);
    d.push_back(i % 9 < 4 ? -1 - i % 9 : 1 + i % 9);
  }
  std::vector<i32> wrong = d;
  wrong[60 * 90 - 1] = 0;
  const auto launch = [&](const std::vector<i32>& divisors) {
    return output(checked::quotients(device().full<i32>({60, 90}, -77).partition({6, 30}), upload(x, {60, 90}),
                                     upload(divisors, {60, 90})));
  };
  survives(
      [&] {
        const std::vector<i32> z = launch(d);
        for (std::size_t i = 0; i < z.size(); ++i) ASSERT_EQ(z[i], x[i] / d[i]) << i;
      },
      [&] { (void)launch(wrong); }, "0");
}

TEST_P(Checked, ProductOfPages) {
  // y's tiles are its identity blocks in another order, so that z is x with its columns of tiles in that order.
  constexpr index_t size = 128, step = 32;
  std::vector<f16> x, y(size * size);
  for (index_t i = 0; i < size * size; ++i) x.push_back(f16(static_cast<f32>(i % 61)));
  for (index_t i = 0; i < size; ++i) y[static_cast<std::size_t>(i * size + i)] = f16(1.0f);
  const std::vector<i32> order = {2, 0, 3, 1};
  const auto left = upload(x, {size, size}), right = upload(y, {size, size});
  const auto launch = [&](const std::vector<i32>& list) {
    return output(checked::paged_gemm.with(BK = step)(poisoned<f16>({size, size}).partition({64, 64}), left, right,
                                                      upload(list)));
  };
  survives(
      [&] {
        const std::vector<f16> z = launch(order);
        for (index_t r = 0; r < size; ++r) {
          for (index_t k = 0; k < 4; ++k) {
            const index_t from = r * size + k * step, to = r * size + order[static_cast<std::size_t>(k)] * step;
            for (index_t c = 0; c < step; ++c) {
              ASSERT_EQ(static_cast<f32>(z[static_cast<std::size_t>(to + c)]),
                        static_cast<f32>(x[static_cast<std::size_t>(from + c)]));
            }
          }
        }
      },
      [&] {
        (void)launch({2, 0, 4, 1});
      },
      "4");
}

TEST_P(Checked, ChecksInLoopsInBranches) {
  const std::vector<i32> ones(64 * 64, 1);
  const auto x = upload(ones, {64, 64});
  const auto launch = [&](const std::vector<i32>& list) {
    return output(checked::nested(device().zeros<i32>({64, 64}).partition({8, 8}), x, upload(list)));
  };
  survives(
      [&] {  // a page p > 3 sets the total to p: it sums 1 / 1 so often
        const std::vector<i32> z = launch({1, 5, 7, 2});
        for (const i32 value : z) ASSERT_EQ(value, 7);
      },
      [&] {
        (void)launch({1, 5, 9, 2});
      },
      "9");  // x has 8 tiles on each axis
}

TEST_P(Checked, PagedAttentionEqualsThatWithoutChecks) {
  if (is_interp() || GetParam().is_scattered) return;
  const Shape shape = {256, 256};
  const auto q = device().randn<f16>(shape, 1).share(), k = device().randn<f16>(shape, 2).share(),
             v = device().randn<f16>(shape, 3).share();
  const auto at = [&](i32 start) { return device().from_host(std::vector<i32>{start}, {1}).share(); };
  const auto piece = [&] { return poisoned<f16>(shape).partition({128, 128}); };
  const auto plain = output(scheduled_paged_attention<false>()(piece(), q, k, v, 0.125f, at(0)));
  const auto checked = [&](i32 start) {
    return output(scheduled_paged_attention<true>()(piece(), q, k, v, 0.125f, at(start)));
  };
  const auto same = [&] {
    const std::vector<f16> z = checked(0);
    for (std::size_t i = 0; i < z.size(); ++i) ASSERT_EQ(z[i].bits, plain[i].bits) << i;
  };
  same();
  EXPECT_THROW((void)checked(1), device_fault);
  same();
}

}  // namespace
}  // namespace tilewright::test
