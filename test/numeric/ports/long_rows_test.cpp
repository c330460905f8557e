// SPDX-License-Identifier: Apache-2.0
#include "ports/long_rows.hpp"

#include <algorithm>
#include <numeric>

#include "numeric/kernels/kernel_test.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

// Elements of few values, so that many are equal, and some that are special.
template <class T>
std::vector<T> few_values(index_t count) {
  std::vector<T> made;
  for (index_t i = 0; i < count; ++i) made.push_back(from_f64<T>(static_cast<double>(i * i * 7919 % 31 - 15)));
  for (std::size_t i = 0; i < made.size(); i += 13) {
    if constexpr (std::is_integral_v<T>) {
      made[i] = i % 2 == 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    } else {
      made[i] = from_f64<T>(i % 3 == 0 ? not_a_number : i % 2 == 0 ? infinity : -infinity);
    }
  }
  return made;
}

// What the kernels call a before b: NaN counts as greatest.
template <class T>
bool is_less(T a, T b) {
  return to_f64(a) < to_f64(b) || (to_f64(b) != to_f64(b) && to_f64(a) == to_f64(a));
}

class LongRows : public KernelTest {
 protected:
  static constexpr index_t rows = 3;
  static constexpr int width = 16;  // of a piece

  // The places of row `row` as they are to come: equal elements keep their order.
  template <class T, class Before>
  static std::vector<i32> order_of(const std::vector<T>& x, index_t row, index_t columns, const Before& before) {
    std::vector<i32> order(static_cast<std::size_t>(columns));
    std::iota(order.begin(), order.end(), 0);
    const auto at = [&](i32 place) { return x[static_cast<std::size_t>(row * columns + place)]; };
    std::stable_sort(order.begin(), order.end(), [&](i32 a, i32 b) { return before(at(a), at(b)); });
    return order;
  }
  // The first `count` in the order of each row, exactly.
  template <class T, class Before>
  static void expect_chosen(const ports::found_elements<T>& got, const std::vector<T>& x, index_t columns,
                            index_t count, const Before& before) {
    const std::vector<T> values = got.values.to_host();
    const std::vector<i32> places = got.places.to_host();
    ASSERT_EQ(places.size(), static_cast<std::size_t>(rows * count));
    for (index_t row = 0; row < rows; ++row) {
      const std::vector<i32> order = order_of(x, row, columns, before);
      for (index_t n = 0; n < count; ++n) {
        const auto at = static_cast<std::size_t>(row * count + n);
        ASSERT_EQ(places[at], order[static_cast<std::size_t>(n)]) << "row " << row << ", element " << n;
        const double expected = to_f64(x[static_cast<std::size_t>(row * columns + places[at])]);
        const double value = to_f64(values[at]);
        ASSERT_TRUE(value == expected || (value != value && expected != expected)) << value << " for " << expected;
      }
    }
  }
  template <class T>
  static void expect_sorted(index_t columns) {
    SCOPED_TRACE(columns);
    const std::vector<T> x = few_values<T>(rows * columns);
    expect_chosen(ports::sort_long_rows<T, width>(upload(x, {rows, columns})), x, columns, columns,
                  [](T a, T b) { return is_less(a, b); });
  }
  template <class T, int Count>
  static void expect_greatest(index_t columns) {
    SCOPED_TRACE(columns);
    const std::vector<T> x = few_values<T>(rows * columns);
    expect_chosen(ports::top_k_of_long_rows<T, Count, width>(upload(x, {rows, columns})), x, columns, Count,
                  [](T a, T b) { return is_less(b, a); });
  }
};
TILEWRIGHT_ON_EACH_BACK_END(LongRows);

TEST_P(LongRows, AreSortedInPiecesAndMerged) {
  for (const index_t columns : {1, 16, 17, 33, 100, 300}) {
    expect_sorted<f32>(columns);
    expect_sorted<i32>(columns);
  }
}

TEST_P(LongRows, GiveTheirGreatestElementsFirst) {
  for (const index_t columns : {4, 15, 17, 35, 300}) {
    expect_greatest<f32, 4>(columns);
    expect_greatest<i32, 4>(columns);
    expect_greatest<f16, 1>(columns);
  }
  expect_greatest<f32, 8>(400);
}

TEST_P(LongRows, AreRefusedWhereTheyHaveFewerElementsThanAreChosen) {
  EXPECT_THROW((ports::top_k_of_long_rows<f32, 4, width>(upload(std::vector<f32>(6), {2, 3}))), usage_error);
}

// Every gather is of clamped places.
TEST_P(LongRows, CheckNothingInTheKernel) {
  const auto x = upload(std::vector<f32>{1, 3, 2, 4}, {1, 4});
  const auto places = upload(std::vector<i32>{0, 1, 2, 3}, {1, 4});
  auto merged = ports::merge_runs<f32>.with(deny_residual)(poisoned<f32>({1, 4}).partition({1, 4}),
                                                           poisoned<i32>({1, 4}).partition({1, 4}), x, places, 2);
  EXPECT_EQ(output(std::move(merged)), (std::vector<f32>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace tilewright::test
