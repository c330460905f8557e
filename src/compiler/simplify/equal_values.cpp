// SPDX-License-Identifier: Apache-2.0
#include "compiler/simplify/equal_values.hpp"

namespace tilewright::compiler {
namespace {

std::size_t bucket_of(const instruction& source, std::size_t buckets) {
  std::uint64_t hash = static_cast<std::uint64_t>(source.op);
  const auto mix = [&](std::int64_t part) { hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15U; };
  for (const value_id operand : source.operands) mix(operand);
  for (const std::int64_t attribute : source.attributes) mix(attribute);
  return (hash >> 40) % buckets;
}

}  // namespace

bool equal_values::matches(const entry& known, const instruction& source, std::int64_t state) const {
  return known.op == source.op && known.state == state && known.operands == source.operands &&
         known.attributes == source.attributes &&
         values_[static_cast<std::size_t>(known.result)] == values_[static_cast<std::size_t>(source.results[0])];
}

value_id equal_values::find_or_add(const instruction& source, std::int64_t state) {
  const std::size_t bucket = bucket_of(source, heads_.size());
  for (std::int32_t at = heads_[bucket]; at >= 0; at = entries_[static_cast<std::size_t>(at)].next) {
    const entry& known = entries_[static_cast<std::size_t>(at)];
    if (matches(known, source, state)) return known.result;
  }
  entries_.push_back({source.op, source.operands, source.attributes, state, source.results[0], bucket, heads_[bucket]});
  heads_[bucket] = static_cast<std::int32_t>(entries_.size()) - 1;
  return source.results[0];
}

void equal_values::close_scope(std::size_t opened) {
  while (entries_.size() > opened) {
    heads_[entries_.back().bucket] = entries_.back().next;
    entries_.pop_back();
  }
}

}  // namespace tilewright::compiler
