// SPDX-License-Identifier: Apache-2.0
// Softmax of each row in one kernel: a row is read once and written once; maximum, exponentials and sum stay in the
// tile. Written with separate kernels, each step would pass the whole matrix through memory.
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

// A block holds BM whole rows, so N must be at least the number of columns.
inline constexpr Dim BM{"BM"}, N{"N"};

inline constexpr auto softmax = kernel<"softmax">([](Block b, Out<f32, BM, N> z, In<f32, dyn, dyn> x) {
  // Lanes past the last column would be undefined, and a reduction over them is refused. pad(-inf) makes them real:
  // they never win the maximum, and exp makes them 0 in the sum.
  auto row = x.load(tile<BM, N>, b.pid(0), b.pid(1), pad(-inf));
  auto e = exp(row - reduce_max<1>(row));  // a reduced axis stays, with extent 1, so that it joins with the row again
  z.store(e / reduce_sum<1>(e));
});

// One element may be off by: the exponential's 2 ulp, its argument's rounding, and the sum's, relative to the result.
static double bound(double reference, double argument, index_t columns) {
  return reference * 0x1p-24 * (8 + std::abs(argument) + static_cast<double>(columns)) + 0x1p-140;
}

static example::WorstError compare(const std::vector<f32>& x, const std::vector<f32>& z, index_t columns) {
  example::WorstError worst;
  const auto width = static_cast<std::size_t>(columns);
  for (std::size_t row = 0; row < x.size(); row += width) {
    double greatest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t i = row; i < row + width; ++i) greatest = std::max<double>(greatest, x[i]);
    for (std::size_t i = row; i < row + width; ++i) sum += std::exp(x[i] - greatest);
    for (std::size_t i = row; i < row + width; ++i) {
      const double reference = std::exp(x[i] - greatest) / sum;
      worst.compare(z[i], reference, bound(reference, x[i] - greatest, columns));
    }
  }
  return worst;
}

int main() {
  const Device d = device();
  const index_t rows = example::sized(4096, 8), columns = example::sized(1024, 100);
  auto x = d.randn<f32>({rows, columns}).share();
  auto z = d.empty<f32>({rows, columns});

  // The partition gives both Dims: BM = 4 and N = 1024.
  const auto run = [&] { softmax(z.partition({4, 1024}), x).sync(); };
  run();
  const auto worst = compare(x.to_host(), z.to_host(), columns);
  return example::finish("02 fused softmax", example::shape_text({rows, columns}), example::seconds_of(run),
                         8.0 * static_cast<double>(rows * columns), "GB/s", worst);
}
