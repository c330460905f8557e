// SPDX-License-Identifier: Apache-2.0
// The tilewright program. Exit codes: 0 done, 1 it failed, 2 it was called wrongly.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "bake_command.hpp"
#include "debug_command.hpp"
#include "explain_command.hpp"
#include "fuzz_command.hpp"
#include "images_command.hpp"
#include "print_error.hpp"
#include "tilewright/base/config.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/identity.hpp"

namespace {

constexpr int failed = 1;
constexpr int wrong_usage = 2;

std::string version_text() {
  return fmt::format("tilewright {}.{}.{}\ncompiler {}", TILEWRIGHT_VERSION_MAJOR, TILEWRIGHT_VERSION_MINOR,
                     TILEWRIGHT_VERSION_PATCH, tilewright::compiler::this_compiler().sources.substr(0, 16));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Tile kernels: what the compiler makes of them, what they do, and images for GPUs elsewhere",
                   "tilewright");
  program.require_subcommand(1);
  program.set_version_flag("--version", version_text());
  BakeArguments bake;
  DebugArguments debug;
  ExplainArguments explain;
  ImagesArguments images;
  FuzzArguments fuzz;
  const CLI::App* bake_command = add_bake_command(program, bake);
  const CLI::App* debug_command = add_debug_command(program, debug);
  const CLI::App* explain_command = add_explain_command(program, explain);
  const CLI::App* images_command = add_images_command(program, images);
  const CLI::App* pack_command = add_pack_command(program, images);
  const CLI::App* fuzz_command = add_fuzz_command(program, fuzz);
  const CLI::App* targets_command = add_targets_command(program);
  try {
    program.parse(argc, argv);
    if (bake_command->parsed()) run_bake(bake);
    if (debug_command->parsed() && !run_debug(debug)) return failed;
    if (explain_command->parsed()) run_explain(explain);
    if (images_command->parsed()) run_images(images);
    if (pack_command->parsed()) run_pack(images);
    if (targets_command->parsed()) run_targets();
    if (fuzz_command->parsed() && !run_fuzz(fuzz)) return failed;
    return 0;
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : wrong_usage;
  } catch (const tilewright::usage_error& error) {
    print_error("tilewright", error);
    return wrong_usage;
  } catch (const tilewright::error& error) {
    print_error("tilewright", error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tilewright: {}\n", error.what());
  }
  return failed;
}
