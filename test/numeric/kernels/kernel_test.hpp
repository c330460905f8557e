// SPDX-License-Identifier: Apache-2.0
// The fixture of the numeric tests: each runs on the interpreter, on the cpu back end where the library has one, and on
// a GPU where there is one (test_device.hpp). Outputs are filled with NaN (or a pattern) before a launch, so that a
// missing store shows; every tensor lies between margins that must stay as they are (margins.hpp).
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>

#include "numeric/kernels/numeric_check.hpp"
#include "support/margined_device.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::test {

// Where a test runs, and how its inputs lie in memory: dense, or scattered, with gaps and a reversed first axis
// (KER-08: no kernel may guess that an input is contiguous).
struct test_place {
  test_back_end back_end;
  bool is_scattered;
};
inline void PrintTo(const test_place& place, std::ostream* out) {
  *out << name_of(place.back_end) << (place.is_scattered ? "_scattered" : "");
}

inline constexpr test_place all_test_places[] = {{test_back_end::interp, false}, {test_back_end::interp, true},
                                                 {test_back_end::cpu, false},    {test_back_end::cpu, true},
                                                 {test_back_end::gpu, false},    {test_back_end::gpu, true}};

class KernelTest : public testing::TestWithParam<test_place> {
 protected:
  void SetUp() override {
    if (const char* reason = why_missing(GetParam().back_end)) GTEST_SKIP() << reason;
  }
  void TearDown() override {
    if (why_missing(GetParam().back_end) == nullptr) expect_whole_margins(device());
  }

  static bool is_interp() { return GetParam().back_end == test_back_end::interp; }
  static bool is_gpu() { return GetParam().back_end == test_back_end::gpu; }
  static Device device() { return margined_device(GetParam().back_end); }

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
  // Last axis in every other element, three unused ones between rows, the first axis backwards (not on a GPU, which
  // takes no negative strides); gaps are poisoned.
  template <class T>
  static Shared<T> upload_scattered(const std::vector<T>& values, Shape shape) {
    Shape strides = shape;
    index_t step = 2;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      strides[axis] = step;
      step = step * shape[axis] + 3;
    }
    const index_t first = is_gpu() ? 0 : (shape[0] - 1) * strides[0];
    if (!is_gpu()) strides[0] = -strides[0];
    std::vector<T> buffer(static_cast<std::size_t>(step), poison<T>());
    for (std::size_t i = 0; i < values.size(); ++i) {
      index_t place = first;
      auto rest = static_cast<index_t>(i);
      for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        place += rest % shape[axis] * strides[axis];
        rest /= shape[axis];
      }
      buffer[static_cast<std::size_t>(place)] = values[i];
    }
    return device().from_host(buffer, {step}).share().strided(shape, strides, first);
  }
};

}  // namespace tilewright::test

#define TILEWRIGHT_ON_EACH_BACK_END(suite)                                                \
  INSTANTIATE_TEST_SUITE_P(, suite, testing::ValuesIn(tilewright::test::all_test_places), \
                           testing::PrintToStringParamName())
