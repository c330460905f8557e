// SPDX-License-Identifier: Apache-2.0
// expect-error: this kernel has no such Dim
// expect-error: n50_run_time_unknown_dim\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z)); });
#ifndef TILEWRIGHT_FIXED
auto bound(int n) { return k.with(dim<BK>(n)); }
#else
auto bound(int n) { return k.with(dim<B>(n)); }
#endif
