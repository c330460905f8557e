// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/error.hpp"

#include <utility>

namespace tilewright {
namespace {

void append_part(std::string& message, const char* label, const std::string& part) {
  if (part.empty()) return;
  message += "; ";
  message += label;
  message += part;
}

std::string compose(const report& parts) {
  std::string message = parts.what;
  append_part(message, "where: ", parts.where);
  append_part(message, "expected: ", parts.expected);
  append_part(message, "got: ", parts.got);
  append_part(message, "fix: ", parts.fix);
  return message;
}

}  // namespace

error::error(report parts) : parts_(std::move(parts)), message_(compose(parts_)) {}

void require_internal(bool condition, const char* text, const char* file, int line) {
  if (condition) return;
  throw internal_error({.what = std::string("internal error: ") + text,
                        .where = std::string(file) + ":" + std::to_string(line),
                        .expected = {},
                        .got = {},
                        .fix = "this is a fault of tilewright itself; please report it with this message"});
}

}  // namespace tilewright
