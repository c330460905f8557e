// layer: run time only: that a function runs while its op is enqueued is known by the runtime alone
// SPDX-License-Identifier: Apache-2.0
// expect: {inside_then}|{unwaited}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto f = increment(zeros(d).partition({16})).start();
  auto [a] = increment(zeros(d).partition({16}))
                 .then(
                     [](auto given, InFlight<std::tuple<Tensor<f32>>> other) {
                       (void)std::move(other).wait();
                       return increment(std::get<0>(std::move(given)).partition({16}));
                     },
                     std::move(f))
                 .sync();
}
