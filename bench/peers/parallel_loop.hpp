// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "harness/threads.hpp"

namespace tilewright::bench {

// Calls part(first, count) on each thread for its share of 0 .. count; shares are multiples of 1024 elements.
template <class Part>
void parallel_loop(PinnedThreads& threads, std::size_t count, Part part) {
  constexpr std::size_t unit = 1024;
  const auto parts = static_cast<std::size_t>(threads.count());
  const std::size_t share = (count + parts * unit - 1) / (parts * unit) * unit;
  threads.run([&](int thread) {
    const std::size_t first = std::min(count, share * static_cast<std::size_t>(thread));
    part(first, std::min(share, count - first));
  });
}

}  // namespace tilewright::bench
