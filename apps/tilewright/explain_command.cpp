// SPDX-License-Identifier: Apache-2.0
#include "explain_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "arguments.hpp"
#include "explain_text.hpp"
#include "library.hpp"
#include "tilewright/ast/printer.hpp"
#include "tilewright/compiler/compile.hpp"

using namespace tilewright;

namespace {

constexpr const char* footer =
    R"(Sections: ast (the captured kernel), bounds (where each index, row and divisor is settled: static, by the launch
or in place; why a check stayed in the kernel and how to remove it), masks, traffic (an estimate), program (what the
back ends get), code (what the target gets: LLVM IR for cpu, Tile IR for sm_80 and later, on stderr; interp runs the
program itself).
  tilewright explain gemm --dtype f16 --sizes M=4096,N=4096,K=4000
  tilewright explain attention --dtype bf16 --sizes M=512,KEYS=512,HEADS=8,KEY_HEADS=2 --target sm_90 --show code
Parameters count from 0, and extent(1, 0) is that of parameter 1 on axis 0. Nothing runs. tilewright bake
--list prints kernels and sizes.)";

const std::vector<std::string> all_sections = {"ast", "bounds", "masks", "traffic", "program", "code"};

[[noreturn]] void refuse_nothing(const char* what, const char* fix) {
  throw usage_error({.what = std::string(what) + " is missing",
                     .where = "tilewright explain",
                     .expected = {},
                     .got = {},
                     .fix = fix});
}

void print_code(const compiler::program& source, compiler::target where) {
  if (where == compiler::target::interp) return (void)std::fputs(to_text(source).c_str(), stdout);
  // Where the assembler is missing, the code it would get was printed before.
  std::fflush(stdout);
  setenv("TILEWRIGHT_DUMP", "llvm,tileir", 1);
  (void)emit(source, where);
}

compiler::target target_of(const std::string& name) {
  return name == "interp" ? compiler::target::interp : parse_target(name);
}

}  // namespace

CLI::App* add_explain_command(CLI::App& program, ExplainArguments& arguments) {
  CLI::App* command = program.add_subcommand("explain", "Say what the compiler makes of a kernel of the library");
  command->add_option("kernel", arguments.kernel, "The kernel")->type_name("NAME");
  command->add_option("--dtype", arguments.element, "Its element type; the first it has, unless given")
      ->type_name("NAME");
  command->add_option("--sizes,--shape", arguments.shape, "Sizes of the launch, NAME=NUMBER,...")->type_name("SIZES");
  command->add_option("--with", arguments.schedule, "Its schedule, and deny_residual: refuse checks in the kernel")
      ->type_name("OPTIONS");
  command->add_option("--target", arguments.target, "What the section code is for")
      ->capture_default_str()
      ->type_name("NAME");
  command->add_option("--show", arguments.sections, "Sections, separated by commas; bounds,masks,traffic unless given")
      ->delimiter(',')
      ->check(CLI::IsMember(all_sections))
      ->type_name("NAMES");
  command->add_flag("--details", arguments.has_details, "Bounds with what the launch compares, and how to do without");
  command->footer(footer);
  return command;
}

void run_explain(const ExplainArguments& arguments) {
  if (arguments.kernel.empty()) refuse_nothing("the kernel", "name one; tilewright bake --list prints them");
  const LibraryKernel kernel = find_kernel(arguments.kernel);
  const dtype element =
      parse_dtype(arguments.element.empty() ? split(kernel.elements, ' ').front() : arguments.element);
  require_element(kernel, element);
  const compiler::target where = target_of(arguments.target);
  const LibraryLaunch launch =
      kernel.launch(element, Sizes(kernel.name, kernel.sizes, arguments.shape), parse_schedule(arguments.schedule));
  compiler::bound_arguments bound =
      compiler::bind_arguments(*launch.module, launch.arguments, launch.with, launch.defaults);
  bound.special.schedule = launch.schedule;

  const std::vector<std::string> usual = {"bounds", "masks", "traffic"};
  const std::vector<std::string>& wanted = arguments.sections.empty() ? usual : arguments.sections;
  const auto is_wanted = [&](const char* name) {
    return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  fmt::print("{} of {}, a grid of [{}]; schedule on a GPU: {}\n", kernel.name, info(element).name,
             fmt::join(bound.grid, ", "), schedule_text(launch.schedule));
  if (is_wanted("ast")) fmt::print("{}", ast::to_text(*launch.module));
  compiler::program source = bind(*launch.module, bound.special);
  compiler::bounds_report report;
  check(source, &report);
  if (is_wanted("bounds")) fmt::print("{}", bounds_text(source, report, arguments.has_details));
  verify_launch(source, launch.arguments, bound.grid);
  simplify(source);
  if (launch.schedule.deny_residual) refuse_residual_checks(source);  // as a launch: of what is used alone
  if (is_wanted("masks")) fmt::print("{}", masks_text(source));
  if (is_wanted("traffic")) {
    fmt::print("{}", traffic_text(source, estimate_traffic(source, launch.arguments, bound.grid)));
  }
  if (is_wanted("program")) fmt::print("{}", to_text(source));
  if (is_wanted("code")) print_code(source, where);
}
