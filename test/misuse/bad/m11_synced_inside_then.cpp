// layer: run time only: that a function runs while its op is enqueued is known by the runtime alone
// SPDX-License-Identifier: Apache-2.0
// expect: {inside_then}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto [a] = increment(zeros(d).partition({16}))
                 .then([](auto given) {
                   auto [t] = increment(std::get<0>(std::move(given)).partition({16})).sync();
                   return increment(std::move(t).partition({16}));
                 })
                 .sync();
}
