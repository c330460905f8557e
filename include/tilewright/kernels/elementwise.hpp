// SPDX-License-Identifier: Apache-2.0
// Element-wise kernels, generic over the element type and the piece: `add<f32, BN>()` for vectors,
// `add<f32, BM, BN>()` for matrices. f16 and bf16 are computed in f32 and rounded once.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// z = x + y
template <class T, Dim... Piece>
constexpr auto add() {
  return kernel<"add">([](Out<T, Piece...> z, In<T, any_extent<Piece>...> x, In<T, any_extent<Piece>...> y) {
    require_same_shape(z, x);
    require_same_shape(z, y);
    z.store(cast<T>(cast<f32>(load_like(x, z)) + cast<f32>(load_like(y, z))));
  });
}

// z = a * x + y
template <class T, Dim... Piece>
constexpr auto saxpy() {
  return kernel<"saxpy">(
      [](Out<T, Piece...> z, Scalar<f32> a, In<T, any_extent<Piece>...> x, In<T, any_extent<Piece>...> y) {
        require_same_shape(z, x);
        require_same_shape(z, y);
        z.store(cast<T>(fma(a, cast<f32>(load_like(x, z)), cast<f32>(load_like(y, z)))));
      });
}

// z = silu(gate) * up
template <class T, Dim... Piece>
constexpr auto silu_mul() {
  return kernel<"silu_mul">([](Out<T, Piece...> z, In<T, any_extent<Piece>...> gate, In<T, any_extent<Piece>...> up) {
    require_same_shape(z, gate);
    require_same_shape(z, up);
    z.store(cast<T>(silu(cast<f32>(load_like(gate, z))) * cast<f32>(load_like(up, z))));
  });
}

}  // namespace tilewright::kernels
