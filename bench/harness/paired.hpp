// SPDX-License-Identifier: Apache-2.0
// Paired timing: ours and the peer run in turn, repeat by repeat, so that both meet the same state of the machine.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "harness/row.hpp"
#include "harness/statistics.hpp"

namespace tilewright::bench {

// Does the work of one repeat once and says how many seconds it took.
using timed_work = std::function<double()>;

template <class Work>
double seconds_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A function, timed from outside. Short work is repeated `times` within one repeat.
template <class Work>
timed_work timed(Work work, int times = 1) {
  return [work = std::move(work), times]() mutable {
    const double total = seconds_of([&] {
      for (int i = 0; i < times; ++i) work();
    });
    return total / times;
  };
}

struct timing_plan {
  int repeats = 15;
  double settle_seconds = 0.0;   // wait before each side: a peer whose threads spin on after their work needs it
  bool warm_before_each = true;  // an untimed repeat first, for caches and sleeping threads; else only at the start
  double most_seconds = 60.0;    // then the pairs there are have to do, three at least
};

// `peer` may be empty. The side that goes first alternates.
paired_times measure_paired(const timed_work& ours, const timed_work& peer, const timing_plan& plan);

}  // namespace tilewright::bench
