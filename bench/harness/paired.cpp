// SPDX-License-Identifier: Apache-2.0
#include "harness/paired.hpp"

#include <thread>

namespace tilewright::bench {
namespace {

double measure_once(const timed_work& side, const timing_plan& plan) {
  std::this_thread::sleep_for(std::chrono::duration<double>(plan.settle_seconds));
  if (plan.warm_before_each) side();
  return side();
}

}  // namespace

paired_times measure_paired(const timed_work& ours, const timed_work& peer, const timing_plan& plan) {
  paired_times times;
  if (!plan.warm_before_each) {
    ours();
    if (peer) peer();
  }
  constexpr int least_repeats = 3;
  const auto start = std::chrono::steady_clock::now();
  const auto is_late = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > plan.most_seconds;
  };
  for (int i = 0; i < plan.repeats && (i < least_repeats || !is_late()); ++i) {
    if (peer && i % 2 == 1) times.peer.push_back(measure_once(peer, plan));
    times.ours.push_back(measure_once(ours, plan));
    if (peer && i % 2 == 0) times.peer.push_back(measure_once(peer, plan));
  }
  return times;
}

}  // namespace tilewright::bench
