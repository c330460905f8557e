// A launch that is refused, then a right one with the same tensors
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  auto z = zeros(d);
  bool refused = false;
  try {
    increment(z.partition({4, 4})).sync();
  } catch (const usage_error&) {
    refused = true;
  }
  increment(z.partition({16})).sync();
  return refused && all_are(z, 1.0f);
}
