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

enum class back_end { interp, cpu };

class KernelTest : public testing::TestWithParam<back_end> {
 protected:
  void SetUp() override {
    if (GetParam() == back_end::cpu && !compiler::has_cpu_target()) GTEST_SKIP() << "built without LLVM";
  }

  static bool is_interp() { return GetParam() == back_end::interp; }
  static Device device() { return is_interp() ? interp_device() : cpu_device(); }

  template <class T>
  static Shared<T> upload(const std::vector<T>& values, Shape shape) {
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
};

inline std::string back_end_name(const testing::TestParamInfo<back_end>& place) {
  return place.param == back_end::interp ? "interp" : "cpu";
}

}  // namespace tilewright::test

#define TILEWRIGHT_ON_EACH_BACK_END(suite)                                                                       \
  INSTANTIATE_TEST_SUITE_P(, suite,                                                                              \
                           testing::Values(tilewright::test::back_end::interp, tilewright::test::back_end::cpu), \
                           tilewright::test::back_end_name)
