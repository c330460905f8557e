// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/linear.hpp"

namespace tilewright::compiler {
namespace {

// value += factor * other; false on overflow.
bool accumulate(std::int64_t& value, std::int64_t factor, std::int64_t other) {
  std::int64_t product = 0;
  return !__builtin_mul_overflow(factor, other, &product) && !__builtin_add_overflow(value, product, &value);
}

// A factor that cannot be negated is taken for an overflow: proofs negate forms.
bool append(linear& sum, linear_term term) {
  if (term.factor == 0) return true;
  if (sum.count == linear::capacity || term.factor == INT64_MIN) return false;
  sum.terms[sum.count++] = term;
  return true;
}

}  // namespace

std::optional<linear> add_scaled(const linear& a, std::int64_t factor, const linear& b) {
  linear sum = number(a.constant);
  if (!accumulate(sum.constant, factor, b.constant)) return {};
  const linear_term *left = a.begin(), *right = b.begin();
  while (left != a.end() || right != b.end()) {
    const bool takes_left = left != a.end() && (right == b.end() || left->atom <= right->atom);
    const bool takes_right = right != b.end() && (left == a.end() || right->atom <= left->atom);
    linear_term term{takes_left ? left->atom : right->atom, takes_left ? left->factor : 0};
    if (takes_right && !accumulate(term.factor, factor, right->factor)) return {};
    if (!append(sum, term)) return {};
    left += takes_left ? 1 : 0;
    right += takes_right ? 1 : 0;
  }
  return sum;
}

}  // namespace tilewright::compiler
