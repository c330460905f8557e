// SPDX-License-Identifier: Apache-2.0
// Built without the CUDA runtime: there is no such device.
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/device.hpp"

namespace tilewright {

Device cuda_device(int) {
  throw runtime_error({.what = "no CUDA runtime in this build",
                       .where = "cuda_device()",
                       .expected = "a library built with TILEWRIGHT_CUDA=ON",
                       .got = "one built with TILEWRIGHT_CUDA=OFF",
                       .fix = "configure with -DTILEWRIGHT_CUDA=ON, or use cpu_device()"});
}

int cuda_device_count() noexcept { return 0; }

}  // namespace tilewright
