// SPDX-License-Identifier: Apache-2.0
// What the cases of this corpus share: kernels, tensors, and a condition that no compiler knows. A case is one function
// of a device, `misuse` in bad/, `correct` in good/ and limit/, marked REHEARSABLE where it can run in a static_assert.
#pragma once

#include <algorithm>
#include <array>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

#ifdef TILEWRIGHT_REHEARSE
#include "tilewright/runtime/rehearsal.hpp"
#define REHEARSABLE constexpr
#else
#define REHEARSABLE
#endif

namespace misuse_corpus {

using namespace tilewright;

inline constexpr Dim B{"B"};

inline constexpr auto add =
    kernel<"add">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y) { z.store(load_like(x, z) + load_like(y, z)); });
inline constexpr auto twice = kernel<"twice">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z) * 2.0f); });
inline constexpr auto increment = kernel<"increment">([](InOut<f32, B> z) { z.store(z.load() + 1.0f); });
inline constexpr auto scale =
    kernel<"scale">([](Out<f32, B> z, Scalar<f32> a, In<f32, dyn> x) { z.store(load_like(x, z) * a); });

[[nodiscard]] REHEARSABLE inline Tensor<f32> zeros(Device d) { return d.zeros<f32>({64}); }
[[nodiscard]] REHEARSABLE inline Tensor<f32> ones(Device d) { return d.full<f32>({64}, 1.0f); }

// Another device than a case is given.
REHEARSABLE inline Device other_device() {
#ifdef TILEWRIGHT_REHEARSE
  return rehearsal_device(1);
#else
  return interp_device();
#endif
}

// True, as only run time knows.
inline volatile bool opaque = true;
REHEARSABLE inline bool perhaps() {
  if (__builtin_is_constant_evaluated()) return true;
  return opaque;
}

// Whether all elements have this value; a rehearsal has no values.
template <class Handle>
REHEARSABLE bool all_are(const Handle& t, f32 value) {
  if (__builtin_is_constant_evaluated()) return t.shape().rank() >= 0;
  for (const f32 element : t.to_host()) {
    if (element != value) return false;
  }
  return true;
}

}  // namespace misuse_corpus

using namespace misuse_corpus;
