// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"
#include "tilewright/kernels/gemm.hpp"

using namespace tilewright;
namespace tk = tilewright::kernels;

namespace {

template <class T, class Z>
LibraryLaunch gemm(const Sizes& size, const schedule& schedule) {
  return launch_one(schedule, tk::gemm<T, Z>().with(dim<tk::BK>(size["BK"])),
                    bake_output{{size["M"], size["N"]}, {size["BM"], size["BN"]}}, bake_input{{size["M"], size["K"]}},
                    bake_input{{size["K"], size["N"]}});
}

template <class T, class Z>
LibraryLaunch gemv(const Sizes& size, const schedule& schedule) {
  return launch_one(schedule, tk::gemv<T, Z>().with(dim<tk::BK>(size["BK"])), bake_output{{size["M"]}, {size["BM"]}},
                    bake_input{{size["M"], size["K"]}}, bake_input{{size["K"]}});
}

LibraryLaunch launch_gemm(dtype element, const Sizes& size, const schedule& schedule) {
  if (element == dtype::i8) return gemm<i8, i32>(size, schedule);
  return for_float(element, [&](auto t) { return gemm<decltype(t), decltype(t)>(size, schedule); });
}

LibraryLaunch launch_gemv(dtype element, const Sizes& size, const schedule& schedule) {
  if (element == dtype::i8) return gemv<i8, i32>(size, schedule);
  return for_float(element, [&](auto t) { return gemv<decltype(t), decltype(t)>(size, schedule); });
}

}  // namespace

std::vector<LibraryKernel> product_kernels() {
  return {{"gemm", "f32 f16 bf16 i8", "M=0,N=0,K=0,BM=128,BN=128,BK=64", launch_gemm},
          {"gemv", "f32 f16 bf16 i8", "M=0,K=0,BM=16,BK=256", launch_gemv}};
}
