// SPDX-License-Identifier: Apache-2.0
#include "debug_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>

#include "arguments.hpp"
#include "library.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/debug.hpp"

using namespace tilewright;

namespace {

constexpr const char* footer =
    R"(Runs one launch on the interpreter. Inputs are normally distributed, integers are 0, 1, 2, 3, 0, ...; scalars are
those of tilewright explain. Looked for, with line, block and element: NaN that reach an output (where they begin),
reads of elements that nobody has written, outputs left unwritten, blocks that use an element which another one writes.
  tilewright debug softmax --sizes M=4,C=6 --block 0,0
  tilewright debug softmax --sizes M=4,C=6 --set 1:2,3=nan
  tilewright debug gemm --sizes M=64,N=64,K=100,BM=32,BN=32,BK=32 --block 1,0 --line 36 --elements 8
A . is a lane past the edge of a tensor. Parameters count from 0. tilewright bake --list prints kernels and sizes.
Exit code 1: there are findings.)";

[[noreturn]] void refuse(const char* what, std::string expected, std::string got) {
  throw usage_error({.what = what,
                     .where = "tilewright debug",
                     .expected = std::move(expected),
                     .got = std::move(got),
                     .fix = "see tilewright debug --help"});
}

index_t parse_number(const std::string& text, const char* what, const std::string& got) {
  index_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, value);
  if (fault != std::errc() || end != last || value < 0) refuse(what, "numbers from 0 on", got);
  return value;
}

std::vector<index_t> parse_place(const std::string& text, const char* what, const std::string& got) {
  std::vector<index_t> place;
  for (const std::string& each : split(text, ',')) place.push_back(parse_number(each, what, got));
  return place;
}

// "1:2,3=nan"
LaunchInputs::element parse_element(const std::string& text) {
  const std::size_t colon = text.find(':'), equals = text.find('=');
  constexpr const char* what = "an element is not understood";
  if (colon == std::string::npos || equals == std::string::npos || equals < colon) {
    refuse(what, "PARAMETER:PLACE=VALUE", text);
  }
  const std::string number = text.substr(equals + 1);
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0') refuse(what, "a number, nan or inf behind the =", text);
  return {static_cast<std::size_t>(parse_number(text.substr(0, colon), what, text)),
          parse_place(text.substr(colon + 1, equals - colon - 1), what, text), value};
}

// Whether it is an In parameter, which alone is given values.
void require_input(const LibraryLaunch& launch, std::size_t parameter) {
  const auto count = static_cast<std::size_t>(launch.module->parameter_count);
  if (parameter < count && launch.module->parameters[parameter].kind == parameter_kind::in) return;
  refuse("a parameter is no input of the kernel", "an In parameter, counted from 0", std::to_string(parameter));
}

LaunchInputs inputs_of(const DebugArguments& arguments, const LibraryLaunch& launch) {
  LaunchInputs inputs;
  inputs.seed = arguments.seed;
  for (const std::string& each : arguments.elements) {
    inputs.elements.push_back(parse_element(each));
    require_input(launch, inputs.elements.back().parameter);
  }
  for (const std::string& each : arguments.empty) {
    inputs.empty.push_back(static_cast<std::size_t>(parse_number(each, "a parameter is not understood", each)));
    require_input(launch, inputs.empty.back());
  }
  return inputs;
}

debug_options options_of(const DebugArguments& arguments, const std::vector<index_t>& grid) {
  debug_options options;
  for (const std::string& each : arguments.blocks) {
    if (each == "all") {
      options.has_every_block = true;
      continue;
    }
    std::vector<index_t> block = parse_place(each, "a block is not understood", each);
    bool is_inside = block.size() == grid.size();
    for (std::size_t axis = 0; is_inside && axis < grid.size(); ++axis) is_inside = block[axis] < grid[axis];
    if (!is_inside)
      refuse("a block is not in the grid", fmt::format("all, or one of [{}]", fmt::join(grid, ", ")), each);
    options.blocks.push_back(std::move(block));
  }
  options.lines = arguments.lines;
  options.elements = arguments.limit;
  options.rounds = arguments.rounds;
  options.has_infinity = arguments.has_infinity;
  return options;
}

}  // namespace

CLI::App* add_debug_command(CLI::App& program, DebugArguments& arguments) {
  CLI::App* command =
      program.add_subcommand("debug", "Run a kernel of the library, show its tiles and look for faults");
  command->add_option("kernel", arguments.kernel, "The kernel")->type_name("NAME");
  command->add_option("--dtype", arguments.element, "Its element type; the first it has, unless given")
      ->type_name("NAME");
  command->add_option("--sizes,--shape", arguments.shape, "Sizes of the launch, NAME=NUMBER,...")->type_name("SIZES");
  command->add_option("--block", arguments.blocks, "Show tiles of a block, by its place in the grid; or of all")
      ->type_name("PLACE");
  command->add_option("--line", arguments.lines, "Show tiles of a line alone, as 23 or gemm.hpp:23")->type_name("LINE");
  command->add_option("--elements", arguments.limit, "Show larger tiles by their ends")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{1} << 20));
  command->add_option("--rounds", arguments.rounds, "Show so many rounds of each operation in a loop")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", arguments.seed, "Of the inputs")->capture_default_str();
  command->add_option("--set", arguments.elements, "An element of an input, as 1:2,3=nan")->type_name("ELEMENT");
  command->add_option("--empty", arguments.empty, "An input that nobody writes")->type_name("PARAMETER");
  command->add_flag("--infinity", arguments.has_infinity, "Look for infinities too");
  command->footer(footer);
  return command;
}

bool run_debug(const DebugArguments& arguments) {
  if (arguments.kernel.empty()) refuse("the kernel is missing", "a name of tilewright bake --list", "none");
  const LibraryKernel kernel = find_kernel(arguments.kernel);
  const dtype element =
      parse_dtype(arguments.element.empty() ? split(kernel.elements, ' ').front() : arguments.element);
  require_element(kernel, element);
  const LibraryLaunch launch = kernel.launch(element, Sizes(kernel.name, kernel.sizes, arguments.shape), {});
  const std::vector<index_t> grid =
      compiler::bind_arguments(*launch.module, launch.arguments, launch.with, launch.defaults).grid;
  const Device device = debug_device(options_of(arguments, grid));
  const LaunchInputs inputs = inputs_of(arguments, launch);
  fmt::print("{} of {}, a grid of [{}]\n", kernel.name, info(element).name, fmt::join(grid, ", "));
  launch.run_with(device, inputs);
  const debug_report report = take_debug_report(device);
  fmt::print("{}", to_text(report));
  return report.findings.empty();
}
