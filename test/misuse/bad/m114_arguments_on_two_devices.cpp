// layer: run time only: a tensor carries its device as a value
// SPDX-License-Identifier: Apache-2.0
// expect: arguments lie on different devices|refuse_arguments_of_different_devices
// topic: devices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto x = ones(other_device()).share();
  auto [a, same] = twice(std::move(z).partition({16}), x).sync();
}
