// SPDX-License-Identifier: Apache-2.0
// What it costs to await a launch in a coroutine, over waiting for it; and to wake the thread of spawned tasks.
#include <chrono>
#include <thread>
#include <vector>

#include "suites/cost_of_launch.hpp"
#include "suites/suites.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/runtime/task.hpp"

namespace tilewright::bench {
namespace {

using kernels::BN;

auto one_launch(Tensor<f32> z, const Shared<f32>& x) {
  return kernels::add<f32, BN>()(std::move(z).partition({cost_elements}), x, x);
}

Task<Tensor<f32>> awaited(Tensor<f32> z, Shared<f32> x, int times) {
  for (int i = 0; i < times; ++i) {
    auto [next, a, b] = co_await one_launch(std::move(z), x);
    z = std::move(next);
  }
  co_return z;
}
Tensor<f32> waited_for(Tensor<f32> z, const Shared<f32>& x, int times) {
  for (int i = 0; i < times; ++i) {
    auto [next, a, b] = one_launch(std::move(z), x).sync();
    z = std::move(next);
  }
  return z;
}

}  // namespace

void run_await_suite(bench_context& context) {
  const int times = context.runner.is_smoke() ? 10 : 5'000;
  const Shared<f32> x = context.device.iota<f32>({cost_elements}).share();
  Tensor<f32> z = context.device.zeros<f32>({cost_elements});

  const auto over_sync = [&](const char* name, auto run) {
    comparison what = cost_of_launch(name);
    what.ours = [&, run] {
      const double waiting = seconds_of([&] { z = waited_for(std::move(z), x, times); });
      const double awaiting = seconds_of([&] { z = run(awaited(std::move(z), x, times)); });
      return (awaiting - waiting) / times;
    };
    what.bar = below(1.0);
    context.runner.measure(std::move(what));
  };
  over_sync("await_over_sync", [](Task<Tensor<f32>> task) { return std::move(task).sync(); });
  // The thread of spawned tasks has nothing else to do, so it runs what is awaited.
  over_sync("await_spawned_over_sync", [](Task<Tensor<f32>> task) { return spawn(std::move(task)).wait(); });

  // That thread sleeps before each: it is woken by spawn(), and again, with the caller, by the launch that ends.
  comparison what = cost_of_launch("spawn_parked");
  what.ours = [&] {
    const int spawned = context.runner.is_smoke() ? 1 : 100;
    double seconds = 0.0;
    for (int i = 0; i < spawned; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      seconds += seconds_of([&] { z = spawn(awaited(std::move(z), x, 1)).wait(); });
    }
    return seconds / spawned;
  };
  context.runner.measure(std::move(what));
}

}  // namespace tilewright::bench
