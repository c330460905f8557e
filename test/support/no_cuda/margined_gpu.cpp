// SPDX-License-Identifier: Apache-2.0
#include "support/margined_device.hpp"

namespace tilewright::test {

detail::device_engine& margined_gpu() { return cuda_device().engine(); }  // throws: there is none

}  // namespace tilewright::test
