// SPDX-License-Identifier: Apache-2.0
// What must run, in a container: from where it was put in to where the container drops it, and nobody looked between.
#include "rules.hpp"

using namespace clang;

namespace twcheck {

namespace {

constexpr step all_elements{step::contents, nullptr, 0};

bool puts_in(const CXXMethodDecl& method) {
  return is_std(&method, {"emplace", "emplace_back", "emplace_front", "insert", "insert_or_assign", "push", "push_back",
                          "push_front", "try_emplace"});
}

bool drops_all(const CXXMethodDecl& method) { return is_std(&method, {"clear", "reset"}); }

}  // namespace

void rules::put_in(state& at, const place& container, SourceLocation where) {
  const auto before = at.entry(container.with(all_elements));
  if (before && (before->bits & is_unknown) == 0) at.set(container.with(all_elements), {is_live, where});
}

// They may be run from now on.
void rules::look_inside(state& at, const place& container) {
  if (at.entry(container.with(all_elements))) at.set(container.with(all_elements), {});
}

void rules::drop_contents(state& at, const place& container, QualType type, SourceLocation where) {
  const auto known = at.entry(container.with(all_elements));
  if (!known) return;
  if ((known->bits & is_live) != 0 && (known->bits & is_unknown) == 0 && writes_about(at, container)) {
    out_.never_run(where, container.name(), known->bits == is_live, types_.advice_of_elements(type), known->where);
  }
  at.set(container.with(all_elements), {is_gone, {}});
}

// Gives what is known of the contents afterwards.
std::optional<status> rules::container_call(state& at, const place& container, QualType type,
                                            const CXXMethodDecl& method, SourceLocation where) {
  if (drops_all(method)) {
    drop_contents(at, container, type, where);
    for (const loan& each : at.loans) {
      const bool is_ended = !each.is_view && each.lender != container && each.lender.is_inside(container);
      if (is_ended && writes_about(at, container)) {
        out_.lent(where, each.lender.name(), misuse_of_lent::destroyed, each.holder.name(), each.where);
      }
    }
  } else if (puts_in(method)) {
    put_in(at, container, where);
  } else if (!is_std(&method, {"reserve"})) {
    look_inside(at, container);
  }
  return at.entry(container.with(all_elements));
}

}  // namespace twcheck
