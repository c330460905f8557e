// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/misuse.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace tilewright {
namespace {

[[noreturn]] void print_and_abort(const char* text) {
  std::fprintf(stderr, "tilewright: misuse: %s\n", text);
  std::abort();
}

std::atomic<misuse_handler> current{nullptr};

}  // namespace

misuse_handler set_misuse_handler(misuse_handler handler) noexcept { return current.exchange(handler); }

namespace detail {

void report_misuse(const char* text) noexcept {
  if (std::uncaught_exceptions() > 0) return;
  const misuse_handler handler = current.load();
  if (handler == nullptr) print_and_abort(text);
  handler(text);
}

}  // namespace detail
}  // namespace tilewright
