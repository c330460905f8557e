// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_to_prepare_a_chain
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto first = increment(device.zeros<f32>({64}).partition({16}));
#ifndef TILEWRIGHT_FIXED
  auto prepared = prepare(std::move(first).then([](auto given) {
    auto [x] = std::move(given);
    return increment(std::move(x).partition({16}));
  }));
#else
  auto prepared = prepare(std::move(first));
#endif
  prepared.sync();
  return true;
}
static_assert(rehearse(misuse));
