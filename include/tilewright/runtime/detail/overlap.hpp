// SPDX-License-Identifier: Apache-2.0
// Do two views of one storage share an element? Exact, but for views so entangled that the search would take too long:
// those count as overlapping.
#pragma once

#include <utility>

#include "tilewright/runtime/detail/layout.hpp"

namespace tilewright::detail {

// Positions and strides count elements.
struct region {
  index_t first;
  int rank;
  const index_t* extents;
  const index_t* strides;

  constexpr bool is_empty() const {
    for (int axis = 0; axis < rank; ++axis) {
      if (extents[axis] == 0) return true;
    }
    return false;
  }
  constexpr index_t least() const {
    index_t place = first;
    for (int axis = 0; axis < rank; ++axis) {
      if (strides[axis] < 0) place += (extents[axis] - 1) * strides[axis];
    }
    return place;
  }
  constexpr index_t greatest() const {
    index_t place = first;
    for (int axis = 0; axis < rank; ++axis) {
      if (strides[axis] > 0) place += (extents[axis] - 1) * strides[axis];
    }
    return place;
  }
};

constexpr region region_of(const layout& seen) {
  return {seen.first, seen.extents.rank(), seen.extents.data(), seen.strides.data()};
}

// Is there 0 <= x[k] <= most[k] with sum of step[k] * x[k] equal to `target`?
class bounded_sum {
 public:
  constexpr void add(index_t step, index_t most) {
    if (most == 0 || step == 0) return;
    int place = 0;
    while (place < size_ && terms_[place].step > step) ++place;
    if (place < size_ && terms_[place].step == step) {
      terms_[place].most += most;
      return;
    }
    for (int k = size_++; k > place; --k) terms_[k] = terms_[k - 1];
    terms_[place] = {step, most, 0, 0};
  }
  constexpr bool reaches(index_t target) {
    for (int k = size_; k-- > 0;) {
      terms_[k].rest = terms_[k + 1].rest + terms_[k].step * terms_[k].most;
      terms_[k].divisor = greatest_common_divisor(terms_[k + 1].divisor, terms_[k].step);
    }
    return search(0, target);
  }

 private:
  static constexpr int greatest_work = 200'000;

  struct term {
    index_t step, most;
    index_t rest, divisor;  // of this one and those after it: their greatest sum, and what divides each sum
  };

  static constexpr index_t greatest_common_divisor(index_t a, index_t b) {
    while (b != 0) a = std::exchange(b, a % b);
    return a;
  }
  constexpr bool search(int k, index_t target) {
    if (target == 0) return true;
    if (target < 0 || k == size_ || target > terms_[k].rest || target % terms_[k].divisor != 0) return false;
    if (++work_ > greatest_work) return true;
    const index_t step = terms_[k].step, fits = target / step, open = target - terms_[k + 1].rest;
    const index_t least = open <= 0 ? 0 : (open + step - 1) / step;
    for (index_t x = fits < terms_[k].most ? fits : terms_[k].most; x >= least; --x) {
      if (search(k + 1, target - step * x)) return true;
      if (work_ > greatest_work) return true;
    }
    return false;
  }

  term terms_[2 * max_rank + 1] = {};
  int size_ = 0;
  int work_ = 0;
};

// A position of `a` is least(a) + sum of |stride| * x; one of `b` is greatest(b) - sum of |stride| * y. They meet where
// all these steps together bridge greatest(b) - least(a).
constexpr bool overlap(const region& a, const region& b) {
  if (a.is_empty() || b.is_empty()) return false;
  const index_t distance = b.greatest() - a.least();
  if (distance < 0 || a.greatest() < b.least()) return false;
  bounded_sum steps;
  for (const region* r : {&a, &b}) {
    for (int axis = 0; axis < r->rank; ++axis) {
      steps.add(r->strides[axis] < 0 ? -r->strides[axis] : r->strides[axis], r->extents[axis] - 1);
    }
  }
  return steps.reaches(distance);
}

}  // namespace tilewright::detail
