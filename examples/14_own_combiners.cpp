// SPDX-License-Identifier: Apache-2.0
// Reductions and scans by combiners of one's own, over two tiles at a time: the logarithm of a sum of exponentials in
// one walk (M. Milakov, N. Gimelshein, 2018: Online normalizer calculation for softmax), and a moving average, which is
// a linear recurrence (G. E. Blelloch, 1990: Prefix sums and their applications).
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim BM{"BM"}, BN{"BN"};

// What the last columns overhang is -inf, whose exponential adds nothing.
inline constexpr auto log_sum_exp = kernel<"log_sum_exp">([](Block b, Out<f32, BM, 1> z, In<f32, dyn, dyn> all) {
  requires_(all.extent(1) <= b.size(tile<BN>));
  auto x = all.load(tile<BM, BN>, b.pid(0), 0, pad(-inf));
  auto ones = b.full<f32>(tile<BM, BN>, 1);
  auto [greatest, sum] = reduce<1>(values(x, ones), identity(-inf, 0), [](auto left, auto right) {
    auto [m, s] = left;
    auto [n, t] = right;
    auto top = max(m, n);
    auto scaled = [&](auto g, auto u) { return select(g == top, u, u * exp(g - top)); };
    return values(top, scaled(m, s) + scaled(n, t));
  });
  z.store(greatest + log(sum));
});

// average[t] = keep * average[t - 1] + (1 - keep) * x[t]: pairs (factor, state), of which the later one goes on.
inline constexpr auto moving_average =
    kernel<"moving_average">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, BN> x, Scalar<f32> keep) {
      auto factors = b.full<f32>(tile<BM, BN>, 1) * keep;
      auto [factor, state] = scan<1>(
          values(factors, load_like(x, z) * (1.0f - keep)), identity(1, 0), [](const auto& before, const auto& after) {
            return values(before.first * after.first, after.first * before.second + after.second);
          });
      z.store(state);
    });

int main() {
  const Device d = device();
  const index_t rows = example::sized(8192, 64), columns = 500, block_rows = 8;
  const f32 keep = 0.75f;
  std::vector<f32> values;
  for (index_t i = 0; i < rows * columns; ++i) values.push_back(static_cast<f32>(i * 37 % 101) * 0.25f - 12.0f);
  const auto x = d.from_host(values, {rows, columns}).share();

  auto sums = d.empty<f32>({rows, 1});
  const auto launch = [&] { log_sum_exp.with(BN = 512)(sums.partition({block_rows, 1}), x).sync(); };
  launch();
  auto averages = d.empty<f32>({rows, columns});
  moving_average(averages.partition({block_rows, columns}), x, keep).sync();

  // A sum of n positive terms and its factors err by some eps each, the logarithm by as much of a sum that is above 1;
  // a state is a sum whose terms fall off by `keep`.
  constexpr double eps = 0x1p-24;
  const std::vector<f32> got_sums = sums.to_host(), got = averages.to_host();
  example::WorstError worst;
  for (index_t row = 0; row < rows; row += std::max<index_t>(1, rows / 64)) {
    const f32* const elements = values.data() + row * columns;
    double sum = 0, average = 0, magnitude = 0;
    for (index_t i = 0; i < columns; ++i) {
      sum += std::exp(static_cast<double>(elements[i]));
      average = keep * average + (1 - keep) * elements[i];
      magnitude = keep * magnitude + (1 - keep) * std::abs(elements[i]);
      worst.compare(got[static_cast<std::size_t>(row * columns + i)], average, 40 * eps * magnitude + eps);
    }
    worst.compare(got_sums[static_cast<std::size_t>(row)], std::log(sum),
                  (columns + 40) * eps + 4 * eps * std::log(sum));
  }
  return example::finish("14 log-sum-exp", example::shape_text({rows, columns}), example::seconds_of(launch),
                         4.0 * static_cast<double>(rows * columns), "GB/s", worst);
}
