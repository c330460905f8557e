// SPDX-License-Identifier: Apache-2.0
#include "harness/runner.hpp"

#include <cstdio>

#include "harness/report.hpp"

namespace tilewright::bench {

void Runner::begin_suite(const std::string& name) { suite_ = name; }

void Runner::measure(comparison what) {
  if (is_smoke_) {
    what.bar = no_bar;
    what.plan = {.repeats = 1, .settle_seconds = 0.0, .warm_before_each = false};
  }
  row result;
  result.name = std::move(what.name);
  result.shape = std::move(what.shape);
  result.dtype = std::move(what.dtype);
  result.unit = what.unit;
  result.peer_name = std::move(what.peer_name);
  if (!what.peer) result.why_no_peer = std::move(what.why_no_peer);
  result.roof = std::move(what.roof);
  result.bar = what.bar;
  set_times(result, what.work, measure_paired(what.ours, what.peer, what.plan));
  if (what.check) result.error = what.check();
  add(std::move(result));
}

void Runner::add(row result) {
  if (rows_.empty()) std::fputs(table_head().c_str(), stdout);
  result.suite = suite_;
  result.device = device_;
  std::fputs(table_line(result).c_str(), stdout);
  std::fflush(stdout);
  rows_.push_back(std::move(result));
}

}  // namespace tilewright::bench
