// SPDX-License-Identifier: Apache-2.0
// A checked launch as the runtime holds it: what a device runs, the memory that it touches, and what checking it again
// with other scalars takes.
#pragma once

#include <vector>

#include "runtime/device_engine.hpp"
#include "tilewright/compiler/specialization.hpp"

namespace tilewright::detail {

struct planned_launch {
  const ast::module_view* module = nullptr;
  const compiler::program* program = nullptr;  // of the image cache, which is never destroyed
  std::vector<compiler::argument> values;
  compiled_launch launch;
  device_engine* device = nullptr;
  std::vector<storage*> memories;   // each once, by address
  std::vector<storage*> exclusive;  // those whose only handle the launch holds, by address
  std::vector<storage*> written;    // by address
};

// A device may keep addresses of a launch's words, so a copy has to be made ready too.
inline planned_launch another(const planned_launch& one) {
  planned_launch made = one;
  made.device->prepare(made.launch);
  return made;
}

}  // namespace tilewright::detail
