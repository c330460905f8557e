// SPDX-License-Identifier: Apache-2.0
#include "device_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>

#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/offline.hpp"

namespace {

using tilewright::compiler::target;

constexpr std::string_view indexed = "cuda:", offline = "offline:";

std::optional<int> device_index(std::string_view text) {
  int index = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (failure != std::errc() || end != text.data() + text.size() || index < 0) return std::nullopt;
  return index;
}

std::optional<target> offline_target(std::string_view text) {
  const auto found = tilewright::compiler::target_named(text);
  return found && tilewright::compiler::is_gpu(*found) ? found : std::nullopt;
}

// Empty for a name that is one.
std::string check_name(const std::string& name) {
  const std::string_view text = name;
  if (text == "cpu" || text == "interp" || text == "cuda") return {};
  if (text.starts_with(indexed) && device_index(text.substr(indexed.size()))) return {};
  if (text.starts_with(offline) && offline_target(text.substr(offline.size()))) return {};
  return "'" + name + "' is none of cpu, interp, cuda, cuda:N, offline:TARGET with a target such as sm_90";
}

}  // namespace

void add_device_option(CLI::App& command, std::string& device) {
  command.add_option("--device", device, "Where to run: cpu, interp, cuda, cuda:N; offline:sm_90 only compiles")
      ->capture_default_str()
      ->type_name("NAME")
      ->check(CLI::Validator(check_name, ""));
}

tilewright::Device find_device(const std::string& name) {
  const std::string_view text = name;
  if (text == "interp") return tilewright::interp_device();
  if (text == "cuda") return tilewright::cuda_device();
  if (text.starts_with(indexed)) return tilewright::cuda_device(device_index(text.substr(indexed.size())).value());
  if (text.starts_with(offline)) {
    return tilewright::offline_device(offline_target(text.substr(offline.size())).value());
  }
  if (!tilewright::compiler::has_cpu_target()) {
    fmt::print(stderr, "grout: this build has no LLVM, so cpu is the interpreter, which is very slow\n");
  }
  return tilewright::cpu_device();
}
