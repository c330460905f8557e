// SPDX-License-Identifier: Apache-2.0
// expect-error: an Out has one writer per element
// expect-error: n211_combine_at_on_out\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<u32, BM> z, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.combine_at(1, ids.load(tile<BM>, b.pid(1)));
#else
  z.store(cast<u32>(ids.load(tile<BM>, b.pid(1))));
#endif
});
