// An exception between give and use; the name is not used again
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  bool caught = false;
  try {
    auto z = zeros(d);
    auto [back] = increment(std::move(z).partition({16})).sync();
    if (perhaps()) throw 1;
    (void)back.shape();
  } catch (int) {
    caught = true;
  }
  return caught;
}
