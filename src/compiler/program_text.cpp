// SPDX-License-Identifier: Apache-2.0
// The printer of programs: one line per instruction, blocks indented.
#include <fmt/format.h>

#include <bit>

#include "compiler/combiners.hpp"
#include "compiler/location.hpp"
#include "compiler/loops.hpp"
#include "compiler/type_text.hpp"
#include "tilewright/compiler/bounds_report.hpp"

namespace tilewright::compiler {
namespace {

std::string joined(const std::vector<value_id>& values) { return fmt::format("%{}", fmt::join(values, ", %")); }

std::string constant_text(std::int64_t word, dtype element) {
  if (!is_floating(element)) {
    return element == dtype::u64 ? fmt::format("{}", static_cast<std::uint64_t>(word)) : fmt::format("{}", word);
  }
  return fmt::format("{}", std::bit_cast<double>(word));
}

std::string facts_text(const tensor_facts& facts, int rank) {
  std::string text = fmt::format("align {}", facts.alignment_bytes);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(rank); ++axis) {
    text += axis == 0 ? " axes [" : ", ";
    text += facts.unit_stride[axis] ? "unit" : fmt::format("/{}", facts.stride_divisor[axis]);
    if (facts.in_sixteens[axis] && !facts.divides[axis]) text += " in 16s";
    if (facts.divides[axis]) text += " divides";
    if (facts.single_tile[axis]) text += " single";
  }
  if (rank > 0) text += "]";
  return text + (facts.fits_31_bits ? " 31-bit" : "");
}

const char* operation_text(launch_expression::kind operation) {
  using kind = launch_expression::kind;
  switch (operation) {
    case kind::add:
      return "+";
    case kind::subtract:
      return "-";
    case kind::multiply:
      return "*";
    case kind::minimum:
      return "min";
    case kind::maximum:
      return "max";
    case kind::floor_div:
      return "floor_div";
    case kind::ceil_div:
      return "ceil_div";
    default:
      return "";
  }
}

std::string leaf_text(const launch_expression::term& term) {
  using kind = launch_expression::kind;
  switch (term.what) {
    case kind::number:
      return fmt::format("{}", term.a);
    case kind::extent:
      return fmt::format("extent({}, {})", term.a, term.b);
    case kind::grid:
      return fmt::format("grid({})", term.a);
    case kind::scalar:
      return fmt::format("scalar({})", term.a);
    default:
      return {};
  }
}

// Postfix to infix, fully in parentheses.
std::string to_text(const launch_expression& expression) {
  std::vector<std::string> stack;
  for (const launch_expression::term& term : expression.terms) {
    if (term.what <= launch_expression::kind::scalar || stack.size() < 2) {
      stack.push_back(leaf_text(term));
      continue;
    }
    const std::string right = std::move(stack.back());
    stack.pop_back();
    stack.back() = fmt::format("({} {} {})", stack.back(), operation_text(term.what), right);
  }
  return stack.empty() ? std::string() : stack.back();
}

class printer {
 public:
  explicit printer(const program& source) : source_(source) {}

  std::string run() {
    text_ = fmt::format("kernel '{}' grid rank {}\n", source_.module->name, source_.grid_rank);
    for (std::size_t p = 0; p < source_.parameters.size(); ++p) print_parameter(p, source_.parameters[p]);
    print(source_.entry, 1);
    return std::move(text_);
  }

 private:
  static std::string piece_text(const program_parameter& output) {
    std::string text = "[";
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(output.rank); ++axis) {
      text += (axis == 0 ? "" : ", ") + (output.has_whole(axis) ? "whole" : std::to_string(output.piece[axis]));
    }
    return text + "]";
  }

  void print_parameter(std::size_t position, const program_parameter& parameter) {
    const char* element = info(parameter.element).name;
    std::string form = element + (parameter.rank == 0 ? std::string() : piece_text(parameter));
    if (parameter.kind == parameter_kind::scalar) form = element;
    if (is_input(parameter.kind)) form = fmt::format("{} rank {}", element, parameter.rank);
    if (parameter.kind == parameter_kind::accum) form = fmt::format("{} {}", combiner_name(parameter.by), form);
    const bool has_facts = parameter.kind != parameter_kind::scalar;
    line(1, fmt::format("parameter {} {} {}{}{}", position, parameter_kind_name(parameter.kind), form,
                        has_facts ? " " : "", has_facts ? facts_text(parameter.facts, parameter.rank) : ""));
  }

  void print(const block& code, int depth) {
    for (const instruction& next : code.body) print(next, depth);
    if (!code.yields.empty()) line(depth, fmt::format("yield {}", joined(code.yields)));
  }

  void print(const instruction& next, int depth) {
    if (next.op == ast::op::for_begin) return print_loop(next, depth);
    if (next.op == ast::op::while_begin) return print_while(next, depth);
    if (next.op == ast::op::if_begin) return print_branch(next, depth);
    if (ast::has_combiner(next.op)) return print_combined(next, depth);
    std::string text = results_text(next) + ast::info(next.op).name;
    if (!next.operands.empty()) text += fmt::format(" {}", joined(next.operands));
    if (next.op == ast::op::constant || next.op == ast::op::table) {
      for (const std::int64_t word : next.attributes) text += " " + constant_text(word, type(next.results[0]).element);
    } else if (is_said(next)) {
      const std::string said = text_of(*source_.module, next.attributes[0]);
      if (!said.empty()) text += fmt::format(" \"{}\"", said);
    } else if (!next.attributes.empty()) {
      text += fmt::format(" {}", fmt::join(next.attributes, " "));
    }
    if (!next.residual_checks.empty()) text += fmt::format(" residual [{}]", fmt::join(next.residual_checks, ", "));
    line(depth, text);
  }

  // Has a text of the kernel's author; a hoisted check has none.
  static bool is_said(const instruction& next) {
    return next.op == ast::op::print || (next.op == ast::op::assertion && next.operands.size() == 1);
  }

  void print_loop(const instruction& loop, int depth) {
    const block& body = loop.blocks[0];
    std::string text = fmt::format("{}for %{} = %{} to %{} step %{}", results_text(loop), body.arguments[0],
                                   loop.operands[0], loop.operands[1], loop.operands[2]);
    line(depth, text + carried_text(loop) + (loop.attributes[0] != 0 ? " reduction" : ""));
    print(body, depth + 1);
  }

  void print_while(const instruction& loop, int depth) {
    line(depth, results_text(loop) + "while" + carried_text(loop));
    print(loop.blocks[0], depth + 1);
  }

  static std::string carried_text(const instruction& loop) {
    const block& body = loop.blocks[0];
    std::string text;
    for (std::size_t i = 0; i < loop.results.size(); ++i) {
      text += fmt::format("{}%{} = %{}", i == 0 ? " carrying " : ", ", body.arguments[first_carried(loop) + i],
                          loop.operands[first_initial(loop) + i]);
    }
    return text;
  }

  void print_combined(const instruction& next, int depth) {
    const bool scans = next.op == ast::op::scan_begin;
    std::string text = fmt::format("{}{} {} axis {}{} combining {} from", results_text(next), scans ? "scan" : "reduce",
                                   joined(next.operands), next.attributes[0], is_reverse_scan(next) ? " reverse" : "",
                                   joined(next.blocks[0].arguments));
    for (std::size_t n = 0; n < next.operands.size(); ++n) {
      text +=
          fmt::format("{} {}", n == 0 ? "" : ",", constant_text(identity_of(next, n), type(next.operands[n]).element));
    }
    line(depth, text);
    print(next.blocks[0], depth + 1);
  }

  void print_branch(const instruction& branch, int depth) {
    line(depth, fmt::format("{}if %{}", results_text(branch), branch.operands[0]));
    print(branch.blocks[0], depth + 1);
    line(depth, "else");
    print(branch.blocks[1], depth + 1);
  }

  std::string results_text(const instruction& next) const {
    std::string text;
    for (const value_id value : next.results) {
      const bool is_narrow = !source_.narrow.empty() && source_.narrow[static_cast<std::size_t>(value)];
      text += fmt::format("{}%{}: {}{}", text.empty() ? "" : ", ", value, type_text(type(value)),
                          is_narrow ? " narrow" : "");
    }
    return text.empty() ? text : text + " = ";
  }

  const value_type& type(value_id value) const { return source_.values[static_cast<std::size_t>(value)]; }
  void line(int depth, const std::string& content) {
    text_.append(static_cast<std::size_t>(depth) * 2, ' ').append(content).append("\n");
  }

  const program& source_;
  std::string text_;
};

}  // namespace

std::string to_text(const program& source) { return printer(source).run(); }

std::string comparison_text(const launch_expression& lesser, const launch_expression& greater) {
  return fmt::format("{} <= {}", to_text(lesser), to_text(greater));
}

const char* name_of(rung where) {
  switch (where) {
    case rung::proved:
      return "static";
    case rung::launch:
      return "launch";
    case rung::hoisted:
      return "hoisted";
    case rung::in_place:
      return "in place";
  }
  return "";
}

std::string checks_text(const program& source) {
  std::string text;
  for (const launch_check& rule : source.checks) {
    text += fmt::format("{}: {}", describe_location(*source.module, rule.location),
                        comparison_text(rule.lesser, rule.greater));
    for (const launch_expression& guard : rule.guards) text += fmt::format(" when 0 <= {}", to_text(guard));
    text += fmt::format("  ({})\n", rule.rule);
  }
  for (const residual_check& rule : source.residual_checks) {
    text += fmt::format("{}: {}  ({}: {})\n", describe_location(*source.module, rule.location),
                        rule.is_hoisted ? "hoisted" : "residual", rule.rule, rule.reason);
  }
  return text;
}

}  // namespace tilewright::compiler
