// SPDX-License-Identifier: Apache-2.0
// From the status that a launch wrote to a message for people.
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {

device_fault fault_of(const program& source, const fault_status& status) {
  const auto at = static_cast<std::size_t>(status.check);
  require_internal(at < source.residual_checks.size(), "a launch reports a check that its kernel lacks");
  const residual_check& rule = source.residual_checks[at];
  const auto& [got, least, greatest] = status.values;
  const bool is_divisor = rule.what == residual_check::kind::divisor;
  const bool is_empty = greatest < least;
  return device_fault(
      {.what = "a check failed in a kernel: " + rule.rule,
       .where = describe_location(*source.module, rule.location),
       .expected = is_divisor ? std::string("any other number")
                   : is_empty ? std::string("nothing: there are none on that axis")
                              : std::to_string(least) + " to " + std::to_string(greatest),
       .got = std::to_string(got),
       .fix = "give data that keeps to the rule, or clamp it in the kernel; the launch's outputs are lost, all else "
              "stays usable"});
}

}  // namespace tilewright::compiler
