// SPDX-License-Identifier: Apache-2.0
#include "compiler/print_sink.hpp"

#include <cstdio>
#include <mutex>
#include <utility>

namespace tilewright::compiler {
namespace {

struct guarded_sink {
  std::mutex mutex;
  print_sink sink;
};

// Never destroyed: a kernel may still run when the program ends.
guarded_sink& shared_sink() {
  static auto* const one = new guarded_sink();
  return *one;
}

}  // namespace

void set_print_sink(print_sink sink) {
  guarded_sink& shared = shared_sink();
  const std::lock_guard lock(shared.mutex);
  std::swap(shared.sink, sink);
}

void print_line(const std::string& line) noexcept {
  guarded_sink& shared = shared_sink();
  const std::lock_guard lock(shared.mutex);
  if (shared.sink) return shared.sink(line);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace tilewright::compiler
