// SPDX-License-Identifier: Apache-2.0
// Observes one launch on the interpreter: keeps the values that were asked for and looks for faults.
#pragma once

#include "compiler/debug/memory_faults.hpp"
#include "compiler/debug/tile_log.hpp"
#include "compiler/debug/value_origins.hpp"

namespace tilewright::compiler::debug {

class TILEWRIGHT_API debugger final : public interp::observer {
 public:
  // All of them live as long as it.
  debugger(const program& source, const debug_options& options, shadow_memory& shadow)
      : memory_(source, options, shadow, found_), origins_(source, options, shadow, found_), log_(source, options) {}

  void begin(const block_run& block) override;
  void done(const instruction& i, const block_run& block) override;
  void copied(std::span<const value_id> to, std::span<const value_id> from) override { origins_.copied(to, from); }

  // After the last block: adds to the report.
  void finish(debug_report& report);

 private:
  findings found_;
  memory_faults memory_;
  value_origins origins_;
  tile_log log_;
};

}  // namespace tilewright::compiler::debug
