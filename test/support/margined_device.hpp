// SPDX-License-Identifier: Apache-2.0
// The devices of test_device.hpp with margins around their tensors (margins.hpp), one of each for as long as the
// program. Where images are baked there are no values, and so no margins; under compute-sanitizer the GPU has none
// (TILEWRIGHT_SANITIZE=memcheck), since it watches tensors by itself.
#pragma once

#include <gtest/gtest.h>

#include "runtime/host_engine.hpp"
#include "support/margins.hpp"
#include "support/test_device.hpp"

namespace tilewright::test {

// The first GPU. In support/cuda or support/no_cuda, whichever this build is of.
detail::device_engine& margined_gpu();

template <test_back_end Where>
detail::device_engine& margined_host(compiler::target target) {
  static auto* const made = new margin_engine<detail::host_engine>(name_of(Where), target);
  return *made;
}

inline Device margined_device(test_back_end where) {
  if (baked_target()) return test_device(where);
  if (where == test_back_end::gpu) return Device(margined_gpu());
  if (where == test_back_end::cpu) return Device(margined_host<test_back_end::cpu>(cpu_device().target()));
  return Device(margined_host<test_back_end::interp>(compiler::target::interp));
}

inline void expect_whole_margins(const Device& device) {
  auto* const checks = dynamic_cast<margin_checks*>(&device.engine());
  if (checks == nullptr) return;
  for (const std::string& broken : checks->broken_margins()) ADD_FAILURE() << device.name() << ": " << broken;
}

}  // namespace tilewright::test
