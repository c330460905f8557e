// SPDX-License-Identifier: Apache-2.0
// Rows of what the host spends around a launch that computes next to nothing.
#pragma once

#include <string>

#include "harness/runner.hpp"
#include "tilewright/runtime/shape.hpp"

namespace tilewright::bench {

constexpr index_t cost_elements = 16;

inline comparison cost_of_launch(const char* name) {
  comparison what;
  what.name = name;
  what.shape = std::to_string(cost_elements);
  what.dtype = "f32";
  what.unit = microseconds;
  what.why_no_peer = "a cost of our own";
  what.plan.repeats = 15;
  return what;
}

}  // namespace tilewright::bench
