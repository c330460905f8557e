// SPDX-License-Identifier: Apache-2.0
// Launches for a GPU where no assembler is: only baked images can satisfy them. Linked in, or beside the program.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "scaled.hpp"
#include "tilewright/base/error.hpp"

int main(int, char** argv) {
  setenv("TILEWRIGHT_TILEIR_TOOLS", "/nowhere", 1);
  setenv("TILEWRIGHT_CACHE_DIR", "off", 1);
  const std::filesystem::path beside = std::filesystem::path(argv[0]).replace_filename("beside.pack");
  if (std::filesystem::exists(beside)) tilewright::load_images(beside);
  const tilewright::Device device = tilewright::offline_device(tilewright::compiler::target::sm_90);
  consumer::launch_scaled(device, 4096);
  try {
    consumer::launch_scaled(device, 1000);
  } catch (const tilewright::runtime_error& missing) {
    std::puts(missing.what());
    return 0;
  }
  std::puts("a launch that was not baked found an image");
  return 1;
}
