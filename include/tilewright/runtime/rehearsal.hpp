// SPDX-License-Identifier: Apache-2.0
// Rehearsal: a constexpr function that takes a Device can be evaluated while C++ compiles,
//   static_assert(pipeline(tilewright::rehearsal_device()));
// Launches then compute nothing, but who owns, lends and gives away is followed exactly, through containers, members,
// loops and helper functions, on the path that is taken. A misuse is a compile error: it names the function of the rule
// that is broken (refuse_use_after_give, report_op_that_never_ran ...) and the line. So is memory that is never freed.
//
// Tensors have shapes and no values: to_host() gives zeros, so code that decides by values takes the way that zeros
// take. Coroutines, graphs and other threads cannot be rehearsed. Needs g++ 12 or clang 22.
#pragma once

#include "tilewright/runtime/device.hpp"

namespace tilewright {

namespace detail {
inline constexpr rehearsed_device rehearsed_devices[4] = {};
}

// One of four devices. A call must be a constant expression.
consteval Device rehearsal_device(int index = 0) { return Device(detail::rehearsed_devices[index]); }

}  // namespace tilewright
