// SPDX-License-Identifier: Apache-2.0
// The vendor's assembler, found where it is installed and run as a child process: bytecode -> cubin. It is closed
// source and never part of us.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler::tileir {

struct assembler_tools {
  std::filesystem::path tileiras;
  std::filesystem::path tileirdisasm;  // beside it; empty when missing. Only tests use it.
};

// The first found of: the folder that TILEWRIGHT_TILEIR_TOOLS names (an installation prefix or a Python environment),
// `folders` likewise, the folders of PATH, /usr/local/cuda.
std::optional<assembler_tools> find_assembler(const std::vector<std::filesystem::path>& folders = {});

struct assembly_options {
  std::string architecture = "sm_90";
  std::chrono::milliseconds limit{120'000};
  std::vector<std::string> more = {};  // further arguments, "--remarks=all"
};

struct assembly {
  std::string cubin;
  std::string output;  // remarks, if asked for
};

// Throws compile_error with the tool's words, the kernel's name and line where it refuses the kernel; runtime_error
// where it cannot run, takes too long, or cannot even compile an empty kernel. Any thread; runs do not wait for each
// other.
assembly assemble(const assembler_tools& tools, const std::string& bytecode, const ast::module_view& module,
                  const assembly_options& options = {});

// The disassembler's text of the bytecode. Throws runtime_error with its words when it refuses.
std::string disassemble(const assembler_tools& tools, const std::string& bytecode);

}  // namespace tilewright::compiler::tileir
