// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright {
namespace {

inline constexpr Dim B{"B"};
inline constexpr auto add =
    kernel<"add">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y) { z.store(load_like(x, z) + load_like(y, z)); });

TEST(Launch, LendsTheOutputForOneExpression) {
  const Device d = interp_device();
  const auto x = d.full<f32>({1000}, 1.5f).share();
  const auto y = d.iota<f32>({1000}).share();
  auto z = d.zeros<f32>({1000});
  add(z.partition({128}), x, y).sync();
  const auto values = z.to_host();
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], 1.5f + static_cast<f32>(i));
}

}  // namespace
}  // namespace tilewright
