// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/print.hpp"

#include <utility>

#include "compiler/print_sink.hpp"

namespace tilewright {

void set_print_sink(std::function<void(const std::string& line)> sink) { compiler::set_print_sink(std::move(sink)); }

}  // namespace tilewright
