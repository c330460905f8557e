// layer: flow: a function of a thread waits on one of two paths
// SPDX-License-Identifier: Apache-2.0
// expect: {unwaited}
// topic: threads
#include "misuse.hpp"

void misuse(Device d) {
  std::thread worker([d] {
    auto f = increment(zeros(d).partition({16})).start();
    if (!perhaps()) (void)std::move(f).wait();
  });
  worker.join();
}
