// SPDX-License-Identifier: Apache-2.0
// Prints docs/reference/ops.md from the op table. `./dev docs` stores it; a test compares the stored page.
#include <cstdio>
#include <string>

#include "tilewright/ast/op_table.hpp"

namespace {

using namespace tilewright::ast;

constexpr const char* category_names[] = {"Structure", "Position",   "Memory",         "Creation",   "Unary",
                                          "Binary",    "Comparison", "Three operands", "Conversion", "Reduction",
                                          "Scan",      "Matrix",     "Shape"};

std::string elements_text(unsigned mask) {
  if (mask == accepts::any) return "any";
  if (mask == accepts::none) return "-";
  std::string text;
  const auto append = [&](unsigned bit, const char* name) {
    if ((mask & bit) == 0) return;
    if (!text.empty()) text += ", ";
    text += name;
  };
  append(accepts::boolean, "bool");
  append(accepts::integer, "integers");
  append(accepts::floating, "floats");
  append(accepts::fp8, "fp8");
  append(accepts::index, "index");
  return text;
}

std::string bound_text(double ulp) {
  if (ulp == exact) return "exact";
  if (ulp == no_bound) return "[sum](../testing.md)";
  char text[32];
  std::snprintf(text, sizeof text, "%g ULP", ulp);
  return text;
}

// `|` would end a table cell.
std::string cell(const char* text) {
  std::string escaped;
  for (const char* c = text; *c != 0; ++c) {
    if (*c == '|') escaped += '\\';
    escaped += *c;
  }
  return escaped;
}

// What all ops of a category have in common, for those where a name does not say how it is written.
const char* introduction(op_category category) {
  if (category != op_category::scan) return "";
  return "`scan_max<1>(x)` starts at the first element of axis 1, `scan_max<1, scan_order::reverse>(x)` at the last. "
         "Each\nelement of the result includes the one at its place.\n\n";
}

void print_row(const op_info& row) {
  const std::string operands = row.operands == variadic ? "any" : std::to_string(row.operands);
  std::printf("| `%s` | %s | %s | %s | `%s` | %s |\n", row.name, operands.c_str(), elements_text(row.elements).c_str(),
              bound_text(row.ulp).c_str(), row.tileir, cell(row.meaning).c_str());
}

}  // namespace

int main() {
  std::puts(
      "# Operations\n\nGenerated from `include/tilewright/ast/op_table.hpp` by `./dev docs`; edit the table, not this "
      "page.\nFunctions made of these, such as sigmoid and erf: [functions](functions.md).");
  int category = -1;
  for (int i = 0; i < op_count; ++i) {
    const op_info& row = info(static_cast<op>(i));
    if (static_cast<int>(row.category) != category) {
      category = static_cast<int>(row.category);
      std::printf("\n## %s\n\n%s| op | operands | elements | error | Tile IR | meaning |\n|---|---|---|---|---|---|\n",
                  category_names[category], introduction(row.category));
    }
    print_row(row);
  }
}
