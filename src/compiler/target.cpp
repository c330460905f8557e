// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compiler/target.hpp"

#include "tilewright/base/error.hpp"

namespace tilewright::compiler {

const char* name_of(target where) {
  switch (where) {
    case target::interp:
      return "interp";
    case target::cpu:
      return "cpu";
    case target::sm_80:
      return "sm_80";
    case target::sm_86:
      return "sm_86";
    case target::sm_89:
      return "sm_89";
    case target::sm_90:
      return "sm_90";
    case target::sm_100:
      return "sm_100";
    case target::sm_120:
      return "sm_120";
  }
  require_internal(false, "a target has no name");
  return "";
}

std::optional<target> target_named(std::string_view name) {
  for (const target each : all_targets) {
    if (name == name_of(each)) return each;
  }
  return {};
}

}  // namespace tilewright::compiler
