// SPDX-License-Identifier: Apache-2.0
// Kernels and tensors for the files that misuse them.
#pragma once

#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::test {

inline constexpr Dim B{"B"};

inline constexpr auto add =
    kernel<"add">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y) { z.store(load_like(x, z) + load_like(y, z)); });
inline constexpr auto twice = kernel<"twice">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z) * 2.0f); });
inline constexpr auto increment = kernel<"increment">([](InOut<f32, B> z) { z.store(z.load() + 1.0f); });
inline constexpr auto scale =
    kernel<"scale">([](Out<f32, B> z, Scalar<f32> a, In<f32, dyn> x) { z.store(load_like(x, z) * a); });

inline Tensor<f32> zeros() { return device().zeros<f32>({64}); }
inline Shared<f32> ones() { return device().full<f32>({64}, 1.0f).share(); }

}  // namespace tilewright::test
