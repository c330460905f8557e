// SPDX-License-Identifier: Apache-2.0
// Where elements of a program's tiles meet: reductions, scans, combiners of users, products of matrices.
#pragma once

#include "support/fuzz/program_elements.hpp"

namespace tilewright::test {

class program_combinations : protected program_elements {
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

  // ---- Products
  typed product();
  typed product_onto(const typed& sum);
  typed addend(const typed& sum, dtype total);
  typed factor(const value_type& type, bool is_tiny);
};

}  // namespace tilewright::test
