// SPDX-License-Identifier: Apache-2.0
// The limits of this machine, measured by its own threads in the same run as what they are set beside.
#pragma once

#include "harness/row.hpp"
#include "harness/threads.hpp"

namespace tilewright::bench {

inline constexpr int roof_repeats = 12;

class Roofs {
 public:
  // `is_smoke`: small arrays and one repeat, numbers of no meaning.
  Roofs(PinnedThreads& threads, bool is_smoke);

  // Bytes or operations a second, best of the repeats; each is measured when first asked for. Bytes are those that a
  // program asks for: one read and one write for a copy.
  double copy_bytes();
  double add_bytes();
  double read_bytes();
  double multiply_adds();

  // The same as limits of a row.
  limit copy_limit();
  limit add_limit();
  limit multiply_add_limit();

 private:
  double best_of(const std::function<double()>& work_per_second) const;

  PinnedThreads& threads_;
  bool is_smoke_;
  double copy_ = 0.0;
  double add_ = 0.0;
  double read_ = 0.0;
  double multiply_add_ = 0.0;
};

}  // namespace tilewright::bench
