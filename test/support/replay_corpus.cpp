// SPDX-License-Identifier: Apache-2.0
// main() of a fuzz target where libFuzzer is not linked: runs the target once over every file named, or in the folders
// named, so that each input once found stays covered under every compiler and sanitizer.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes);

namespace {

namespace fs = std::filesystem;

void append_files(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) {
    files.push_back(path);
    return;
  }
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
}

void replay(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  // The name comes first: when the target crashes, it is the last line.
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) append_files(arguments[i], files);
  if (files.empty()) {
    std::puts("no input: name files or folders");
    return 1;
  }
  for (const fs::path& file : files) replay(file);
  std::printf("%zu inputs replayed\n", files.size());
}
