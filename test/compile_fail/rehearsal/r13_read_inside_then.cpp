// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_read_of_what_is_not_computed_yet
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto [z] = increment(device.zeros<f32>({64}).partition({16}))
                 .then([](auto given) {
                   auto [x] = std::move(given);
#ifndef TILEWRIGHT_FIXED
                   (void)x.to_host();
#endif
                   return increment(std::move(x).partition({16}));
                 })
                 .sync();
  (void)z.to_host();
  return true;
}
static_assert(misuse(rehearsal_device()));
