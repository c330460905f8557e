// SPDX-License-Identifier: Apache-2.0
// Kernels and a blocked stream for the tests of the runtime.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "runtime/stream_queue.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

// From here on clang follows no loans: the file breaks their rules on purpose, or keeps them where clang cannot see it.
#if defined(__clang__)
#define TILEWRIGHT_TEST_UNFOLLOWED_LOANS _Pragma("clang diagnostic ignored \"-Wthread-safety-analysis\"")
#else
#define TILEWRIGHT_TEST_UNFOLLOWED_LOANS
#endif

namespace tilewright::test {

inline constexpr Dim B{"B"}, N{"N"};

inline constexpr auto add =
    kernel<"add">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y) { z.store(load_like(x, z) + load_like(y, z)); });
inline constexpr auto add_one =
    kernel<"add_one">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z) + 1.0f); });
inline constexpr auto increment = kernel<"increment">([](InOut<f32, B> z) { z.store(z.load() + 1.0f); });
inline constexpr auto increment_scalar = kernel<"increment_scalar">([](InOut<f32> z) { z.store(z.load() + 1.0f); });
inline constexpr auto scale =
    kernel<"scale">([](Out<f32, B> z, Scalar<f32> a, In<f32, dyn> x) { z.store(load_like(x, z) * a); });
// Two outputs; the input's extent is a Dim.
inline constexpr auto sum_and_difference =
    kernel<"sum_and_difference">([](Out<f32, B> sum, Out<f32, B> difference, In<f32, N> x, In<f32, N> y) {
      sum.store(load_like(x, sum) + load_like(y, sum));
      difference.store(load_like(x, difference) - load_like(y, difference));
    });

// Holds what comes after it on a stream until open().
class stream_gate {
 public:
  explicit stream_gate(const Stream& stream) {
    stream.queue().push(
        {[](void* gate, detail::stream_queue&) { static_cast<stream_gate*>(gate)->opened_.get_future().wait(); },
         nullptr, this});
  }
  stream_gate(const stream_gate&) = delete;
  stream_gate& operator=(const stream_gate&) = delete;
  void open() { opened_.set_value(); }

 private:
  std::promise<void> opened_;
};

// The fields of the usage_error that `run` throws; empty ones when it throws none.
template <class Run>
report usage_of(Run run) {
  try {
    run();
  } catch (const usage_error& error) {
    return error.parts();
  }
  ADD_FAILURE() << "no usage_error";
  return {};
}

inline std::vector<f32> counted(index_t count, f32 first = 0.0f) {
  std::vector<f32> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<f32>(i);
  return values;
}

}  // namespace tilewright::test
