// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

namespace twcheck {

namespace {

bool is_found_by(const place& each, const clang::ValueDecl& variable) {
  return std::any_of(each.steps.begin(), each.steps.end(),
                     [&](const step& one) { return one.kind == step::element_at && one.declaration == &variable; });
}

// The elements of a container that may be the same as the one of `at`: those with another kind of index.
bool may_be_same_element(const place& each, const place& at) {
  if (each.variable != at.variable || each.temporary != at.temporary) return false;
  const std::size_t common = std::min(each.steps.size(), at.steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    const step &one = each.steps[i], &other = at.steps[i];
    if (one == other) continue;
    return one.kind == step::element_at ? other.kind != step::field
                                        : other.kind == step::element_at && one.kind != step::field;
  }
  return false;
}

}  // namespace

std::optional<status> state::entry(const place& asked) const {
  const auto found = entries_.find(asked);
  return found == entries_.end() ? std::nullopt : std::optional(found->second);
}

status state::of(const place& asked) const {
  if (!asked.steps.empty() && asked.steps.back().kind == step::contents) return entry(asked).value_or(status{});
  place around = asked;
  while (true) {
    if (const auto found = entry(around)) return *found;
    if (around.steps.empty()) return {};
    around.steps.pop_back();
  }
}

bool state::knows_within(const place& outer) const {
  const auto first = entries_.lower_bound(outer);
  return first != entries_.end() && first->first.is_inside(outer);
}

std::optional<place> state::gone_part(const place& whole) const {
  for (auto each = entries_.lower_bound(whole); each != entries_.end() && each->first.is_inside(whole); ++each) {
    if ((each->second.bits & is_gone) != 0 && each->first.is_part_of(whole)) return each->first;
  }
  return std::nullopt;
}

void state::erase_within(const place& outer) {
  auto each = entries_.lower_bound(outer);
  while (each != entries_.end() && each->first.is_inside(outer)) each = entries_.erase(each);
}

void state::set(const place& at, status value) {
  erase_within(at);
  if ((value.bits & is_gone) == 0) {
    std::erase_if(entries_, [&](const auto& each) { return may_be_same_element(each.first, at); });
  }
  entries_[at] = value;
}

void state::forget(const place& at) {
  separate(at);
  std::erase_if(loans, [&](const loan& each) { return each.lender.is_inside(at); });
  erase_within(at);
  if ((of(at).bits & is_unknown) == 0) entries_[at] = {};
}

void state::come_back(const state& before, const clang::FunctionDecl& from, bool knows_paths) {
  for (auto& [at, now] : entries_) {
    const bool is_one = (now.bits & (now.bits - 1)) == 0;
    if (!is_one && !knows_paths && now.bits != before.of(at).bits) now.bits = is_unknown;
  }
  std::erase_if(entries_,
                [&](const auto& each) { return each.first.temporary != nullptr && !before.entry(each.first); });
  for (const clang::ParmVarDecl* each : from.parameters()) {
    const place own{each, nullptr, {}};
    erase_within(own);
    end_loans_held_in(own);
  }
}

void state::forget_index(const clang::ValueDecl& variable) {
  std::erase_if(entries_, [&](const auto& each) { return is_found_by(each.first, variable); });
  std::erase_if(loans, [&](const loan& each) {
    return is_found_by(each.lender, variable) || is_found_by(each.holder, variable);
  });
}

void state::end_loans_held_in(const place& holder) {
  std::erase_if(loans, [&](const loan& each) { return each.holder.is_inside(holder); });
}

void state::separate(const place& renewed) {
  std::erase_if(owners_of_same,
                [&](const auto& each) { return each.first.is_inside(renewed) || each.second.is_inside(renewed); });
}

bool state::join(const state& other) {
  bool changed = false;
  const auto add = [&](const place& at, const status& here, const status& there) {
    status joined = here;
    joined.bits |= there.bits;
    if ((here.bits & is_gone) == 0 && (there.bits & is_gone) != 0) {
      joined.where = there.where;
      joined.is_view_of_the_gone = there.is_view_of_the_gone;
    }
    const auto known = entry(at);
    if (known && known->bits == joined.bits) return;
    changed = true;
    entries_[at] = joined;
  };
  // A temporary that one path does not make is nothing there.
  const auto on_path = [](const state& path, const place& at, const status& made) {
    return at.temporary != nullptr && !path.entry(at) ? made : path.of(at);
  };
  for (const auto& [at, there] : other.entries_) add(at, on_path(*this, at, there), there);
  const std::map<place, status> mine = entries_;
  for (const auto& [at, here] : mine) add(at, here, on_path(other, at, here));
  changed |= std::erase_if(owners_of_same, [&](const auto& each) { return !other.owners_of_same.contains(each); }) != 0;
  for (const clang::ValueDecl* each : other.escaped) changed |= escaped.insert(each).second;
  for (const loan& each : other.loans) changed |= loans.insert(each).second;
  return changed;
}

}  // namespace twcheck
