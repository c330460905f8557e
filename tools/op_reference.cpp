// SPDX-License-Identifier: Apache-2.0
// Prints docs/reference/ops.md from the op table. `./dev docs` stores it; a test compares the stored page.
#include <cstdio>
#include <string>

#include "tilewright/ast/op_table.hpp"
#include "tilewright/ast/products.hpp"
#include "tilewright/base/parameters.hpp"

namespace {

using namespace tilewright::ast;
using tilewright::dtype;
using tilewright::tile_dtype_count;

constexpr const char* category_names[] = {"Structure", "Position",   "Memory",         "Creation",   "Unary",
                                          "Binary",    "Comparison", "Three operands", "Conversion", "Reduction",
                                          "Scan",      "Matrix",     "Shape"};

std::string elements_text(unsigned mask) {
  if (mask == accepts::any) return "any of tensors";
  if (mask == accepts::any_tile) return "any";
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
  append(accepts::tf32, "tf32");
  append(accepts::scale, "f8e8m0");
  append(accepts::half_byte, "4 bits");
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

// ---- Which element an op takes
bool combines(op which) { return which == op::combine || which == op::combine_at; }

bool takes_element(op which, dtype element) {
  if (which == op::mma_scaled) return is_scaled_factor(element);
  if (which == op::mma) return is_factor(element);
  if (combines(which)) return tilewright::can_combine(tilewright::combiner::sum, element);
  return takes(which, element);
}

constexpr const char* reasons[] = {
    "a: fp8 and tf32 are stored, converted, moved and multiplied (`mma`) by the machine, `f8e8m0` is stored, converted "
    "and moved, no more; cast to `f32`",
    "b: `bool` is no number; cast to an integer, or use the bit operations, which are the logical ones of it",
    "c: of integers; cast first, or `bitcast` where the bits are meant",
    "d: of real numbers; cast to a float first",
    "e: `index` counts tiles and elements and is no data; cast to an integer first",
    ("f: 8 and 16 bits have no atomic operation, or (f16, bf16) one whose sums lose small parts; combine in a wider "
     "element"),
    "g: tensor cores multiply bytes and floats, no wider integers; cast first",
    ("h: elements of 4 bits are of tiles alone, and moved and converted there; load `u8` and `unpack`, `pack` and "
     "store, cast to compute"),
    "i: of factors: fp8 and `f4e2m1` (and scales: `f8e8m0`, `f8e4m3`); multiply others by their scales, then `mma`"};

// A letter of `reasons`.
char reason(op which, dtype element) {
  if (which == op::mma_scaled) return 'i';
  if (tilewright::is_half_byte(element)) return 'h';
  if (combines(which) && element != dtype::index && element != dtype::boolean) return 'f';
  if (tilewright::is_only_factor(element)) return 'a';
  if (element == dtype::boolean) return 'b';
  if (element == dtype::index) return 'e';
  if (which == op::mma) return 'g';
  return tilewright::is_floating(element) ? 'c' : 'd';
}

std::string element_cell(op which, dtype element) {
  if (!takes_element(which, element)) return std::string(1, reason(which, element));
  return tilewright::is_fp8(element) ? "9.0" : "all";
}

void print_elements() {
  std::puts(
      "\n## Which element on which back end\n\n`all`: on the interpreter, the cpu back end and, as Tile IR, every GPU. "
      "`9.0`: the same, on GPUs from compute capability\n9.0 on. A letter: on none of them, for this reason:\n");
  for (const char* each : reasons) std::printf("- %s\n", each);
  std::string head = "\n| op |", rule = "|---|";
  for (int e = 0; e < tile_dtype_count; ++e) {
    head += std::string(" ") + tilewright::info(static_cast<dtype>(e)).name + " |";
    rule += "---|";
  }
  std::printf("%s\n%s\n", head.c_str(), rule.c_str());
  for (int i = 0; i < op_count; ++i) {
    const op which = static_cast<op>(i);
    if (info(which).category == op_category::structure || info(which).category == op_category::position) continue;
    std::string row = std::string("| `") + info(which).name + "` |";
    for (int e = 0; e < tile_dtype_count; ++e) row += " " + element_cell(which, static_cast<dtype>(e)) + " |";
    std::puts(row.c_str());
  }
  std::puts(
      "\nOperations of structure take every element, those of position give an `index`. "
      "`test/numeric/every_op_test.cpp` "
      "runs\neach cell but the letters on the interpreter, the cpu back end and a GPU, and "
      "`test/tileir/every_op_test.cpp` "
      "gives it to\nthe assembler.");
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
  print_elements();
}
