// SPDX-License-Identifier: Apache-2.0
// Checks of the lanes that lie in their tensors. One past its tensor holds whatever came of the zero that it was loaded
// as, and nobody may be blamed for it: where it fails, the kernel gives it a value that the check lets through, or
// masks it. One that passes keeps its value, as it would had the check been settled before the launch.
#pragma once

#include <optional>
#include <vector>

#include "compiler/bind/overhang.hpp"
#include "compiler/check/index_forms.hpp"

namespace tilewright::compiler {

class real_lanes {
 public:
  real_lanes(program& source, const index_forms& forms) : source_(source), forms_(forms) {}

  // Whether a kernel can tell which lanes of the value are real. Behind a loop, a branch or a choice it cannot.
  bool can_tell(value_id value);
  // Other lanes of the checked operand are to pass, or are to choose no element. Until apply() nothing changes.
  void excuse(instruction& at, std::size_t operand);
  void mask(instruction& access);
  void apply();

 private:
  struct request {
    instruction* at;
    std::optional<std::size_t> operand = {};  // nothing: to be masked
  };

  bool has_others(value_id value);

  program& source_;
  const index_forms& forms_;
  overhanging_lanes lanes_;                 // once somebody asked
  std::vector<std::optional<bool>> known_;  // what can_tell() gave
  std::vector<request> requests_;
};

}  // namespace tilewright::compiler
