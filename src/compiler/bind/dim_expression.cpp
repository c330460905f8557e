// SPDX-License-Identifier: Apache-2.0
#include "compiler/bind/dim_expression.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

// The Dims of an expression, each once, in its order.
std::vector<std::string> dims_of(const char* text) {
  std::vector<std::string> found;
  for (text = dim_expressions::next_dim(text); *text != 0; text = dim_expressions::next_dim(text)) {
    std::string name(text, static_cast<std::size_t>(dim_expressions::name_length(text)));
    text += name.size();
    if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(std::move(name));
  }
  return found;
}

index_t value_of(const ast::module_view& module, std::string_view dim, const std::vector<index_t>& values) {
  std::size_t symbol = 0;
  while (symbol < values.size() && dim != module.symbols[symbol].name) ++symbol;
  require_internal(symbol < values.size(), "an expression names no Dim of its module");
  return values[symbol];
}

// What went wrong first, in words.
struct expression_fault {
  std::string what, expected, got, fix;
};

// The algebra of numbers: dim_reader computes with it.
class numbers {
 public:
  using value = index_t;

  numbers(const ast::module_view& module, const std::vector<index_t>& values) : module_(module), values_(values) {}

  static index_t number(index_t number) { return number; }
  index_t name(const char* text, int length) const {
    return value_of(module_, {text, static_cast<std::size_t>(length)}, values_);
  }
  index_t add(index_t a, index_t b) { return __builtin_add_overflow(a, b, &a) ? overflow() : a; }
  index_t subtract(index_t a, index_t b) { return __builtin_sub_overflow(a, b, &a) ? overflow() : a; }
  index_t multiply(index_t a, index_t b) { return __builtin_mul_overflow(a, b, &a) ? overflow() : a; }
  index_t divide(index_t a, index_t b) {
    if (!require_divisor(b)) return 1;
    if (a % b != 0) {
      refuse_with({"does not divide", "a multiple of " + std::to_string(b), std::to_string(a),
                   "choose values that divide, or round up: ceil_div(a, b)"});
    }
    return a / b;
  }
  index_t ceil_div(index_t a, index_t b) {
    if (!require_divisor(b)) return 1;
    return a / b + (a > 0 && a % b != 0 ? 1 : 0);
  }
  static void refuse() { require_internal(false, "an expression over Dims cannot be read"); }

  const std::optional<expression_fault>& fault() const { return fault_; }
  void refuse_with(expression_fault fault) {
    if (!fault_) fault_ = std::move(fault);
  }

 private:
  bool require_divisor(index_t divisor) {
    if (divisor >= 1) return true;
    refuse_with({"divides by a number under 1", "a divisor from 1 on", std::to_string(divisor),
                 "choose values that make the divisor positive"});
    return false;
  }
  index_t overflow() {
    refuse_with({"is too large", "numbers of 64 bits on the way", "more", "choose smaller values"});
    return 1;
  }

  const ast::module_view& module_;
  const std::vector<index_t>& values_;
  std::optional<expression_fault> fault_;
};

}  // namespace

bool is_expression(const ast::symbol& symbol) { return !dim_expressions::is_name(symbol.name); }

bool names_dim(const ast::symbol& expression, const std::string& dim) {
  const std::vector<std::string> dims = dims_of(expression.name);
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

std::string dims_text(const ast::module_view& module, std::size_t expression, const std::vector<index_t>& values) {
  std::string text;
  for (const std::string& dim : dims_of(module.symbols[expression].name)) {
    text += (text.empty() ? "" : ", ") + dim + " = " + std::to_string(value_of(module, dim, values));
  }
  return text;
}

index_t value_of_expression(const ast::module_view& module, std::size_t expression,
                            const std::vector<index_t>& values) {
  const char* text = module.symbols[expression].name;
  numbers algebra(module, values);
  const index_t value = dim_expressions::dim_reader<numbers>(text, algebra).read();
  if (value < 1) {
    algebra.refuse_with({"is under 1", "a value from 1 on", std::to_string(value), "choose other values"});
  }
  if (!algebra.fault()) return value;
  const expression_fault& fault = *algebra.fault();
  throw usage_error({.what = std::string("dim expression '") + text + "' " + fault.what,
                     .where = std::string("kernel '") + module.name + "'",
                     .expected = fault.expected,
                     .got = fault.got + " with " + dims_text(module, expression, values),
                     .fix = fault.fix});
}

}  // namespace tilewright::compiler
