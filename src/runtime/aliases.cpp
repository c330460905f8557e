// SPDX-License-Identifier: Apache-2.0
#include "runtime/aliases.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/planned_launch.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::detail {
namespace {

// Is there 0 <= x[k] <= most[k] with sum of step[k] * x[k] equal to `target`? Steps are positive and descending.
class bounded_sum {
 public:
  void add(index_t step, index_t most) {
    if (most == 0 || step == 0) return;
    for (std::size_t k = 0; k < size_; ++k) {
      if (steps_[k] == step) return void(most_[k] += most);
    }
    steps_[size_] = step;
    most_[size_++] = most;
  }

  bool reaches(index_t target) {
    sort();
    for (std::size_t k = size_; k-- > 0;) {
      rest_[k] = rest_[k + 1] + steps_[k] * most_[k];
      divisor_[k] = std::gcd(divisor_[k + 1], steps_[k]);
    }
    return search(0, target);
  }

 private:
  static constexpr std::size_t capacity = std::size_t{2} * max_rank;
  static constexpr int greatest_work = 200'000;

  void sort() {
    std::array<std::size_t, capacity> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(size_),
              [&](std::size_t a, std::size_t b) { return steps_[a] > steps_[b]; });
    const auto steps = steps_, most = most_;
    for (std::size_t k = 0; k < size_; ++k) {
      steps_[k] = steps[order[k]];
      most_[k] = most[order[k]];
    }
  }

  bool search(std::size_t k, index_t target) {
    if (target == 0) return true;
    if (target < 0 || k == size_ || target > rest_[k] || target % divisor_[k] != 0) return false;
    if (++work_ > greatest_work) return true;
    const index_t most = std::min(most_[k], target / steps_[k]);
    const index_t open = target - rest_[k + 1];
    const index_t least = open <= 0 ? 0 : (open + steps_[k] - 1) / steps_[k];
    for (index_t x = most; x >= least; --x) {
      if (search(k + 1, target - steps_[k] * x)) return true;
      if (work_ > greatest_work) return true;
    }
    return false;
  }

  std::array<index_t, capacity> steps_{}, most_{};
  std::array<index_t, capacity + 1> rest_{}, divisor_{};
  std::size_t size_ = 0;
  int work_ = 0;
};

bool is_empty(const region& r) {
  return std::any_of(r.extents, r.extents + r.rank, [](index_t extent) { return extent == 0; });
}

// The least position of a region.
index_t least_of(const region& r) {
  index_t least = r.first;
  for (int axis = 0; axis < r.rank; ++axis) least += std::min<index_t>(0, (r.extents[axis] - 1) * r.strides[axis]);
  return least;
}

// The greatest position of a region.
index_t greatest_of(const region& r) {
  index_t greatest = r.first;
  for (int axis = 0; axis < r.rank; ++axis) greatest += std::max<index_t>(0, (r.extents[axis] - 1) * r.strides[axis]);
  return greatest;
}

}  // namespace

// A position of `a` is least(a) + sum of |stride| * x; one of `b` is greatest(b) - sum of |stride| * y. They meet where
// all these steps together bridge greatest(b) - least(a).
bool overlap(const region& a, const region& b) {
  if (is_empty(a) || is_empty(b)) return false;
  const index_t distance = greatest_of(b) - least_of(a);
  if (distance < 0 || greatest_of(a) < least_of(b)) return false;
  bounded_sum steps;
  for (const region* r : {&a, &b}) {
    for (int axis = 0; axis < r->rank; ++axis) steps.add(std::abs(r->strides[axis]), r->extents[axis] - 1);
  }
  return steps.reaches(distance);
}

region region_of(const launch_argument& given) {
  const auto size = static_cast<index_t>(info(given.memory->element).size_bytes);
  const index_t first = (static_cast<const std::byte*>(given.value.address) - given.memory->address) / size;
  return {first, given.value.rank, given.value.extents.data(), given.value.strides.data()};
}

std::string describe(const ast::module_view* module, std::size_t parameter, const launch_argument& given) {
  const region seen = region_of(given);
  const auto list = [&](const index_t* values) {
    return to_text(Shape(std::span<const index_t>(values, static_cast<std::size_t>(seen.rank))));
  };
  return "parameter " + std::to_string(parameter) + " (" + parameter_kind_name(kind_of(module, parameter)) +
         "): elements " + std::to_string(least_of(seen)) + " to " + std::to_string(greatest_of(seen)) + ", extents " +
         list(seen.extents) + ", strides " + list(seen.strides) + " of a tensor of shape " +
         to_text(given.memory->shape);
}

void require_no_alias(const ast::module_view* module, std::span<const launch_argument> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      const launch_argument &a = arguments[i], &b = arguments[j];
      if (a.memory == nullptr || a.memory != b.memory) continue;
      const bool first_is_written = writes(kind_of(module, i));
      if (!first_is_written && !writes(kind_of(module, j))) continue;
      if (!overlap(region_of(a), region_of(b))) continue;
      throw usage_error(
          {.what = "an output overlaps another argument",
           .where = text_of(module),
           .expected = "no element shared with " + (first_is_written ? describe(module, i, a) : describe(module, j, b)),
           .got = first_is_written ? describe(module, j, b) : describe(module, i, a),
           .fix = "write into a tensor or a slice that shares no element with the others"});
    }
  }
}

}  // namespace tilewright::detail
