// layer: types: spawn() takes a Task, which owns what it uses, no function that captures
// SPDX-License-Identifier: Apache-2.0
// expect: {task_only}
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

void misuse(Device d) {
  auto z = zeros(d);
  auto running = spawn([&] { (void)z.to_host(); });
  std::move(running).wait();
}
