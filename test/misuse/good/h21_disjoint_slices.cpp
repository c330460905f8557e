// Two slices that share nothing
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto z = ones(d);
  twice(z.slice(0, 0, 16).partition({16}), z.slice(0, 48, 64).borrow()).sync();
  return all_are(z, 1.0f) == false;
}
