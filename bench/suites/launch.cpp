// SPDX-License-Identifier: Apache-2.0
// What a launch costs apart from its work: the kernel adds 16 numbers.
#include <algorithm>
#include <vector>

#include "suites/cost_of_launch.hpp"
#include "suites/suites.hpp"
#include "tilewright/kernels/elementwise.hpp"

namespace tilewright::bench {
namespace {

using kernels::BN;

// The median of `count` calls back to back, each timed by itself.
template <class Call>
double median_of_calls(int count, Call call) {
  std::vector<double> seconds(static_cast<std::size_t>(count));
  for (double& each : seconds) each = seconds_of(call);
  return median(std::move(seconds));
}

}  // namespace

void run_launch_suite(bench_context& context) {
  const int calls = context.runner.is_smoke() ? 10 : 10'000;
  const Shared<f32> x = context.device.iota<f32>({cost_elements}).share();
  Tensor<f32> z = context.device.zeros<f32>({cost_elements});

  comparison what = cost_of_launch("launch_sync");
  what.ours = timed([&] { kernels::add<f32, BN>()(z.partition({cost_elements}), x, x).sync(); }, calls / 10);
  context.runner.measure(std::move(what));

  auto prepared = prepare(kernels::add<f32, BN>()(std::move(z).partition({cost_elements}), x, x));
  what = cost_of_launch("prepared_sync");
  what.ours = timed([&] { prepared.sync(); }, calls / 10);
  context.runner.measure(std::move(what));

  what = cost_of_launch("prepared_enqueue");
  what.ours = [&] {
    const double seconds = median_of_calls(calls, [&] { prepared.enqueue(); });
    context.device.synchronize();
    return seconds;
  };
  what.bar = below(1.0);
  context.runner.measure(std::move(what));

  constexpr int nodes = 100;
  Graph graph = capture(context.device, [&] {
    for (int i = 0; i < nodes; ++i) prepared.enqueue();
  });
  what = cost_of_launch("graph_node");
  what.shape += ", " + std::to_string(nodes) + " nodes";
  what.ours = [&] { return timed([&] { graph.sync(); }, calls / 100)() / nodes; };
  context.runner.measure(std::move(what));
  (void)std::move(prepared).finish();

  const Shared<f32> y = context.device.iota<f32>({cost_elements}).share();
  Tensor<f32> w = context.device.zeros<f32>({cost_elements});
  const auto record = [&](const Shared<f32>& last) {
    return [&] {
      for (int i = 0; i < nodes; ++i) {
        kernels::add<f32, BN>()(w.partition({cost_elements}), x.borrow(), i == 0 ? last.borrow() : x.borrow()).sync();
      }
    };
  };
  Graph changing = capture(context.device, record(x));
  what = cost_of_launch("graph_update_node");
  what.shape += ", 1 of " + std::to_string(nodes) + " nodes changes";
  what.ours = [&] {
    const auto change = [&, is_other = false]() mutable { changing.update(record((is_other = !is_other) ? y : x)); };
    return timed(change, std::max(1, calls / 1000))() / nodes;
  };
  context.runner.measure(std::move(what));
}

}  // namespace tilewright::bench
