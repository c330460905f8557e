// SPDX-License-Identifier: Apache-2.0
#include "device_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>
#include <system_error>

#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/bake.hpp"
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

tilewright::Device find_device(std::string_view name) {
  if (name == "interp") return tilewright::interp_device();
  if (name == "cuda") return tilewright::cuda_device();
  if (name.starts_with(indexed)) return tilewright::cuda_device(device_index(name.substr(indexed.size())).value());
  if (!tilewright::compiler::has_cpu_target()) {
    fmt::print(stderr, "grout: this build has no LLVM, so cpu is the interpreter, which is very slow\n");
  }
  return tilewright::cpu_device();
}

}  // namespace

void add_device_options(CLI::App& command, DeviceChoice& choice) {
  command.add_option("--device", choice.name, "Where to run: cpu, interp, cuda, cuda:N; offline:sm_90 only compiles")
      ->capture_default_str()
      ->type_name("NAME")
      ->check(CLI::Validator(check_name, ""));
  command
      .add_option("--pack", choice.pack,
                  "File for what an offline device compiles; TILEWRIGHT_IMAGES=FILE takes it elsewhere")
      ->type_name("FILE");
}

void run_on(const DeviceChoice& choice, const std::function<void(const tilewright::Device&)>& work) {
  const std::string_view name = choice.name;
  const bool is_offline = name.starts_with(offline);
  if (!is_offline && !choice.pack.empty()) {
    throw tilewright::usage_error({.what = "only images for a GPU that is not there go to a pack",
                                   .where = "--pack",
                                   .expected = "--device offline:TARGET beside it",
                                   .got = choice.name,
                                   .fix = "leave --pack away, or name the target, such as offline:sm_90"});
  }
  if (!is_offline) return work(find_device(name));
  const target where = offline_target(name.substr(offline.size())).value();
  if (choice.pack.empty()) return work(tilewright::offline_device(where));
  tilewright::bake(work, {.targets = {where}, .pack = choice.pack});
}
