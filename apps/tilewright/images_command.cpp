// SPDX-License-Identifier: Apache-2.0
#include "images_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/bake.hpp"
#include "tilewright/runtime/device.hpp"

using namespace tilewright;

CLI::App* add_images_command(CLI::App& program, ImagesArguments& arguments) {
  CLI::App* command =
      program.add_subcommand("images", "List the images of a pack: key, kernel, target, and their code");
  command->add_option("pack", arguments.pack, "The file")->required()->type_name("FILE");
  return command;
}

CLI::App* add_pack_command(CLI::App& program, ImagesArguments& arguments) {
  CLI::App* command = program.add_subcommand("pack", "Make a pack of all images for GPUs in a cache folder");
  command->add_option("folder", arguments.folder, "The folder that TILEWRIGHT_CACHE_DIR named")
      ->required()
      ->type_name("FOLDER");
  command->add_option("-o,--output", arguments.pack, "The file to write")->required()->type_name("FILE");
  return command;
}

CLI::App* add_targets_command(CLI::App& program) {
  return program.add_subcommand("targets", "List what images can be made for");
}

void run_images(const ImagesArguments& arguments) {
  const baked_pack pack = describe_pack(arguments.pack);
  fmt::print("{:32}  {:24}{:8}{:>9}{:>11}{:>9}{:>8}{:>7}\n", "key", "kernel", "target", "bytes", "registers", "threads",
             "shared", "stack");
  for (const baked_image& image : pack.images) {
    fmt::print("{}  {:24}{:8}{:9}{:11}{:9}{:8}{:7}\n", image.key, image.kernel, image.target, image.bytes,
               image.registers, image.threads, image.shared_bytes, image.stack_bytes);
  }
  fmt::print("{} images, made by compiler {}{}\n", pack.images.size(), pack.made_by.substr(0, 16),
             pack.is_usable ? "" : ": not this one, so programs of this build take none of them");
}

void run_pack(const ImagesArguments& arguments) {
  const bake_summary made = pack_cache(arguments.folder, arguments.pack);
  fmt::print("{}: {} images, {} bytes\n", arguments.pack, made.images, made.bytes);
}

void run_targets() {
  for (const compiler::target each : compiler::all_targets) {
    const std::string name = name_of(each);
    if (!is_gpu(each)) continue;
    const std::string number = name.substr(3);  // sm_120: 12.0
    fmt::print("{:8}NVIDIA GPUs of compute capability {}.{}\n", name, number.substr(0, number.size() - 1),
               number.back());
  }
  if (compiler::has_cpu_target()) fmt::print("{:8}processors like this one\n", name_of(compiler::target::cpu));
}
