// SPDX-License-Identifier: Apache-2.0
// expect-error: error_deterministic_cannot_order_a_sum_of_floats_by_combine_at_in_parameter
// expect-error: n330_deterministic_combine_at\.cpp:18:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

#ifndef TILEWRIGHT_FIXED
using weight = f32;
#else
using weight = i64;
#endif
inline constexpr auto k =
    kernel<"k">([](Block b, Accum<weight, combiner::sum, dyn> z, In<i32, dyn> x, In<weight, dyn> w) {
      z.combine_at(w.load(tile<64>, b.pid(1), pad(0)), x.load(tile<64>, b.pid(1), pad(0)));
    });
auto scheduled() { return k.with(deterministic); }
