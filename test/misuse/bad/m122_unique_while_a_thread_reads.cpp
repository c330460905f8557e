// layer: run time only: how many owners there are is counted at run time
// SPDX-License-Identifier: Apache-2.0
// expect: {not_unique}
// topic: threads
#include "misuse.hpp"

void misuse(Device d) {
  auto s = ones(d).share();
  std::promise<void> done;
  std::thread reader([mine = s, until = done.get_future()] { until.wait(); });
  try {
    (void)std::move(s).into_unique();
  } catch (...) {
    done.set_value();
    reader.join();
    throw;
  }
  done.set_value();
  reader.join();
}
