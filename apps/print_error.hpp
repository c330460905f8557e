// SPDX-License-Identifier: Apache-2.0
// How the programs tell of an error: its parts, a line each, on stderr.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "tilewright/base/error.hpp"

inline void print_error_part(std::string_view name, std::string_view text) {
  if (!text.empty()) fmt::print(stderr, "  {}: {}\n", name, text);
}

inline void print_error(std::string_view program, const tilewright::error& error) {
  const tilewright::report& parts = error.parts();
  fmt::print(stderr, "{}: {}\n", program, parts.what);
  print_error_part("where", parts.where);
  print_error_part("expected", parts.expected);
  print_error_part("got", parts.got);
  print_error_part("fix", parts.fix);
}
