// A correct program that g++ refuses: it takes the name in a condition for an unused variable
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

bool correct(Device d) {
  if (const auto result = increment(zeros(d).partition({16})).try_sync()) return true;
  return false;
}
