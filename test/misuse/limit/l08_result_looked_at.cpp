// A correct program that twcheck refuses: a Result that a condition looks at
// SPDX-License-Identifier: Apache-2.0
// needs: tilewright/runtime/result.hpp
#include "misuse.hpp"

bool correct(Device d) {
  auto result = increment(zeros(d).partition({16})).try_sync();
  if (!result) return false;
  auto [z] = std::move(result).value();
  return all_are(z, 1.0f);
}
