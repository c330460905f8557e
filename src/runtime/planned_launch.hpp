// SPDX-License-Identifier: Apache-2.0
// A checked launch as the runtime holds it: what a device runs, the memory that it touches, and what checking it again
// with other scalars takes.
#pragma once

#include <string>
#include <vector>

#include "runtime/device_engine.hpp"
#include "tilewright/compiler/specialization.hpp"

namespace tilewright::detail {

// What a launch does with the values of one argument.
struct argument_use {
  storage* memory;
  bool is_read, is_written;
  bool is_written_whole;  // nothing of what was there stays
};

// A copy has no kernel: it writes its first argument and reads the second.
inline parameter_kind kind_of(const ast::module_view* module, std::size_t argument) {
  if (module != nullptr) return module->parameters[argument].kind;
  return argument == 0 ? parameter_kind::out : parameter_kind::in;
}
inline std::string text_of(const ast::module_view* module) {
  return module != nullptr ? std::string("kernel '") + module->name + "'" : "copy()";
}

struct planned_launch {
  const ast::module_view* module = nullptr;    // none: a copy
  const compiler::program* program = nullptr;  // of the image cache, which is never destroyed
  std::vector<compiler::argument> values;
  compiled_launch launch;
  device_engine* device = nullptr;
  std::vector<storage*> memories;   // each once, by address
  std::vector<storage*> exclusive;  // those whose only handle the launch holds, by address
  std::vector<storage*> shared;     // the others
  std::vector<storage*> written;    // by address
  std::vector<argument_use> uses;   // in the order of parameters, without scalars

  // With its own status, if the kernel has checks.
  void add_status() {
    if (program == nullptr || program->residual_checks.empty()) return;
    launch.faults = std::make_shared<fault_slot>();
    launch.faults->status = device->make_fault_status();
  }
};

// A device may keep addresses of a launch's words, so a copy has to be made ready too.
inline planned_launch another(const planned_launch& one) {
  planned_launch made = one;
  made.add_status();
  made.device->prepare(made.launch);
  return made;
}

}  // namespace tilewright::detail
