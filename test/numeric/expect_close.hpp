// SPDX-License-Identifier: Apache-2.0
// Comparisons of results with exact references under a stated bound. A NaN on one side only is a failure.
#pragma once

#include <gtest/gtest.h>

#include "support/element_bits.hpp"

namespace tilewright::test {

// Whether `bits` is `reference` within `ulp` units of the last place of `element` at the reference. Past the largest
// number the reference rounds to infinity.
inline testing::AssertionResult is_close(dtype element, std::uint64_t bits, real reference, double ulp) {
  const real got = decode_float(element, bits);
  const auto failure = [&](const char* why) {
    return testing::AssertionFailure() << why << ": got " << got << ", reference " << reference << " of "
                                       << info(element).name;
  };
  if (std::isnan(got) != std::isnan(reference)) return failure("one is NaN");
  if (std::isnan(got)) return testing::AssertionSuccess();
  if (is_fp8(element)) reference = std::clamp(reference, -largest(element), largest(element));  // saturates
  const real unit = spacing(element, reference);
  if (std::isinf(got)) {
    const bool overflows =
        std::fabs(reference) + ulp * unit >= largest(element) + spacing(element, largest(element)) / 2;
    return overflows && std::signbit(got) == std::signbit(reference) ? testing::AssertionSuccess()
                                                                     : failure("overflow");
  }
  if (std::isinf(reference)) return failure("no overflow");
  const real limit = largest(element);
  const real bounded = std::fmin(std::fmax(reference, -limit - unit), limit + unit);
  const real error = std::fabs(got - bounded) / unit;
  if (error <= ulp) return testing::AssertionSuccess();
  return failure("too far") << ", " << error << " ULP where " << ulp << " are allowed";
}

// Whether two results are bit for bit the same, all NaNs alike.
inline testing::AssertionResult is_same(dtype element, std::uint64_t got, std::uint64_t expected) {
  if (got == expected) return testing::AssertionSuccess();
  const real a = decode(element, got), b = decode(element, expected);
  if (is_floating(element) && std::isnan(a) && std::isnan(b)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "got " << a << ", expected " << b << " of " << info(element).name << " (bits "
                                     << std::hex << got << " and " << expected << ")";
}

}  // namespace tilewright::test
