// SPDX-License-Identifier: Apache-2.0
// A kernel that fails when it is told to, for tests of who gets the failure.
#pragma once

#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {

// Block b of z is tile pages[b] of x.
inline constexpr auto pick_page = kernel<"pick_page">([](Block b, Out<f32, B> z, In<f32, dyn> x, In<i32, dyn> pages) {
  auto page = to_index(reshape(pages.load(tile<1>, b.pid(0)), tile<>));
  z.store(x.load(tile<B>, page));
});

// 0, 1, 2 ...: four pages of four.
inline Shared<f32> pages_of(const Device& device) { return device.iota<f32>({16}).share(); }
inline Shared<i32> page(const Device& device, i32 number) { return device.full<i32>({1}, number).share(); }
inline const std::vector<f32> page_two = {8, 9, 10, 11};

using picked = std::tuple<Tensor<f32>, Shared<f32>, Shared<i32>>;
// Gives page 2; or fails, as there is no page 9.
inline Op<picked> good_pick(const Device& device) {
  return pick_page(device.zeros<f32>({4}).partition({4}), pages_of(device), page(device, 2));
}
inline Op<picked> bad_pick(const Device& device) {
  return pick_page(device.zeros<f32>({4}).partition({4}), pages_of(device), page(device, 9));
}

[[noreturn]] inline void find_no_next_op() {
  throw runtime_error({.what = "no next op", .where = "", .expected = "", .got = "", .fix = ""});
}

}  // namespace tilewright::test
