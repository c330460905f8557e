// SPDX-License-Identifier: Apache-2.0
// Who is told what an interpreted block does, while it does it.
#pragma once

#include <span>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler::interp {

class block_run;

class observer {
 public:
  observer() = default;
  observer(const observer&) = delete;
  observer& operator=(const observer&) = delete;

  virtual void begin(const block_run& block) = 0;
  // After the instruction; after all that is in it, where it is a loop or a branch.
  virtual void done(const instruction& i, const block_run& block) = 0;
  // Loops and branches give values on as they are.
  virtual void copied(std::span<const value_id> to, std::span<const value_id> from) = 0;

 protected:
  ~observer() = default;
};

}  // namespace tilewright::compiler::interp
