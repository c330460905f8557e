// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/assembler.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "compiler/tileir/child_process.hpp"
#include "compiler/tileir/tables.hpp"
#include "compiler/tileir/write.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler::tileir {
namespace {

namespace fs = std::filesystem;

constexpr int refused = 3, failed = 5;  // exit codes of tileiras

// ---- Where the tools are -------------------------------------------------------------------------------------------
bool is_program(const fs::path& path) { return access(path.c_str(), X_OK) == 0 && !fs::is_directory(path); }

// Matching entries of a folder in order of their names; none if it cannot be read.
std::vector<fs::path> entries(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code trouble;
  for (fs::directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble)) {
    if (at->path().filename().string().starts_with(prefix)) found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<assembler_tools> tools_in(const fs::path& folder) {
  if (!is_program(folder / "tileiras")) return {};
  assembler_tools tools{folder / "tileiras", folder / "tileirdisasm"};
  if (!is_program(tools.tileirdisasm)) tools.tileirdisasm.clear();
  return tools;
}

// A toolkit has bin/; a Python environment lib/python3.x/site-packages/nvidia/cu13/bin.
std::optional<assembler_tools> tools_under(const fs::path& prefix) {
  if (auto tools = tools_in(prefix)) return tools;
  if (auto tools = tools_in(prefix / "bin")) return tools;
  for (const fs::path& python : entries(prefix / "lib", "python3")) {
    for (const fs::path& packages : entries(python / "site-packages" / "nvidia", "cu")) {
      if (auto tools = tools_in(packages / "bin")) return tools;
    }
  }
  return {};
}

std::optional<assembler_tools> tools_in_path() {
  const char* path = std::getenv("PATH");
  std::string left = path == nullptr ? "" : path;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(':'), left.size());
    if (end > 0) {
      if (auto tools = tools_in(left.substr(0, end))) return tools;
    }
    left.erase(0, end + 1);
  }
  return {};
}

// ---- Files of one run ----------------------------------------------------------------------------------------------
class temporary_folder {
 public:
  temporary_folder() {
    const char* place = std::getenv("TMPDIR");
    std::string pattern = std::string(place == nullptr || *place == 0 ? "/tmp" : place) + "/tilewright-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      throw io_error({.what = "a temporary folder cannot be made",
                      .where = pattern,
                      .expected = {},
                      .got = {},
                      .fix = "let TMPDIR name a folder that can be written"});
    }
    path_ = pattern;
  }
  ~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (stream.flush()) return;
  throw io_error({.what = "a file cannot be written", .where = path, .expected = {}, .got = {}, .fix = "free space"});
}

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// ---- One run -------------------------------------------------------------------------------------------------------
struct run_result {
  process_result process;
  std::string cubin;
};

// CUDA_HOME or CUDA_PATH would make it use the parts of another toolkit, so it sees neither, nor anything else.
run_result run(const assembler_tools& tools, const std::string& bytecode, const assembly_options& options) {
  const temporary_folder folder;
  const fs::path in = folder.path() / "kernel.tileirbc", out = folder.path() / "kernel.cubin";
  write_file(in, bytecode);
  std::vector<std::string> arguments = {tools.tileiras, in, "--gpu-name", options.architecture, "-o", out};
  arguments.insert(arguments.end(), options.more.begin(), options.more.end());
  run_result result;
  result.process = run_process(arguments, {"TMPDIR=" + folder.path().string()}, options.limit);
  if (result.process.exit_code == 0) result.cubin = read_file(out);
  return result;
}

// The smallest kernel: what fails on it is not the kernel's fault.
bool can_compile(const assembler_tools& tools, const assembly_options& options) {
  bytecode made;
  tables ids(made);
  kernel empty;
  empty.name = ids.string("k");
  empty.signature = ids.function({});
  empty.body.emplace_back();
  made.kernels.push_back(empty);
  assembly_options plain = options;
  plain.more.clear();
  return run(tools, write(made), plain).process.exit_code == 0;
}

// Debug locations carry record numbers: "record":N is record N - 1.
source_location location_in(const std::string& message) {
  constexpr std::string_view mark = "\"record\":";
  const std::size_t at = message.find(mark);
  source_location found;
  if (at == std::string::npos) return found;
  int line = 0;
  std::from_chars(message.data() + at + mark.size(), message.data() + message.size(), line);
  found.record = line - 1;
  return found;
}

[[noreturn]] void explain(const assembler_tools& tools, const process_result& process, const ast::module_view& module,
                          const assembly_options& options) {
  const std::string where = describe_location(module, location_in(process.output));
  const std::string got = process.output.empty() ? "no message" : process.output;
  if (process.is_timed_out) {
    throw runtime_error({.what = "the Tile IR assembler took too long",
                         .where = where,
                         .expected = std::to_string(options.limit.count()) + " ms at most",
                         .got = {},
                         .fix = "choose smaller tiles, or a longer limit (TILEWRIGHT_TILEIR_SECONDS)"});
  }
  const bool is_refusal = process.exit_code == refused || process.exit_code == failed || process.signal != 0;
  if (!is_refusal || !can_compile(tools, options)) {
    throw runtime_error({.what = "the Tile IR assembler does not work",
                         .where = tools.tileiras,
                         .expected = "exit code 0 for an empty kernel for " + options.architecture,
                         .got = "exit code " + std::to_string(process.exit_code) + ": " + got,
                         .fix = "install nvidia-cuda-tileiras, nvidia-cuda-nvcc and nvidia-nvvm of one version"});
  }
  throw compile_error({.what = "the Tile IR assembler refuses the kernel for " + options.architecture,
                       .where = where,
                       .expected = {},
                       .got = process.signal != 0 ? "signal " + std::to_string(process.signal) + ": " + got : got,
                       .fix = "change the element types or the tile extents"});
}

}  // namespace

std::optional<assembler_tools> find_assembler(const std::vector<fs::path>& folders) {
  if (const char* named = std::getenv("TILEWRIGHT_TILEIR_TOOLS"); named != nullptr && *named != 0) {
    return tools_under(named);  // a wrong name is not passed over in silence
  }
  for (const fs::path& folder : folders) {
    if (auto tools = tools_under(folder)) return tools;
  }
  if (auto tools = tools_in_path()) return tools;
  return tools_under("/usr/local/cuda");
}

assembly assemble(const assembler_tools& tools, const std::string& bytecode, const ast::module_view& module,
                  const assembly_options& options) {
  run_result result = run(tools, bytecode, options);
  if (result.process.exit_code != 0 || result.process.is_timed_out) explain(tools, result.process, module, options);
  return {std::move(result.cubin), std::move(result.process.output)};
}

std::string disassemble(const assembler_tools& tools, const std::string& bytecode) {
  const temporary_folder folder;
  const fs::path in = folder.path() / "kernel.tileirbc";
  write_file(in, bytecode);
  const process_result result = run_process({tools.tileirdisasm, in}, {}, std::chrono::seconds(60));
  if (result.exit_code == 0) return result.output;
  throw runtime_error({.what = "the Tile IR disassembler refuses the bytecode",
                       .where = tools.tileirdisasm,
                       .expected = {},
                       .got = result.output,
                       .fix = "report this with the kernel"});
}

}  // namespace tilewright::compiler::tileir
