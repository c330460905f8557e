// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_read_while_lent_to_a_writer
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  auto z = device.zeros<f32>({64});
  auto launch = increment(z.partition({16}));
#ifndef TILEWRIGHT_FIXED
  (void)z.to_host();
#endif
  std::move(launch).sync();
  return true;
}
static_assert(misuse(rehearsal_device()));
