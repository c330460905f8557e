// SPDX-License-Identifier: Apache-2.0
// What TILEWRIGHT_DUMP asks to see, and the times that go with it.
#pragma once

#include <chrono>
#include <string_view>

namespace tilewright::compiler {

// Whether the comma-separated list in TILEWRIGHT_DUMP names a stage.
bool is_dumped(std::string_view stage);

class stage_clock {
 public:
  // Microseconds since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::micro> passed = now - last_;
    last_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace tilewright::compiler
