// layer: flow: one operand of ?: gives a name
// SPDX-License-Identifier: Apache-2.0
// expect: {given}
// topic: paths
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  auto y = perhaps() ? std::move(z) : zeros(d);
  (void)y.shape();
  (void)z.to_host();
}
