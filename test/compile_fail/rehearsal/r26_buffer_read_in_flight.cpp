// SPDX-License-Identifier: Apache-2.0
// expect-error: refuse_use_after_give
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;
using namespace tilewright::test;

constexpr bool misuse(Device device) {
  std::vector<HostBuffer<f32>> buffers;
  buffers.push_back(device.host_buffer<f32>({64}));
  auto flying = copy(device.zeros<f32>({64}), std::move(buffers[0])).start();
#ifndef TILEWRIGHT_FIXED
  const f32 first = buffers[0].span()[0];
#endif
  auto [z, buffer] = std::move(flying).wait();
#ifdef TILEWRIGHT_FIXED
  const f32 first = buffer.span()[0];
#endif
  if (first != 0.0f) return false;
  return true;
}
static_assert(rehearse(misuse));
