// layer: run time only: whether an op is a chain is known where it was made
// SPDX-License-Identifier: Apache-2.0
// expect: a chain of ops cannot be prepared|refuse_to_prepare_a_chain
// topic: graphs
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto op = increment(zeros(d).partition({16})).then([](auto given) {
    return increment(std::get<0>(std::move(given)).partition({16}));
  });
  auto prepared = prepare(std::move(op));
  prepared.sync();
}
