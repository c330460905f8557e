// SPDX-License-Identifier: Apache-2.0
// The fixture of the numeric tests: each runs on the interpreter and, where the library has one, on the cpu back end.
// Outputs are filled with NaN (or a pattern) before a launch, so that a missing store shows.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>

#include "numeric/kernels/numeric_check.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::test {

// Where a test runs, and how its inputs lie in memory: dense, or scattered, with gaps and a reversed first axis
// (KER-08: no kernel may guess that an input is contiguous).
struct test_place {
  bool is_interp;
  bool is_scattered;
};
inline void PrintTo(const test_place& place, std::ostream* out) {
  *out << (place.is_interp ? "interp" : "cpu") << (place.is_scattered ? "_scattered" : "");
}

class KernelTest : public testing::TestWithParam<test_place> {
 protected:
  void SetUp() override {
    if (!is_interp() && !compiler::has_cpu_target()) GTEST_SKIP() << "built without LLVM";
  }

  static bool is_interp() { return GetParam().is_interp; }
  static Device device() { return is_interp() ? interp_device() : cpu_device(); }

  template <class T>
  static Shared<T> upload(const std::vector<T>& values, Shape shape) {
    if (GetParam().is_scattered && !values.empty()) return upload_scattered(values, shape);
    return device().from_host(values, shape).share();
  }
  template <class T>
  static Shared<T> upload(const matrix<T>& values) {
    return upload(values.values, {values.rows, values.columns});
  }
  template <class T>
  static Shared<T> upload(const std::vector<T>& values) {
    return upload(values, {static_cast<index_t>(values.size())});
  }

  template <class T>
  static T poison() {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(0xa5a5a5a5a5a5a5a5U);
    } else {
      return from_f64<T>(not_a_number);
    }
  }
  template <class T>
  static Tensor<T> poisoned(Shape shape) {
    return device().full(shape, poison<T>());
  }

  // The first argument that a launch gives back, as host values.
  template <class R>
  static auto output(Op<R>&& op) {
    return std::get<0>(std::move(op).sync()).to_host();
  }

 private:
  // Last axis in every other element, three unused ones between rows, the first axis backwards; gaps are poisoned.
  template <class T>
  static Shared<T> upload_scattered(const std::vector<T>& values, Shape shape) {
    Shape strides = shape;
    index_t step = 2;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      strides[axis] = step;
      step = step * shape[axis] + 3;
    }
    const index_t last = (shape[0] - 1) * strides[0];
    strides[0] = -strides[0];
    std::vector<T> buffer(static_cast<std::size_t>(step), poison<T>());
    for (std::size_t i = 0; i < values.size(); ++i) {
      index_t place = last;
      auto rest = static_cast<index_t>(i);
      for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        place += rest % shape[axis] * strides[axis];
        rest /= shape[axis];
      }
      buffer[static_cast<std::size_t>(place)] = values[i];
    }
    return device().from_host(buffer, {step}).share().strided(shape, strides, last);
  }
};

}  // namespace tilewright::test

#define TILEWRIGHT_ON_EACH_BACK_END(suite)                                                                    \
  INSTANTIATE_TEST_SUITE_P(                                                                                   \
      , suite,                                                                                                \
      testing::Values(tilewright::test::test_place{true, false}, tilewright::test::test_place{true, true},    \
                      tilewright::test::test_place{false, false}, tilewright::test::test_place{false, true}), \
      testing::PrintToStringParamName())
