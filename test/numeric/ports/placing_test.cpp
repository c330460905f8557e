// SPDX-License-Identifier: Apache-2.0
#include "ports/placing.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/kernels/kernel_test.hpp"

namespace tilewright::test {
namespace {

class Placing : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(Placing);

// New rows are the halves nearest to what was given, which a cast to f16 is exactly; all others stay.
TEST_P(Placing, UpdatesACacheAtComputedPositions) {
  struct cache_case {
    index_t tokens, slots, columns;
  };
  for (const auto& [tokens, slots, columns] : {cache_case{1, 1, 1}, {3, 16, 20}, {0, 4, 8}, {33, 50, 70}, {5, 5, 3}}) {
    const auto k = random_matrix<f32>(tokens, columns), v = random_matrix<f32>(tokens, columns);
    std::vector<i32> places;
    for (index_t i = 0; i < tokens; ++i) places.push_back(static_cast<i32>((i * 3 + 1) % slots));
    auto keys = device().full({slots, columns}, f16(9.0f)), values = device().full({slots, columns}, f16(-9.0f));
    ports::update_cache<f16>(keys.partition({8, 16}), values.partition({8, 16}), unique_indices(upload(places), slots),
                             upload(k), upload(v))
        .sync();
    std::vector<f16> new_keys(static_cast<std::size_t>(slots * columns), f16(9.0f));
    std::vector<f16> new_values(new_keys.size(), f16(-9.0f));
    for (index_t i = 0; i < tokens * columns; ++i) {
      const auto from = static_cast<std::size_t>(i);
      const auto to = static_cast<std::size_t>(places[static_cast<std::size_t>(i / columns)] * columns + i % columns);
      new_keys[to] = f16(k.values[from]);
      new_values[to] = f16(v.values[from]);
    }
    const auto got_keys = keys.to_host(), got_values = values.to_host();
    for (std::size_t i = 0; i < new_keys.size(); ++i) {
      EXPECT_EQ(to_f64(got_keys[i]), to_f64(new_keys[i])) << i;
      EXPECT_EQ(to_f64(got_values[i]), to_f64(new_values[i])) << i;
    }
  }
}

// Two experts for each token: a stable sort of the pairs by expert gives each its row. Other rows of a group hold what
// they held.
TEST_P(Placing, WritesTokensToTheRowsOfTheirExperts) {
  const index_t tokens = 21, experts = 4, columns = 37, group = 16;
  const auto x = random_matrix<f32>(tokens, columns);
  std::vector<i32> slots, of_pair;
  std::vector<index_t> used(static_cast<std::size_t>(experts), 0);
  for (index_t p = 0; p < 2 * tokens; ++p) {
    const index_t expert = (p * 5 + p / 7) % experts;
    slots.push_back(static_cast<i32>(expert * group + used[static_cast<std::size_t>(expert)]++));
    of_pair.push_back(static_cast<i32>(p / 2));
  }
  auto z = poisoned<f32>({experts * group, columns});
  const auto before = z.to_host();
  const auto rows = unique_indices(upload(slots), experts * group);
  ports::dispatch_tokens<f32>(z.partition({8, 16}), rows, upload(of_pair), upload(x)).sync();
  auto expected = before;
  for (std::size_t p = 0; p < slots.size(); ++p) {
    std::copy_n(x.values.begin() + of_pair[p] * columns, columns, expected.begin() + slots[p] * columns);
  }
  const auto got = z.to_host();
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i]))) << i;
  }
}

}  // namespace
}  // namespace tilewright::test
