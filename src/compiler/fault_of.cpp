// SPDX-License-Identifier: Apache-2.0
// From the status that a launch wrote to a message for people.
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

// "false at element (3, 0)"
std::string place_of(std::int64_t ordinal, const value_type& shape) {
  if (shape.rank == 0) return "false";
  std::string text;
  for (std::size_t axis = static_cast<std::size_t>(shape.rank); axis-- > 0; ordinal /= shape.extents[axis]) {
    text = std::to_string(ordinal % shape.extents[axis]) + (text.empty() ? "" : ", " + text);
  }
  return "false at element (" + text + ")";
}

std::string allowed(const residual_check& rule, std::int64_t least, std::int64_t greatest) {
  switch (rule.what) {
    case residual_check::kind::divisor:
      return "any other number";
    case residual_check::kind::step:
      return "1 or more";
    case residual_check::kind::requirement:
      return "true";
    default:
      break;
  }
  if (greatest < least) return "nothing: there are none on that axis";
  return std::to_string(least) + " to " + std::to_string(greatest);
}

}  // namespace

device_fault fault_of(const program& source, const fault_status& status) {
  const auto at = static_cast<std::size_t>(status.check);
  require_internal(at < source.residual_checks.size(), "a launch reports a check that its kernel lacks");
  const residual_check& rule = source.residual_checks[at];
  const auto& [got, least, greatest] = status.values;
  if (rule.what == residual_check::kind::assertion) {
    return device_fault({.what = "an assertion failed in a kernel" + (rule.text.empty() ? "" : ": " + rule.text),
                         .where = describe_location(*source.module, rule.location),
                         .expected = "true in every element",
                         .got = place_of(got, rule.shape),
                         .fix = "give data for which it holds; the launch's outputs are lost, all else stays usable"});
  }
  return device_fault(
      {.what = "a check failed in a kernel: " + rule.rule,
       .where = describe_location(*source.module, rule.location),
       .expected = allowed(rule, least, greatest),
       .got = rule.what == residual_check::kind::requirement ? std::string("false") : std::to_string(got),
       .fix = "give data that keeps to the rule, or clamp it in the kernel; the launch's outputs are lost, all else "
              "stays usable"});
}

}  // namespace tilewright::compiler
