// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

#include "harness/row.hpp"

namespace tilewright::bench {

// Collects compared elements and keeps the one that uses most of its bound.
class WorstError {
 public:
  void compare(double got, double reference, double bound) {
    const double error = got == reference ? 0.0 : std::abs(got - reference);
    const double used = std::isnan(error) ? std::numeric_limits<double>::infinity() : error / bound;
    if (used < used_) return;
    used_ = used;
    worst_ = {error, bound};
  }
  accuracy result() const { return worst_; }

 private:
  double used_ = -1.0;
  accuracy worst_;
};

}  // namespace tilewright::bench
