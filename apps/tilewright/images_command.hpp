// SPDX-License-Identifier: Apache-2.0
// `tilewright images`, `pack` and `targets`: what lies in a pack, making one of a cache folder, what there is to bake
// for.
#pragma once

#include <string>

namespace CLI {
class App;
}

struct ImagesArguments {
  std::string pack, folder;
};

CLI::App* add_images_command(CLI::App& program, ImagesArguments& arguments);
CLI::App* add_pack_command(CLI::App& program, ImagesArguments& arguments);
CLI::App* add_targets_command(CLI::App& program);

void run_images(const ImagesArguments& arguments);
void run_pack(const ImagesArguments& arguments);
void run_targets();
