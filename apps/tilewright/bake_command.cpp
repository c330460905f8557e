// SPDX-License-Identifier: Apache-2.0
#include "bake_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "arguments.hpp"
#include "library.hpp"
#include "tilewright/runtime/bake.hpp"

using namespace tilewright;

namespace {

constexpr const char* footer =
    R"(Every kernel is baked for every element type, shape and target. A shape gives sizes and Dims by name:
  tilewright bake --library gemm --dtype f16,bf16 --shape M=4096,N=4096,K=4096,BM=128,BN=256 \
                  --with persistent,swizzle=8,num_ctas=2 --target sm_90 -o gemm.pack
An image serves every launch with the same Dims, options and facts of its arguments (unit strides, divisors of extents,
alignment): other extents of the same divisibility need no image of their own. The program that launches loads the file
with tilewright::load_images() or TILEWRIGHT_IMAGES=gemm.pack. Kernels of your own: tilewright::bake(), or
tilewright_bake() of CMake.)";

void list_kernels() {
  for (const LibraryKernel& each : library_kernels()) {
    fmt::print("{:18}{:18}{}\n", each.name, each.elements, each.sizes);
  }
  fmt::print("Sizes that are 0 have to be given; z is [M, N] or [M, C], M also counts tokens or queries.\n");
}

[[noreturn]] void refuse_nothing(const char* option, const char* fix) {
  throw usage_error(
      {.what = std::string(option) + " is missing", .where = "tilewright bake", .expected = {}, .got = {}, .fix = fix});
}

void launch_all(const BakeArguments& arguments, const Device& device) {
  const schedule options = parse_schedule(arguments.schedule);
  for (const std::string& name : arguments.kernels) {
    const LibraryKernel kernel = find_kernel(name);
    for (const std::string& element : arguments.elements) {
      require_element(kernel, parse_dtype(element));
      for (const std::string& shape : arguments.shapes) {
        kernel.launch(parse_dtype(element), Sizes(name, kernel.sizes, shape), options).run(device);
      }
    }
  }
}

}  // namespace

CLI::App* add_bake_command(CLI::App& program, BakeArguments& arguments) {
  CLI::App* command = program.add_subcommand("bake", "Compile kernels of the library into a file of images");
  command->add_flag("--list", arguments.lists, "Print the kernels with their sizes, and do nothing");
  command->add_option("--library", arguments.kernels, "Kernels, separated by commas")
      ->delimiter(',')
      ->type_name("NAMES");
  command->add_option("--dtype", arguments.elements, "Their element types")->delimiter(',')->type_name("NAMES");
  command->add_option("--shape", arguments.shapes, "Sizes of a launch, NAME=NUMBER,...; may come again")
      ->type_name("SIZES");
  command
      ->add_option("--with", arguments.schedule, "How a GPU runs them: persistent, swizzle=8, num_ctas=2, tma.0=0, ...")
      ->type_name("OPTIONS");
  command->add_option("--target", arguments.targets, "Architectures (see tilewright targets)")
      ->delimiter(',')
      ->type_name("NAMES");
  command->add_option("-o,--output", arguments.pack, "The file to write")->type_name("FILE");
  command
      ->add_option("--link", arguments.source,
                   "Also a C++ source (or C, by its name) that links the file into a program")
      ->type_name("FILE");
  command->add_option("--symbol", arguments.symbol, "The name of the bytes there")->capture_default_str();
  command->add_option("--sanitize", arguments.sanitize, "Make images that check their accesses, for compute-sanitizer")
      ->check(CLI::IsMember({"memcheck"}));
  command->add_option("-j,--jobs", arguments.jobs, "Compilers at a time; 0 is one for each core")
      ->check(CLI::Range(0, 1024));
  command->add_option("--limit", arguments.limit_seconds, "Seconds for all of it; 0 is no limit")
      ->check(CLI::NonNegativeNumber);
  command->footer(footer);
  return command;
}

void run_bake(const BakeArguments& arguments) {
  if (arguments.lists) return list_kernels();
  if (arguments.kernels.empty()) refuse_nothing("--library", "name kernels; tilewright bake --list prints them");
  if (arguments.elements.empty()) refuse_nothing("--dtype", "name element types, as f16");
  if (arguments.shapes.empty()) refuse_nothing("--shape", "give sizes; tilewright bake --list prints their names");
  if (arguments.targets.empty()) refuse_nothing("--target", "name architectures; tilewright targets prints them");
  if (arguments.pack.empty()) refuse_nothing("--output", "name the file to write");
  bake_options options;
  for (const std::string& name : arguments.targets) options.targets.push_back(parse_target(name));
  options.pack = arguments.pack;
  options.jobs = arguments.jobs;
  options.limit = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.limit_seconds * 1000));
  options.memcheck = !arguments.sanitize.empty();
  const bake_summary made = bake([&](const Device& device) { launch_all(arguments, device); }, options);
  if (!arguments.source.empty()) write_linkable(arguments.pack, arguments.source, arguments.symbol);
  fmt::print("{}: {} images, {} bytes\n", arguments.pack, made.images, made.bytes);
}
