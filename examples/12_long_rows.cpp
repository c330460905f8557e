// SPDX-License-Identifier: Apache-2.0
// Rows longer than any tile: softmax in two passes. A block has whole rows of the output and stores them part by part.
// The sum is kept relative to the greatest element so far (M. Milakov, N. Gimelshein, 2018: Online normalizer
// calculation for softmax).
#include <cmath>

#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto long_softmax = kernel<"long_softmax">([](Block b, Out<f32, BM, dyn> z, In<f32, dyn, dyn> x) {
  auto from = x.partition(tile<BM, BN>);
  auto to = z.partition(tile<BM, BN>);
  auto greatest = b.full<f32>(tile<BM, 1>, -HUGE_VALF);
  auto sum = b.zeros<f32>(tile<BM, 1>);
  for (auto k : range(from.tiles(1))) {
    auto part = from.load(b.pid(0), k, pad(-HUGE_VALF));
    auto next = max(greatest, reduce_max<1>(part));
    sum = sum * exp(greatest - next) + reduce_sum<1>(exp(part - next));
    greatest = next;
  }
  for (auto k : range(to.tiles(1))) to.store(0, k, exp(from.load(b.pid(0), k) - greatest) / sum);
});

int main() {
  const Device d = device();
  const index_t rows = example::sized(512, 6), columns = example::sized(100'000, 1000), block_rows = 4;
  std::vector<f32> values;
  for (index_t i = 0; i < rows * columns; ++i) values.push_back(static_cast<f32>(i * 37 % 1009) * 0.01f);
  const auto x = d.from_host(values, {rows, columns}).share();
  auto z = d.empty<f32>({rows, columns});

  const auto checked = long_softmax.with(BN = 512, deny_residual);
  const auto launch = [&] { checked(z.partition({block_rows, whole_axis}), x).sync(); };
  launch();

  example::WorstError worst;
  const std::vector<f32> got = z.to_host();
  for (index_t row = 0; row < rows; row += std::max<index_t>(1, rows / 16)) {
    double sum = 0;
    for (index_t i = row * columns; i < (row + 1) * columns; ++i) sum += std::exp(static_cast<double>(values[i]));
    // Sums of n positive elements, in any order, lose at most n roundings; each factor of a part as many as exp.
    const double lost = static_cast<double>(columns) * 0x1p-24;
    for (index_t i = row * columns; i < (row + 1) * columns; ++i) {
      const double expected = std::exp(static_cast<double>(values[i])) / sum;
      worst.compare(got[i], expected, lost * expected);
    }
  }
  return example::finish("12 long rows", example::shape_text({rows, columns}), example::seconds_of(launch),
                         12.0 * static_cast<double>(rows * columns), "GB/s", worst);
}
