// Two ops as one
// SPDX-License-Identifier: Apache-2.0
// needs: zip in tilewright/runtime
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto [a, b] = zip(increment(zeros(d).partition({16})), increment(ones(d).partition({16}))).sync();
  return all_are(std::get<0>(a), 1.0f) && all_are(std::get<0>(b), 2.0f);
}
