// SPDX-License-Identifier: Apache-2.0
// What sync() of a launch with loans gave back: an output that is gone at the end of the expression, and that nobody
// touched, was computed in vain.
#pragma once

#include "tilewright/runtime/detail/storage.hpp"
#include "tilewright/runtime/misuse.hpp"

namespace tilewright::detail {

inline void report_outputs_dropped() noexcept {
  report_misuse(
      "what sync() gave back was dropped, and with it all that the launch computed; keep the tensors, or lend them");
}

template <int Count>
class fresh_outputs {
 public:
  constexpr fresh_outputs() = default;
  fresh_outputs(const fresh_outputs&) = delete;
  fresh_outputs& operator=(const fresh_outputs&) = delete;
  constexpr ~fresh_outputs() {
    bool all_dropped = is_watching_;
    for (fresh_output& output : outputs_) {
      all_dropped = all_dropped && output.was_dropped;
      if (is_watching_ && !output.was_touched && !output.was_dropped) output.memory->fresh = nullptr;
    }
    if (all_dropped) report_outputs_dropped();
  }

  // When a program runs: in a rehearsal the compiler has said so.
  void watch(ownership* const (&memories)[Count]) {
    is_watching_ = true;
    for (int i = 0; i < Count; ++i) {
      outputs_[i].memory = memories[i];
      memories[i]->fresh = &outputs_[i];
    }
  }

 private:
  fresh_output outputs_[Count];
  bool is_watching_ = false;
};

template <>
class fresh_outputs<0> {};

}  // namespace tilewright::detail
