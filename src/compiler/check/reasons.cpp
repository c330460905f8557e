// SPDX-License-Identifier: Apache-2.0
#include "compiler/check/reasons.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

class cause_finder {
 public:
  cause_finder(const program& source, index_forms& forms) : source_(source), forms_(forms) {}

  // Empty where a launch bounds the value from both sides.
  std::string find(value_id value) {
    if (!is_unbounded(value)) return {};
    const instruction* made = forms_.maker(value);
    return made != nullptr ? find_in(*made, value) : find_in_loop(value);
  }

 private:
  bool is_unbounded(value_id value) {
    if (is_floating(source_.values[static_cast<std::size_t>(value)].element)) return true;
    const linear form = forms_.exact_form_of(value);
    return forms_.atoms().lowest(form).is_weak || forms_.atoms().highest(form).is_weak;
  }

  std::string find_in(const instruction& made, value_id value) {
    switch (made.op) {
      case op::load:
      case op::load_window:
      case op::load_piece:
      case op::gather_rows:
      case op::gather:
        return "it depends on data loaded from parameter " + std::to_string(made.attributes[0]);
      case op::for_begin:
      case op::while_begin:
        return carried;
      case op::if_begin:
        return first_of({made.blocks[0].yields, made.blocks[1].yields}, made, value);
      default:
        return first_of({made.operands}, made, value);
    }
  }

  // Of the values that `made` takes; where a launch bounds them all, the operation itself loses the bound.
  std::string first_of(const std::vector<std::vector<value_id>>& values, const instruction& made, value_id value) {
    for (const std::vector<value_id>& list : values) {
      for (const value_id each : list) {
        if (std::string found = find(each); !found.empty()) return found;
      }
    }
    const dtype element = source_.values[static_cast<std::size_t>(value)].element;
    return std::string("nothing bounds the result of ") + ast::info(made.op).name + ", a value of type " +
           info(element).name;
  }

  std::string find_in_loop(value_id value) {
    const instruction* loop = forms_.counted_by(value);
    if (loop == nullptr) return carried;
    return first_of({{loop->operands[0], loop->operands[1]}}, *loop, value);
  }

  static constexpr const char* carried = "it depends on a value that a loop carries";

  const program& source_;
  index_forms& forms_;
};

}  // namespace

std::string reason_of(const program& source, index_forms& forms, value_id value) {
  std::string found = cause_finder(source, forms).find(value);
  return found.empty() ? "the bounds that a launch can tell would refuse every launch" : found;
}

std::string reason_of_condition(const program& source, index_forms& forms, value_id condition) {
  const instruction* made = forms.maker(condition);
  if (made == nullptr) return reason_of(source, forms, condition);
  for (const value_id operand : made->operands) {
    if (std::string found = cause_finder(source, forms).find(operand); !found.empty()) return found;
  }
  return std::string("no launch judges the result of ") + ast::info(made->op).name;
}

}  // namespace tilewright::compiler
