// SPDX-License-Identifier: Apache-2.0
// expect-error: an Out is write-only

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](
#ifndef TILEWRIGHT_FIXED
                                          Out<f32, B> z
#else
                                          InOut<f32, B> z
#endif
                                      ) { z.store(z.load() + 1); });
