// layer: types: what try_sync() gives is dropped
// SPDX-License-Identifier: Apache-2.0
// expect: {must_check}
// topic: failure
// needs: try_sync in tilewright/runtime
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto z = zeros(d);
  increment(std::move(z).partition({16})).try_sync();
}
