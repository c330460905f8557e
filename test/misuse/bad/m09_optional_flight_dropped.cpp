// layer: container: an optional drops work that nobody waited for
// SPDX-License-Identifier: Apache-2.0
// expect: {unwaited}
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  std::optional<InFlight<std::tuple<Tensor<f32>>>> flying;
  flying.emplace(increment(zeros(d).partition({16})).start());
  flying.reset();
}
