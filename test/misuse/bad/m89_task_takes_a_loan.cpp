// layer: types: the parameters of a Task are values
// SPDX-License-Identifier: Apache-2.0
// expect: takes no loan
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> look(LentInput<f32> z) { co_return 1; }

void misuse(Device d) {
  auto z = zeros(d);
  (void)look(z.borrow()).sync();
}
