// Work that goes on alone
// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto x = ones(d).share();
  increment(zeros(d).partition({16})).start().detach();
  twice(zeros(d).partition({16}), x).start().detach();
  return all_are(x, 1.0f);
}
