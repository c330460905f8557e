// SPDX-License-Identifier: Apache-2.0
// Kernels over whole rows. Each value is needed twice or more, but a row fits the first cache, so the roof is one read
// and one write: a copy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/worst_error.hpp"
#include "peers/aligned_array.hpp"
#include "peers/parallel_loop.hpp"
#include "peers/plain_loops.hpp"
#include "suites/suites.hpp"
#include "tilewright/kernels/normalization.hpp"

namespace tilewright::bench {
namespace {

constexpr index_t rows_of_a_block = 1;  // a row and its scratch fit the first cache
constexpr f32 epsilon = 1e-5f;
constexpr double f32_epsilon = 0x1p-23;

struct matrices {
  matrices(const Device& device, index_t row_count, index_t column_count)
      : rows(row_count),
        columns(column_count),
        x(device.randn<f32>({rows, columns}, 1).share()),
        z(device.full({rows, columns}, std::numeric_limits<f32>::quiet_NaN())),
        host_x(x.to_host()),
        host_z(host_x.size(), 0.0f) {}

  index_t rows, columns;
  Shared<f32> x;
  Tensor<f32> z;
  std::vector<f32> host_x;
  AlignedArray host_z;
};

comparison describe(bench_context& context, const char* kernel, matrices& all) {
  comparison what;
  what.name = fmt::format("{}_f32_{}x{}", kernel, all.rows, all.columns);
  what.shape = fmt::format("{}x{}", all.rows, all.columns);
  what.dtype = "f32";
  what.unit = gigabytes_per_second;
  what.work = 8.0 * static_cast<double>(all.host_x.size());
  what.peer_name = "plain copy loop";
  what.peer = timed([&context, &all] {
    parallel_loop(context.threads, all.host_x.size(), [&](std::size_t first, std::size_t part) {
      plain_copy(all.host_z.data() + first, all.host_x.data() + first, part);
    });
  });
  what.roof = context.roofs.copy_limit(all.host_x.size());
  what.plan.repeats = 41;
  return what;
}

// exp moves by eps |x - max|, the sum by eps columns.
accuracy compare_softmax(matrices& all) {
  const std::vector<f32> got = all.z.to_host();
  const auto columns = static_cast<std::size_t>(all.columns);
  WorstError worst;
  for (std::size_t row = 0; row < static_cast<std::size_t>(all.rows); ++row) {
    const f32* x = all.host_x.data() + row * columns;
    const auto [least, greatest] = std::minmax_element(x, x + columns);
    double sum = 0.0;
    for (std::size_t j = 0; j < columns; ++j) sum += std::exp(static_cast<double>(x[j]) - *greatest);
    const double relative = f32_epsilon * (static_cast<double>(columns) + 8.0 + (*greatest - *least));
    for (std::size_t j = 0; j < columns; ++j) {
      const double reference = std::exp(static_cast<double>(x[j]) - *greatest) / sum;
      worst.compare(got[row * columns + j], reference, relative * reference + 0x1p-126);
    }
  }
  return worst.result();
}

// eps (columns + 8) |reference|; the weights are 1.
accuracy compare_rms_norm(matrices& all) {
  const std::vector<f32> got = all.z.to_host();
  const auto columns = static_cast<std::size_t>(all.columns);
  WorstError worst;
  for (std::size_t row = 0; row < static_cast<std::size_t>(all.rows); ++row) {
    const f32* x = all.host_x.data() + row * columns;
    double squares = 0.0;
    for (std::size_t j = 0; j < columns; ++j) squares += static_cast<double>(x[j]) * x[j];
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(columns) + epsilon);
    for (std::size_t j = 0; j < columns; ++j) {
      const double bound = f32_epsilon * (static_cast<double>(columns) + 8.0) * std::abs(x[j] * scale) + 0x1p-149;
      worst.compare(got[row * columns + j], x[j] * scale, bound);
    }
  }
  return worst.result();
}

void measure_softmax(bench_context& context, index_t rows, index_t columns, bar target) {
  matrices all(context.device, rows, columns);
  comparison what = describe(context, "softmax", all);
  what.ours = timed([&] { kernels::softmax<f32>()(all.z.partition({rows_of_a_block, columns}), all.x).sync(); });
  what.bar = target;
  what.check = [&] { return compare_softmax(all); };
  context.runner.measure(std::move(what));
}

void measure_rms_norm(bench_context& context, index_t rows, index_t columns) {
  matrices all(context.device, rows, columns);
  const Shared<f32> weight = context.device.full({columns}, 1.0f).share();
  comparison what = describe(context, "rms_norm", all);
  what.ours = timed([&] {
    kernels::rms_norm<f32>()(all.z.partition({rows_of_a_block, columns}), all.x, weight, epsilon).sync();
  });
  what.check = [&] { return compare_rms_norm(all); };
  context.runner.measure(std::move(what));
}

}  // namespace

void run_rows_suite(bench_context& context) {
  const bool is_smoke = context.runner.is_smoke();
  measure_softmax(context, is_smoke ? 8 : 4096, is_smoke ? 32 : 1024, at_least(0.5));
  measure_rms_norm(context, is_smoke ? 8 : 4096, is_smoke ? 32 : 1024);
}

}  // namespace tilewright::bench
