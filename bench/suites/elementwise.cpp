// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/elementwise.hpp"

#include <fmt/format.h>

#include "harness/worst_error.hpp"
#include "peers/aligned_array.hpp"
#include "peers/parallel_loop.hpp"
#include "peers/plain_loops.hpp"
#include "suites/suites.hpp"

namespace tilewright::bench {
namespace {

using kernels::BN;

constexpr index_t piece = 1 << 16;
constexpr f32 factor = 0.75f;

// Our vectors and the peer's with the same contents.
struct vectors {
  vectors(const Device& device, index_t elements)
      : count(static_cast<std::size_t>(elements)),
        x(device.randn<f32>({elements}, 1).share()),
        y(device.randn<f32>({elements}, 2).share()),
        z(device.full({elements}, std::numeric_limits<f32>::quiet_NaN())),
        host_x(x.to_host()),
        host_y(y.to_host()),
        host_z(count, 0.0f) {}

  std::size_t count;
  Shared<f32> x, y;
  Tensor<f32> z;
  std::vector<f32> host_x, host_y;
  AlignedArray host_z;
};

// Two roundings at most; one would do with a fused multiply-add.
accuracy compare(vectors& all, f32 a) {
  const std::vector<f32> got = all.z.to_host();
  WorstError worst;
  for (std::size_t i = 0; i < all.count; ++i) {
    const double product = static_cast<double>(a) * all.host_x[i];
    const double reference = product + all.host_y[i];
    worst.compare(got[i], reference, 0x1p-24 * (std::abs(product) + std::abs(reference)) + 0x1p-149);
  }
  return worst.result();
}

comparison describe(bench_context& context, const char* kernel, int log2_elements) {
  comparison what;
  what.name = fmt::format("{}_f32_2^{}", kernel, log2_elements);
  what.shape = std::to_string(1LL << log2_elements);
  what.dtype = "f32";
  what.unit = gigabytes_per_second;
  what.work = 12.0 * static_cast<double>(1LL << log2_elements);
  what.peer_name = "plain C++ loop";
  // In the caches a loop this short mostly waits for its threads, so there is no roof to set beside it.
  if (log2_elements >= 24) what.roof = context.roofs.add_limit(std::size_t{1} << log2_elements);
  what.plan.repeats = log2_elements >= 24 ? 21 : 101;
  return what;
}

void measure_add(bench_context& context, int log2_elements, bar target) {
  vectors all(context.device, index_t{1} << log2_elements);
  comparison what = describe(context, "add", log2_elements);
  what.ours = timed([&] { kernels::add<f32, BN>()(all.z.partition({piece}), all.x, all.y).sync(); });
  what.peer = timed([&] {
    parallel_loop(context.threads, all.count, [&](std::size_t first, std::size_t part) {
      plain_add(all.host_z.data() + first, all.host_x.data() + first, all.host_y.data() + first, part);
    });
  });
  what.bar = target;
  what.check = [&] { return compare(all, 1.0f); };
  context.runner.measure(std::move(what));
}

void measure_saxpy(bench_context& context, int log2_elements) {
  vectors all(context.device, index_t{1} << log2_elements);
  comparison what = describe(context, "saxpy", log2_elements);
  what.ours = timed([&] { kernels::saxpy<f32, BN>()(all.z.partition({piece}), factor, all.x, all.y).sync(); });
  what.peer = timed([&] {
    parallel_loop(context.threads, all.count, [&](std::size_t first, std::size_t part) {
      plain_saxpy(all.host_z.data() + first, factor, all.host_x.data() + first, all.host_y.data() + first, part);
    });
  });
  what.check = [&] { return compare(all, factor); };
  context.runner.measure(std::move(what));
}

}  // namespace

void run_elementwise_suite(bench_context& context) {
  const int large = context.runner.is_smoke() ? 12 : 26;
  measure_add(context, large, at_least(0.9));
  measure_saxpy(context, large);
  if (!context.runner.is_smoke()) measure_add(context, 17, no_bar);
}

}  // namespace tilewright::bench
