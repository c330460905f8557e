// SPDX-License-Identifier: Apache-2.0
// Where tests run: the interpreter, the cpu back end, a GPU. With TILEWRIGHT_TEST_BAKE=sm_90 in the environment, only
// the GPU's tests run, on a device that is not there: their verdict means nothing, but the images that they need are
// compiled, so that the same binary finds them on a machine with that GPU and no compiler (tools/bake_tests).
#pragma once

#include <cstdlib>
#include <optional>

#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::test {

enum class test_back_end { interp, cpu, gpu };

inline const char* name_of(test_back_end where) {
  constexpr const char* names[] = {"interp", "cpu", "gpu"};
  return names[static_cast<int>(where)];
}

// The target that images are baked for, if they are.
inline std::optional<compiler::target> baked_target() {
  const char* name = std::getenv("TILEWRIGHT_TEST_BAKE");
  if (name == nullptr || *name == 0) return {};
  const auto found = compiler::target_named(name);
  require_internal(found.has_value(), "TILEWRIGHT_TEST_BAKE names no target");
  return found;
}

// Why tests of a back end cannot run here; none if they can.
inline const char* why_missing(test_back_end where) {
  if (baked_target()) return where == test_back_end::gpu ? nullptr : "only images for a GPU are made";
  if (where == test_back_end::cpu && !compiler::has_cpu_target()) return "built without LLVM";
  if (where == test_back_end::gpu && cuda_device_count() == 0) return "no GPU";
  return nullptr;
}

inline Device test_device(test_back_end where) {
  if (where == test_back_end::interp) return interp_device();
  if (where == test_back_end::cpu) return cpu_device();
  if (const auto target = baked_target()) return offline_device(*target);
  return cuda_device();
}

}  // namespace tilewright::test
