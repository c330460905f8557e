// SPDX-License-Identifier: Apache-2.0
// Where elements of a program's tiles meet: reductions, scans, combiners of users, products of matrices.
#pragma once

#include "support/fuzz/program_elements.hpp"

namespace tilewright::test {

class program_combinations : protected program_elements {
  struct combined_lane {
    dtype element;
    op by;
  };

 protected:
  using program_elements::program_elements;

  // ---- Along an axis
  typed number(const typed& v);
  // One of the three, or -1, 0 and 1 where that is what it takes.
  typed fit_for(op combined, const typed& v);
  typed reduced();
  typed argmax(const typed& v);
  typed scanned();

  // ---- Combiners
  // The least of whole numbers, and what stands beside it in all, along an axis: exact in any order.
  typed combined();
  ids joined_least(const ids& left, const ids& right);
  // One to four tiles, each by an op of its own that any order gives the same with.
  typed combined_apart();
  // x -> a * x + b, one after the other, which only a scan may do: left and right are not the same.
  typed composed();

  // ---- Products
  typed product();
  typed product_onto(const typed& sum);
  typed addend(const typed& sum, dtype total);
  typed factor(const value_type& type, bool is_tiny);
  typed scaled_product();
  typed scales(const value_type& type);

 private:
  combined_lane some_lane();
  value_id joined_lane(const combined_lane& lane, value_id left, value_id right);
  static std::int64_t identity_of(const combined_lane& lane);
  std::vector<std::int64_t> axis_attributes(bool scans, int axis);
  typed one_of(const ids& results, const std::vector<typed>& tiles, bool scans, int axis);
};

}  // namespace tilewright::test
