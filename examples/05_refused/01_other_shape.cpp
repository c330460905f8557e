// SPDX-License-Identifier: Apache-2.0
// expect-error: tile shapes differ
// A tile of BM by BN and one of BN by BM are added.
#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto add_transposed = kernel<"add_transposed">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x) {
  auto a = x.load(tile<BM, BN>, 0, 0);
  auto b = x.load(tile<BN, BM>, 0, 0);
#ifdef TILEWRIGHT_FIXED
  z.store(a + transpose(b));
#else
  z.store(a + b);
#endif
});
