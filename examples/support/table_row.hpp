// SPDX-License-Identifier: Apache-2.0
// How the examples end: the result is compared with an f64 reference, the launch is timed, and one row of the table of
// `./dev demo` is printed. Nothing here is needed to use the library.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "tilewright/compiler/compile.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace example {

// The size to run: a small one where only the interpreter is there.
inline tilewright::index_t sized(tilewright::index_t compiled, tilewright::index_t interpreted) {
  return tilewright::compiler::has_cpu_target() ? compiled : interpreted;
}

// Median wall time of a run in seconds, over at least five runs and a tenth of a second. The first run, which compiles
// the kernel or finds it in the cache, does not count.
template <class F>
double seconds_of(F&& run) {
  using clock = std::chrono::steady_clock;
  run();
  std::vector<double> times;
  for (double total = 0; times.size() < 5 || (total < 0.1 && times.size() < 1000); total += times.back()) {
    const auto start = clock::now();
    run();
    times.push_back(std::chrono::duration<double>(clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// The compared element that uses most of its bound.
class WorstError {
 public:
  void compare(double got, double reference, double bound) {
    const double error = got == reference ? 0.0 : std::abs(got - reference);
    const double used = std::isnan(error) ? std::numeric_limits<double>::infinity() : error / bound;
    if (!(used > used_)) return;
    used_ = used;
    error_ = error;
    bound_ = bound;
  }
  bool is_within() const { return used_ >= 0 && used_ <= 1; }
  double error() const { return error_; }
  double bound() const { return bound_; }

 private:
  double used_ = -1.0, error_ = 0.0, bound_ = 0.0;
};

// Prints the row; gives the exit code of main. `work` is in bytes for "GB/s" and in operations for "GFLOP/s".
inline int finish(const char* name, const std::string& size, double seconds, double work, const char* unit,
                  const WorstError& worst) {
  std::printf("%-22s %-24s %9.3f ms %9.1f %-8s %9.1e %9.1e  %s\n", name, size.c_str(), seconds * 1e3,
              work / seconds * 1e-9, unit, worst.error(), worst.bound(), worst.is_within() ? "ok" : "WRONG");
  return worst.is_within() ? 0 : 1;
}

inline std::string shape_text(const tilewright::Shape& shape) {
  std::string text;
  for (int axis = 0; axis < shape.rank(); ++axis) text += (axis > 0 ? "x" : "") + std::to_string(shape[axis]);
  return text;
}

}  // namespace example
