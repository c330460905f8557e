// SPDX-License-Identifier: Apache-2.0
// The limits of this machine, measured by its own threads in the same run as what they are set beside.
#pragma once

#include <map>

#include "harness/row.hpp"
#include "harness/threads.hpp"

namespace tilewright::bench {

inline constexpr int roof_repeats = 12;

class Roofs {
 public:
  // `is_smoke`: small arrays and one repeat, numbers of no meaning.
  Roofs(PinnedThreads& threads, bool is_smoke);

  // Bytes or operations a second, best of the repeats; each is measured when first asked for. Bytes are those that a
  // program asks for: one read and one write for a copy. `elements` of each array: what fits the caches is faster.
  double copy_bytes(std::size_t elements = large);
  double add_bytes(std::size_t elements = large);
  double read_bytes();
  double multiply_adds();

  // The same as limits of a row.
  limit copy_limit(std::size_t elements);
  limit add_limit(std::size_t elements);
  limit multiply_add_limit();

 private:
  static constexpr std::size_t large = std::size_t{1} << 25;  // 128 MiB: past all caches

  double best_of(const std::function<double()>& work_per_second) const;
  std::size_t size_of_array(std::size_t elements) const;

  PinnedThreads& threads_;
  bool is_smoke_;
  std::map<std::size_t, double> copy_, add_;  // by elements
  double read_ = 0.0;
  double multiply_add_ = 0.0;
};

}  // namespace tilewright::bench
