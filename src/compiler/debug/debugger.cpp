// SPDX-License-Identifier: Apache-2.0
#include "compiler/debug/debugger.hpp"

namespace tilewright::compiler::debug {

void debugger::begin(const block_run& block) {
  memory_.begin(block);
  origins_.begin(block);
  log_.begin(block);
}

// What a read brings is judged by who wrote it, so before a store changes that.
void debugger::done(const instruction& i, const block_run& block) {
  std::vector<covered_lane> lanes;
  const bool is_access = ast::info(i.op).category == ast::op_category::memory;
  if (is_access) lanes = covered_lanes(i, block);
  origins_.done(i, block, lanes);
  if (is_access) memory_.done(i, block, lanes);
  log_.done(i, block, origins_);
}

void debugger::finish(debug_report& report) {
  origins_.finish();
  memory_.finish();
  log_.give(report);
  for (debug_finding& each : found_.take()) report.findings.push_back(std::move(each));
}

}  // namespace tilewright::compiler::debug
