// SPDX-License-Identifier: Apache-2.0
// Gives changed bytes of a pack their checksum, as the writer does, so that the checks behind it are reached.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tilewright::test {

inline void seal_pack(std::vector<std::byte>& pack) {
  constexpr std::size_t header_bytes = 112, checksum_at = 24;
  const std::uint64_t none = 0;
  std::memcpy(pack.data() + checksum_at, &none, sizeof none);
  const std::uint64_t sum = XXH3_64bits_withSeed(pack.data() + header_bytes, pack.size() - header_bytes,
                                                 XXH3_64bits(pack.data(), header_bytes));
  std::memcpy(pack.data() + checksum_at, &sum, sizeof sum);
}

}  // namespace tilewright::test
