// layer: flow: the value of a result is taken twice
// SPDX-License-Identifier: Apache-2.0
// expect: value_that_was_taken_before|value was taken before|{given}
// topic: failure
// needs: tilewright/runtime/result.hpp
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto result = increment(zeros(d).partition({16})).try_sync();
  auto [a] = std::move(result).value();
  auto [b] = std::move(result).value();
}
