// SPDX-License-Identifier: Apache-2.0
// From a record to the source line a person can open.
#include "compiler/location.hpp"

#include <cstring>

namespace tilewright::compiler {
namespace {

// Of texts that stand one after the other, each ended by zero; empty where there are fewer.
std::string text_at(const char* texts, std::int32_t size, std::int64_t number) {
  const char* at = texts;
  const char* end = texts + size;
  for (std::int64_t skipped = 0; skipped < number && at < end; ++skipped) at += std::strlen(at) + 1;
  return at < end ? at : std::string();
}

// The last part of the file's path: enough for a person, the same on every machine.
std::string file_name(const ast::module_view& module, int file) {
  const std::string path = text_at(module.files, module.files_size, file);
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

source_line line_of(const ast::module_view& module, source_location location) {
  if (location.record < 0 || location.record >= module.record_count) return {};
  const std::int32_t word = module.locations[location.record];
  return {file_name(module, ast::location_file(word)), ast::location_line(word)};
}

std::string text_of(const ast::module_view& module, std::int64_t number) {
  return number == ast::no_text ? std::string() : text_at(module.texts, module.texts_size, number);
}

std::string describe_location(const ast::module_view& module, source_location location) {
  const std::string text = std::string("kernel '") + module.name + "'";
  const auto [file, line] = line_of(module, location);
  if (line == 0) return text;
  return text + " at " + (file.empty() ? "line " : file + ":") + std::to_string(line);
}

}  // namespace tilewright::compiler
