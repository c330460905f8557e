// SPDX-License-Identifier: Apache-2.0
// A matrix product, and how a kernel is tuned: tile sizes are Dims, so one kernel text is tried with several.
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto gemm = kernel<"gemm">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<f32, dyn, dyn> y) {
  auto xt = x.partition(tile<BM, BK>);
  auto yt = y.partition(tile<BK, BN>);
  auto sum = b.zeros<f32>(tile<BM, BN>);
  // The loop runs with the kernel; a tile from outside carries the sum. .reduction() promises that the order of the
  // steps does not matter, and the compiler checks that. The depth may overhang, so the pad must be neutral.
  for (auto k : range(xt.tiles(1)).reduction()) {
    sum = mma(xt.load(b.pid(0), k, pad(0)), yt.load(k, b.pid(1), pad(0)), sum);
  }
  z.store(sum);
});

// A value for a Dim that no argument gives. It makes another kernel object, and costs nothing.
inline constexpr auto gemm_by_64 = gemm.with(BK = 64);

// Some rows against f64: |error| <= K eps sum |x||y|.
static example::WorstError compare(const std::vector<f32>& x, const std::vector<f32>& y, const std::vector<f32>& z,
                                   index_t edge) {
  example::WorstError worst;
  const auto n = static_cast<std::size_t>(edge);
  for (std::size_t i = 0; i < n; i += std::max<std::size_t>(1, n / 16 - 1)) {
    std::vector<double> sums(n), magnitudes(n);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        const double term = static_cast<double>(x[i * n + k]) * y[k * n + j];
        sums[j] += term;
        magnitudes[j] += std::abs(term);
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      worst.compare(z[i * n + j], sums[j], static_cast<double>(edge) * 0x1p-23 * magnitudes[j]);
    }
  }
  return worst;
}

int main() {
  const Device d = device();
  const index_t edge = example::sized(1024, 40);
  auto x = d.randn<f32>({edge, edge}, 1).share();
  auto y = d.randn<f32>({edge, edge}, 2).share();
  auto z = d.empty<f32>({edge, edge});

  gemm_by_64(z.partition({32, 32}), x, y).sync();
  const auto worst = compare(x.to_host(), y.to_host(), z.to_host(), edge);

  // Sizes that are known at run time only are given by dim<BK>(n). Each combination is compiled once and kept.
  double best = std::numeric_limits<double>::infinity();
  std::string best_tile;
  for (const index_t block : {64, 128, 256}) {
    for (const index_t depth : {64, 128, 256}) {
      const auto tuned = gemm.with(dim<BK>(depth));
      const double seconds = example::seconds_of([&] { tuned(z.partition({block, block}), x, y).sync(); });
      if (seconds >= best) continue;
      best = seconds;
      best_tile = example::shape_text({block, block, depth});
    }
  }
  const auto size = static_cast<double>(edge);
  return example::finish("03 gemm", example::shape_text({edge, edge}) + " by " + best_tile, best,
                         2 * size * size * size, "GFLOP/s", worst);
}
