// A value made when the work is done
// SPDX-License-Identifier: Apache-2.0
// needs: map in tilewright/runtime/op.hpp
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  const f32 first =
      increment(zeros(d).partition({16})).map([](auto given) { return std::get<0>(given).to_host()[0]; }).sync();
  return first == 1.0f;
}
