// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/gemm.hpp"

#include <fmt/format.h>

#include "harness/worst_error.hpp"
#include "peers/openblas.hpp"
#include "suites/suites.hpp"

namespace tilewright::bench {
namespace {

using kernels::BK;

struct product {
  product(const Device& device, index_t edge)
      : size(static_cast<std::size_t>(edge)),
        x(device.randn<f32>({edge, edge}, 1).share()),
        y(device.randn<f32>({edge, edge}, 2).share()),
        z(device.full({edge, edge}, std::numeric_limits<f32>::quiet_NaN())),
        host_x(x.to_host()),
        host_y(y.to_host()),
        host_z(size * size) {}

  std::size_t size;
  Shared<f32> x, y;
  Tensor<f32> z;
  std::vector<f32> host_x, host_y, host_z;
};

// Some rows against f64: |error| <= K eps(f32) sum |x||y|.
accuracy compare(product& all) {
  const std::vector<f32> got = all.z.to_host();
  const std::size_t n = all.size;
  WorstError worst;
  for (std::size_t row = 0; row < n; row += std::max<std::size_t>(1, n / 16 - 1)) {
    std::vector<double> sums(n), magnitudes(n);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        const double term = static_cast<double>(all.host_x[row * n + k]) * all.host_y[k * n + j];
        sums[j] += term;
        magnitudes[j] += std::abs(term);
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      worst.compare(got[row * n + j], sums[j], static_cast<double>(n) * 0x1p-23 * magnitudes[j]);
    }
  }
  return worst.result();
}

struct tiling {
  index_t rows, columns;
  int depth;
};

void measure_gemm(bench_context& context, const OpenBlas* blas, const std::string& why_no_blas, int edge, tiling tiles,
                  bar target) {
  product all(context.device, edge);
  comparison what;
  what.name = fmt::format("gemm_f32_{}", edge);
  what.shape = fmt::format("{0}x{0}x{0}", edge);
  what.dtype = "f32";
  what.unit = gigaflops;
  what.work = 2.0 * edge * edge * edge;
  what.ours = timed([&] {
    kernels::gemm<f32>().with(dim<BK>(tiles.depth))(all.z.partition({tiles.rows, tiles.columns}), all.x, all.y).sync();
  });
  what.peer_name = blas != nullptr ? blas->name() : "OpenBLAS";
  what.why_no_peer = why_no_blas;
  if (blas != nullptr) {
    what.peer =
        timed([&, edge] { blas->gemm(edge, edge, edge, all.host_x.data(), all.host_y.data(), all.host_z.data()); });
  }
  what.roof = context.roofs.multiply_add_limit();
  what.bar = target;
  what.plan = {.repeats = edge > 1024 ? 9 : 25, .settle_seconds = 0.004};
  what.check = [&] { return compare(all); };
  context.runner.measure(std::move(what));
}

}  // namespace

void run_gemm_suite(bench_context& context) {
  std::string why_no_blas;
  const auto blas = OpenBlas::load(context.threads.count(), why_no_blas);
  if (context.runner.is_smoke()) {
    measure_gemm(context, blas.get(), why_no_blas, 32, {16, 16, 16}, no_bar);
    return;
  }
  measure_gemm(context, blas.get(), why_no_blas, 512, {256, 256, 128}, no_bar);
  measure_gemm(context, blas.get(), why_no_blas, 1024, {256, 256, 128}, at_least(0.70));
  measure_gemm(context, blas.get(), why_no_blas, 1000, {128, 128, 128}, no_bar);  // the last tiles overhang
  measure_gemm(context, blas.get(), why_no_blas, 2048, {256, 256, 128}, no_bar);
}

}  // namespace tilewright::bench
