// SPDX-License-Identifier: Apache-2.0
#include "compiler/simplify/known_values.hpp"

#include "compiler/check/index_forms.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

// Whether a comparison always holds (1), never does (0), or neither (nothing).
std::optional<std::int64_t> decide(const instruction& comparison, index_forms& forms) {
  const linear a = forms.exact_form_of(comparison.operands[0]), b = forms.exact_form_of(comparison.operands[1]);
  const auto difference = subtract(b, a);
  if (!difference) return {};
  const integer_range distance = forms.atoms().range(*difference);  // b - a
  const auto outcome = [](bool holds, bool fails) -> std::optional<std::int64_t> {
    if (holds) return 1;
    if (fails) return 0;
    return {};
  };
  switch (comparison.op) {
    case op::less:
      return outcome(distance.low > 0, distance.high <= 0);
    case op::less_equal:
      return outcome(distance.low >= 0, distance.high < 0);
    case op::greater:
      return outcome(distance.high < 0, distance.low >= 0);
    case op::greater_equal:
      return outcome(distance.high <= 0, distance.low > 0);
    case op::equal:
      return outcome(distance == integer_range{0, 0}, distance.low > 0 || distance.high < 0);
    case op::not_equal:
      return outcome(distance.low > 0 || distance.high < 0, distance == integer_range{0, 0});
    default:
      return {};
  }
}

class known_value_search {
 public:
  explicit known_value_search(const program& source)
      : source_(source), forms_(source, scalar_trust::any_value), known_(source.values.size()) {}

  std::vector<std::optional<std::int64_t>> run() {
    visit(source_.entry);
    return std::move(known_);
  }

 private:
  void visit(const block& code) {
    for (const instruction& next : code.body) {
      if (next.results.size() == 1) visit(next, next.results[0]);
      for (const block& inner : next.blocks) visit(inner);
    }
  }

  void visit(const instruction& next, value_id result) {
    if (element(result) == dtype::index) {
      const linear form = forms_.form_of(result);
      if (form.is_number()) known(result) = form.constant;
    } else if (ast::info(next.op).category == ast::op_category::comparison &&
               element(next.operands[0]) == dtype::index) {
      known(result) = decide(next, forms_);
    }
  }

  dtype element(value_id value) const { return source_.values[static_cast<std::size_t>(value)].element; }
  std::optional<std::int64_t>& known(value_id value) { return known_[static_cast<std::size_t>(value)]; }

  const program& source_;
  index_forms forms_;
  std::vector<std::optional<std::int64_t>> known_;
};

}  // namespace

std::vector<std::optional<std::int64_t>> find_known_values(const program& source) {
  return known_value_search(source).run();
}

void mark_narrow_values(program& source) {
  constexpr integer_range narrow_range{INT32_MIN, INT32_MAX};
  index_forms forms(source, scalar_trust::any_value);
  source.narrow.assign(source.values.size(), false);
  for (std::size_t i = 0; i < source.values.size(); ++i) {
    if (source.values[i].element != dtype::index) continue;
    const linear form = forms.form_of(static_cast<value_id>(i));
    source.narrow[i] = forms.atoms().range(form).is_inside(narrow_range);
  }
}

}  // namespace tilewright::compiler
