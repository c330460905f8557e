// SPDX-License-Identifier: Apache-2.0
// A kernel with structure: tiles in a struct, functions over it, a branch that stores, and what the kernel asks of its
// arguments. It takes mean and variance of each row in one pass, part by part, without losing digits to a large mean
// (T. F. Chan, G. H. Golub, R. J. LeVeque, 1983: Algorithms for computing the sample variance).
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim BM{"BM"}, BN{"BN"};

// Of the elements that a row has shown so far.
struct Moments {
  Tile<f32, BM, 1> mean, spread;  // spread: the sum of squared distances from the mean
  Tile<f32> count;
};

constexpr Moments moments_of(const Tile<f32, BM, BN>& part, const Tile<bool, 1, BN>& inside, const Tile<f32>& count) {
  auto mean = reduce_sum<1>(part) / count;
  auto distance = select(inside, part - mean, 0);
  return {mean, reduce_sum<1>(distance * distance), count};
}

constexpr void add(Moments& all, const Moments& more) {
  auto count = all.count + more.count;
  auto shift = more.mean - all.mean;
  all.spread += more.spread + shift * shift * (all.count * more.count / count);
  all.mean += shift * (more.count / count);
  all.count = count;
}

inline constexpr auto row_moments = kernel<"row_moments">([](Block b, Out<f32, BM, 1> mean, Out<f32, BM, 1> spread,
                                                             In<f32, dyn, dyn> x, Scalar<i32> correction,
                                                             Scalar<bool> is_deviation) {
  auto columns = x.extent(1);
  requires_((correction >= 0) & (columns > to_index(correction)));
  auto parts = x.partition(tile<BM, BN>);
  Moments all{b.zeros<f32>(tile<BM, 1>), b.zeros<f32>(tile<BM, 1>), b.zeros<f32>(tile<>)};
  for (auto j : range(parts.tiles(1))) {
    auto first = j * b.size(tile<BN>);
    auto inside = b.iota<index_element>(tile<1, BN>) + first < columns;
    add(all, moments_of(parts.load(b.pid(0), j, pad(0)), inside, cast<f32>(min(b.size(tile<BN>), columns - first))));
  }
  auto variance = all.spread / cast<f32>(columns - to_index(correction));
  mean.store(all.mean);
  if_(
      is_deviation, [&] { spread.store(sqrt(variance)); }, [&] { spread.store(variance); });
});

int main() {
  const Device d = device();
  const index_t rows = example::sized(4096, 70), columns = example::sized(1500, 300), block_rows = 32;
  std::vector<f32> values;
  for (index_t i = 0; i < rows * columns; ++i) values.push_back(4096.0f + static_cast<f32>(i * 37 % 41) * 0.125f);
  const auto x = d.from_host(values, {rows, columns}).share();
  auto mean = d.empty<f32>({rows, 1}), deviation = d.empty<f32>({rows, 1});

  const auto checked = row_moments.with(BN = 256, deny_residual);
  const auto launch = [&] {
    checked(mean.partition({block_rows, 1}), deviation.partition({block_rows, 1}), x, 1, true).sync();
  };
  launch();

  example::WorstError worst;
  const std::vector<f32> got_mean = mean.to_host(), got = deviation.to_host();
  for (index_t row = 0; row < rows; row += std::max<index_t>(1, rows / 64)) {
    const f32* const elements = values.data() + row * columns;
    double sum = 0, spread = 0;
    for (index_t i = 0; i < columns; ++i) sum += elements[i];
    const double expected = sum / static_cast<double>(columns);
    for (index_t i = 0; i < columns; ++i) spread += (elements[i] - expected) * (elements[i] - expected);
    // A part's sum of n elements rounds n times, and the mean of all once for each part; distances lose as much.
    const double lost = 300 * 0x1p-24 * expected;
    const auto at = static_cast<std::size_t>(row);
    worst.compare(got_mean[at], expected, lost);
    const double wanted = std::sqrt(spread / static_cast<double>(columns - 1));
    worst.compare(got[at], wanted, 600 * 0x1p-24 * wanted + lost * lost / wanted);
  }
  return example::finish("11 row moments", example::shape_text({rows, columns}), example::seconds_of(launch),
                         4.0 * static_cast<double>(rows * columns), "GB/s", worst);
}
