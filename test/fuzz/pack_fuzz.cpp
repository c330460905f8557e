// SPDX-License-Identifier: Apache-2.0
// Any bytes as a pack of images, as they are and under a right size and checksum: refused with io_error, or a pack
// whose parts lie inside its bytes and are found again.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/image_pack.hpp"
#include "tilewright/base/error.hpp"
#include "unit/runtime/sealed_pack.hpp"

namespace {

void read(const std::vector<std::byte>& bytes) {
  try {
    const tilewright::runtime::image_pack pack(bytes, "fuzz");
    for (const auto& entry : pack.entries()) {
      std::size_t sum = entry.kernel.size() + entry.target.size();
      for (const char each : entry.kernel) sum += each == 'x' ? 1 : 0;
      for (const std::byte each : entry.object) sum += static_cast<std::size_t>(each);
      if (pack.find(entry.key) != &entry || sum > SIZE_MAX / 2) std::abort();
    }
  } catch (const tilewright::io_error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t header_bytes = 112, size_at = 16;
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  read(bytes);
  if (size < header_bytes) return 0;
  const std::uint64_t file_bytes = size;
  std::memcpy(bytes.data() + size_at, &file_bytes, sizeof file_bytes);
  tilewright::test::seal_pack(bytes);
  read(bytes);
  return 0;
}
