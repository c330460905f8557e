// SPDX-License-Identifier: Apache-2.0
// A kernel of the consumer's own, for the program and for the one that bakes it.
#pragma once

#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace consumer {

inline constexpr tilewright::Dim B{"B"};

inline constexpr auto scaled =
    tilewright::kernel<"scaled">([](tilewright::Out<float, B> z, tilewright::Scalar<float> a,
                                    tilewright::In<float, tilewright::dyn> x) { z.store(load_like(x, z) * a); });

inline void launch_scaled(const tilewright::Device& device, tilewright::index_t size) {
  (void)scaled(device.zeros<float>({size}).partition({128}), 2.0f, device.zeros<float>({size})).sync();
}

// Host code to bake: extents that 128 divides; others are other images.
inline void launches(const tilewright::Device& device) { launch_scaled(device, 1024); }

}  // namespace consumer
