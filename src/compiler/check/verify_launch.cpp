// SPDX-License-Identifier: Apache-2.0
// The launch rung of the bounds ladder: evaluates a program's checks for the arguments of one launch.
#include <algorithm>
#include <optional>

#include "compiler/type_text.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

class evaluator {
 public:
  evaluator(const program& source, const std::vector<argument>& arguments, const std::vector<index_t>& grid)
      : source_(source), arguments_(arguments), grid_(grid) {}

  // Nothing when the arithmetic leaves 64 bits.
  std::optional<index_t> value_of(const launch_expression& expression) const {
    index_t stack[greatest_depth];
    int depth = 0;
    for (const launch_expression::term& term : expression.terms) {
      const bool is_leaf = term.what <= launch_expression::kind::scalar;
      require_internal(depth < greatest_depth && (is_leaf || depth >= 2), "a launch expression is malformed");
      if (is_leaf) {
        stack[depth++] = leaf(term);
        continue;
      }
      --depth;
      if (!combine(term.what, stack[depth - 1], stack[depth])) return {};
    }
    require_internal(depth == 1, "a launch expression is malformed");
    return stack[0];
  }

 private:
  static constexpr int greatest_depth = 64;

  index_t leaf(const launch_expression::term& term) const {
    using kind = launch_expression::kind;
    const auto a = static_cast<std::size_t>(term.a), b = static_cast<std::size_t>(term.b);
    switch (term.what) {
      case kind::extent:
        return arguments_[a].extents[b];
      case kind::grid:
        return a < grid_.size() ? grid_[a] : 1;
      case kind::scalar:
        return scalar(arguments_[a].scalar, source_.parameters[a].element);
      default:
        return term.a;
    }
  }

  static index_t scalar(std::uint64_t bits, dtype element) {
    const int unused = 64 - info(element).bits;
    const std::uint64_t shifted = bits << unused;
    return is_signed(element) ? static_cast<index_t>(shifted) >> unused : static_cast<index_t>(shifted >> unused);
  }

  static bool combine(launch_expression::kind what, index_t& a, index_t b) {
    using kind = launch_expression::kind;
    switch (what) {
      case kind::add:
        return !__builtin_add_overflow(a, b, &a);
      case kind::subtract:
        return !__builtin_sub_overflow(a, b, &a);
      case kind::multiply:
        return !__builtin_mul_overflow(a, b, &a);
      case kind::minimum:
        a = std::min(a, b);
        return true;
      case kind::maximum:
        a = std::max(a, b);
        return true;
      case kind::floor_div:
      case kind::ceil_div: {
        if (b == 0 || (a == INT64_MIN && b == -1)) return false;
        const bool is_ragged = a % b != 0, is_negative = (a < 0) != (b < 0);
        a /= b;
        if (is_ragged && is_negative && what == kind::floor_div) --a;
        if (is_ragged && !is_negative && what == kind::ceil_div) ++a;
        return true;
      }
      default:
        return false;
    }
  }

  const program& source_;
  const std::vector<argument>& arguments_;
  const std::vector<index_t>& grid_;
};

bool is_reached(const launch_check& rule, const evaluator& values) {
  return std::all_of(rule.guards.begin(), rule.guards.end(), [&](const launch_expression& guard) {
    const auto value = values.value_of(guard);
    return !value || *value >= 0;
  });
}

bool is_number(const launch_expression& expression) {
  return expression.terms.size() == 1 && expression.terms.front().what == launch_expression::kind::number;
}

// "Out [64, 80], In [64, 32], Scalar"
std::string arguments_text(const program& source, const std::vector<argument>& arguments) {
  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const parameter_kind kind = source.parameters[i].kind;
    if (i > 0) text += ", ";
    text += parameter_kind_name(kind);
    if (kind != parameter_kind::scalar) text += " " + extents_text(arguments[i].rank, arguments[i].extents);
  }
  return text;
}

}  // namespace

void verify_launch(const program& source, const std::vector<argument>& arguments, const std::vector<index_t>& grid) {
  if (std::any_of(grid.begin(), grid.end(), [](index_t count) { return count == 0; })) return;  // no block runs
  const evaluator values(source, arguments, grid);
  for (const launch_check& rule : source.checks) {
    if (!is_reached(rule, values)) continue;
    const auto lesser = values.value_of(rule.lesser), greater = values.value_of(rule.greater);
    if (lesser && greater && *lesser <= *greater) continue;
    const std::string with = ", with " + arguments_text(source, arguments);
    const bool has_values = lesser && greater;
    const bool is_least = is_number(rule.lesser);  // then it is the greater side that was asked about
    throw usage_error({.what = "broken for these arguments: " + rule.rule,
                       .where = describe_location(*source.module, rule.location),
                       .expected = !has_values ? "arithmetic within 64 bits"
                                   : is_least  ? "at least " + std::to_string(*lesser)
                                               : "at most " + std::to_string(*greater),
                       .got = (has_values ? std::to_string(is_least ? *greater : *lesser) : "an overflow") + with,
                       .fix = "give arguments whose extents fit together"});
  }
}

}  // namespace tilewright::compiler
