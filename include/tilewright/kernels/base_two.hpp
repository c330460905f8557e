// SPDX-License-Identifier: Apache-2.0
// Exponentials by base 2, which machines have: e^x = 2^(x log2(e)), and log2(x) = log(x) log2(e).
#pragma once

namespace tilewright::kernels {

inline constexpr float log2_of_e = 1.44269504f, ln_of_2 = 0.693147181f;

}  // namespace tilewright::kernels
