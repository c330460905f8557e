// SPDX-License-Identifier: Apache-2.0
// OpenBLAS, loaded when a benchmark asks for it: the build does not depend on it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace tilewright::bench {

class OpenBlas {
 public:
  // Null where the library is missing; `why` then says so.
  static std::unique_ptr<OpenBlas> load(int threads, std::string& why);
  ~OpenBlas();

  // "OpenBLAS 0.3.21 (Cooperlake)": which kernels it chose matters.
  const std::string& name() const { return name_; }

  // z[m, n] = x[m, k] y[k, n], all dense and row-major. The caller works too, bound to the first core meanwhile.
  void gemm(int m, int n, int k, const float* x, const float* y, float* z) const;

 private:
  using sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
  OpenBlas() = default;

  void* library_ = nullptr;
  sgemm sgemm_ = nullptr;
  std::string name_;
  std::vector<pid_t> threads_;  // its own, besides the caller's
};

}  // namespace tilewright::bench
