// SPDX-License-Identifier: Apache-2.0
// Rehearsal: a constexpr function that takes a Device can be evaluated while C++ compiles,
//   static_assert(tilewright::rehearse(pipeline));
// Launches then compute nothing, but who owns, lends and gives away is followed exactly, through containers, members,
// loops and helper functions, on the path that is taken. A misuse is a compile error: it names the function of the rule
// that is broken (refuse_use_after_give, report_op_that_never_ran ...) and the line. So is memory that is never freed.
//
// Tensors have shapes and no values: to_host() gives zeros, so code that decides by values takes the way that zeros
// take, work that never fails, try_sync() that succeeds. Coroutines, other threads and what the C++ library has not
// made constexpr (unique_ptr, map) cannot be rehearsed. Needs g++ 12 or clang 22.
#pragma once

#include <type_traits>
#include <utility>

#include "tilewright/runtime/device.hpp"

namespace tilewright {

namespace detail {
inline constexpr rehearsed_device rehearsed_devices[4] = {};
}

// One of four devices, for programs of several. A call must be a constant expression. Captures are not followed.
consteval Device rehearsal_device(int index = 0) { return Device(detail::rehearsed_devices[index]); }

namespace detail {

template <class F, class... Devices>
consteval auto rehearse_on(F&& f, Devices... devices) {
  if constexpr (std::is_void_v<std::invoke_result_t<F, Devices...>>) {
    std::forward<F>(f)(devices...);
    return true;
  } else {
    return std::forward<F>(f)(devices...);
  }
}

}  // namespace detail

// Calls f(Device), or f(Device, Device) with two different ones, and gives what it returns, or true. Captures and what
// is recorded in them are followed, too.
template <class F>
consteval auto rehearse(F&& f) {
  detail::rehearsed_thread thread;
  const detail::rehearsed_device device{&thread}, other{&thread};
  if constexpr (std::is_invocable_v<F, Device>) {
    return detail::rehearse_on(std::forward<F>(f), Device(device));
  } else {
    return detail::rehearse_on(std::forward<F>(f), Device(device), Device(other));
  }
}

}  // namespace tilewright
