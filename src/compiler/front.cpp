// SPDX-License-Identifier: Apache-2.0
// bind, check and simplify in a row, with what TILEWRIGHT_DUMP asks to see.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "compiler/dump.hpp"
#include "tilewright/ast/printer.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {

bool is_dumped(std::string_view stage) {
  const char* wanted = std::getenv("TILEWRIGHT_DUMP");
  if (wanted == nullptr) return false;
  std::string_view rest = wanted;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    if (rest.substr(0, comma) == stage) return true;
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return false;
}

program front(const ast::module_view& module, const specialization& special) {
  if (is_dumped("ast")) std::fputs(ast::to_text(module).c_str(), stderr);
  stage_clock clock;
  program made = bind(module, special);
  const double bind_us = clock.lap();
  check(made);
  const double check_us = clock.lap();
  simplify(made);
  const double simplify_us = clock.lap();
  if (is_dumped("program")) std::fputs(to_text(made).c_str(), stderr);
  if (is_dumped("checks")) std::fputs(checks_text(made).c_str(), stderr);
  if (is_dumped("program") || is_dumped("checks")) {
    std::fprintf(stderr, "kernel '%s': bind %.0f us, check %.0f us, simplify %.0f us\n", module.name, bind_us, check_us,
                 simplify_us);
  }
  return made;
}

}  // namespace tilewright::compiler
