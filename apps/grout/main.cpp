// SPDX-License-Identifier: Apache-2.0
// The grout program. Exit codes: 0 done, 1 it failed, 2 it was called wrongly.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "bench_command.hpp"
#include "generate_command.hpp"
#include "print_error.hpp"
#include "tilewright/base/error.hpp"

namespace {

constexpr int failed = 1;
constexpr int wrong_usage = 2;

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Grout: a language-model engine on Tilewright kernels", "grout");
  program.require_subcommand(1);
  GenerateArguments generate;
  BenchArguments bench;
  const CLI::App* const generating = add_generate_command(program, generate);
  add_bench_command(program, bench);
  try {
    program.parse(argc, argv);
    if (generating->parsed()) {
      run_generate(generate);
    } else {
      run_bench(bench);
    }
    return 0;
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : wrong_usage;
  } catch (const tilewright::error& error) {
    print_error("grout", error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "grout: {}\n", error.what());
  }
  return failed;
}
