// SPDX-License-Identifier: Apache-2.0
// main() of a fuzz target where libFuzzer is not linked: runs the target once over every file named, or in the folders
// named, so that each input once found stays covered under every compiler and sanitizer. With -mutations=N it then runs
// N changed copies of them, the same ones each time.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
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

using Bytes = std::vector<char>;

Bytes read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void run(const Bytes& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

void replay(const fs::path& path) {
  // The name comes first: when the target crashes, it is the last line.
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);
  run(read(path));
}

// One change: a byte, a little-endian word of an awkward value, a cut, or a stretch taken out or doubled.
void mutate(Bytes& bytes, std::mt19937_64& random) {
  if (bytes.empty()) bytes.push_back('\0');
  const std::size_t at = random() % bytes.size();
  const std::size_t stretch = std::min<std::size_t>(1 + random() % 16, bytes.size() - at);
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = begin + static_cast<std::ptrdiff_t>(stretch);
  switch (random() % 5) {
    case 0:
      *begin = static_cast<char>(random());
      break;
    case 1: {
      const std::uint64_t word = (std::uint64_t{1} << random() % 64) - random() % 3;
      for (std::size_t i = 0; i < std::min<std::size_t>(stretch, 8); ++i) begin[i] = static_cast<char>(word >> 8 * i);
      break;
    }
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.erase(begin, end);
      break;
    default: {
      const Bytes copy(begin, end);
      bytes.insert(end, copy.begin(), copy.end());
    }
  }
}

void run_mutations(const std::vector<fs::path>& files, long count) {
  std::vector<Bytes> inputs;
  for (const fs::path& file : files) inputs.push_back(read(file));
  std::mt19937_64 random(1);
  for (long i = 0; i < count; ++i) {
    Bytes bytes = inputs[random() % inputs.size()];
    for (auto changes = 1 + random() % 4; changes > 0; --changes) mutate(bytes, random);
    run(bytes);
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<fs::path> files;
  long mutations = 0;
  for (int i = 1; i < count; ++i) {
    constexpr std::string_view option = "-mutations=";
    if (std::string_view(arguments[i]).starts_with(option)) {
      mutations = std::atol(arguments[i] + option.size());
    } else {
      append_files(arguments[i], files);
    }
  }
  if (files.empty()) {
    std::puts("no input: name files or folders");
    return 1;
  }
  for (const fs::path& file : files) replay(file);
  std::sort(files.begin(), files.end());  // folders list in any order; mutations shall not depend on it
  std::printf("%zu inputs replayed\n", files.size());
  std::fflush(stdout);
  run_mutations(files, mutations);
  std::printf("%ld mutations run\n", mutations);
}
