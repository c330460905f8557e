// SPDX-License-Identifier: Apache-2.0
#include "peers/openblas.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "harness/threads.hpp"

namespace tilewright::bench {
namespace {

constexpr const char* file_names[] = {"libopenblas.so.0", "libopenblas.so"};
constexpr int row_major = 101, not_transposed = 111;  // cblas.h

// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." up to the second blank.
std::string version_of(const std::string& configuration) {
  return configuration.substr(0, configuration.find(' ', configuration.find(' ') + 1));
}

// The library must choose its kernels by the processor it finds: a variable left over from other work (a core type
// without AVX-512, a small cache) would make a peer of a third of its speed.
void choose_environment() {
  for (const char* name : {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS"}) unsetenv(name);
  // Its threads spin for 2^26 cycles after their work by default; on few cores that would be time taken from us.
  setenv("OPENBLAS_THREAD_TIMEOUT", "20", 1);
}

std::vector<pid_t> threads_of_this_process() {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    found.push_back(std::stoi(entry.path().filename().string()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::unique_ptr<OpenBlas> OpenBlas::load(int threads, std::string& why) {
  choose_environment();
  std::unique_ptr<OpenBlas> blas(new OpenBlas);
  const std::vector<pid_t> before = threads_of_this_process();
  for (const char* name : file_names) {
    if (blas->library_ == nullptr) blas->library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (blas->library_ == nullptr) {
    why = "no libopenblas.so.0 here; ./dev setup --peers installs it";
    return nullptr;
  }
  const auto find = [&](const char* name) { return dlsym(blas->library_, name); };
  blas->sgemm_ = reinterpret_cast<sgemm>(find("cblas_sgemm"));
  const auto configuration = reinterpret_cast<char* (*)()>(find("openblas_get_config"));
  const auto core_name = reinterpret_cast<char* (*)()>(find("openblas_get_corename"));
  const auto set_threads = reinterpret_cast<void (*)(int)>(find("openblas_set_num_threads"));
  if (blas->sgemm_ == nullptr || configuration == nullptr || core_name == nullptr || set_threads == nullptr) {
    why = "libopenblas.so.0 lacks cblas_sgemm or openblas_get_corename";
    return nullptr;
  }
  set_threads(threads);
  const std::vector<pid_t> after = threads_of_this_process();
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(blas->threads_));
  for (std::size_t i = 0; i < blas->threads_.size(); ++i) bind_to_core(blas->threads_[i], static_cast<int>(i) + 1);
  blas->name_ = version_of(configuration()) + " (" + core_name() + ")";
  return blas;
}

OpenBlas::~OpenBlas() = default;  // stays loaded: its threads may still be there

void OpenBlas::gemm(int m, int n, int k, const float* x, const float* y, float* z) const {
  bind_to_core(0, 0);
  sgemm_(row_major, not_transposed, not_transposed, m, n, k, 1.0f, x, k, y, n, 0.0f, z, n);
  unbind();
}

}  // namespace tilewright::bench
