// SPDX-License-Identifier: Apache-2.0
// expect-error: a coroutine would go on after the scope has ended
#include <coroutine>

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;

struct later {
  struct promise_type {
    later get_return_object() { return {}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

void misuse() {
  auto z = zeros();
#ifndef TILEWRIGHT_FIXED
  scope([&](Scope& s) -> later {
    s.start(increment(z.partition({16})));
    co_return;
  });
#else
  scope([&](Scope& s) { s.start(increment(z.partition({16}))); });
#endif
}
