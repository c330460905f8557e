// SPDX-License-Identifier: Apache-2.0
// A merged symbol stays at its left place; the right place leaves the list and becomes no_token.
#include "grout/tokenizer/bpe.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace grout {
namespace {

std::size_t index(std::int32_t place) { return static_cast<std::size_t>(place); }

}  // namespace

MergeTable::MergeTable(std::size_t expected_count) : slots_(std::bit_ceil(2 * expected_count + 2), -1) {
  merges_.reserve(expected_count);
}

std::size_t MergeTable::slot_of(std::int32_t left, std::int32_t right) const {
  const auto pair =
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
  const std::uint64_t mixed = (pair ^ pair >> 29) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  std::size_t slot = mixed >> 32 & (slots_.size() - 1);
  while (slots_[slot] >= 0) {
    const Merge& merge = (*this)[slots_[slot]];
    if (merge.left == left && merge.right == right) break;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

bool MergeTable::add(Merge merge) {
  const std::size_t slot = slot_of(merge.left, merge.right);
  if (slots_[slot] >= 0) return false;
  slots_[slot] = static_cast<std::int32_t>(merges_.size());
  merges_.push_back(merge);
  return true;
}

std::int32_t MergeTable::find(std::int32_t left, std::int32_t right) const { return slots_[slot_of(left, right)]; }

bool Merger::find_candidate(std::int32_t place, std::uint64_t& candidate) const {
  const Node& left = nodes_[index(place)];
  if (left.next < 0) return false;
  const std::int32_t rank = table_->find(left.symbol, nodes_[index(left.next)].symbol);
  candidate = static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint32_t>(place);
  return rank >= 0;
}

void Merger::push(std::int32_t place) {
  std::uint64_t candidate = 0;
  if (place < 0 || !find_candidate(place, candidate)) return;
  candidates_.push_back(candidate);
  std::push_heap(candidates_.begin(), candidates_.end(), std::greater<>());
}

void Merger::apply(std::uint64_t candidate) {
  const auto& merge = (*table_)[static_cast<std::int32_t>(candidate >> 32)];
  const auto place = static_cast<std::int32_t>(candidate & 0xffffffff);
  Node& left = nodes_[index(place)];
  if (left.symbol != merge.left || left.next < 0) return;
  Node& right = nodes_[index(left.next)];
  if (right.symbol != merge.right) return;
  left.symbol = merge.result;
  left.next = right.next;
  right.symbol = no_token;
  if (left.next >= 0) nodes_[index(left.next)].previous = place;
  push(left.previous);
  push(place);
}

void Merger::merge(std::span<const std::int32_t> symbols, std::vector<std::int32_t>& out) {
  const auto count = static_cast<std::int32_t>(symbols.size());
  nodes_.resize(symbols.size());
  for (std::int32_t place = 0; place < count; ++place) {
    nodes_[index(place)] = {symbols[index(place)], place - 1, place + 1 < count ? place + 1 : -1};
  }
  for (std::int32_t place = 0; place < count; ++place) {
    std::uint64_t candidate = 0;
    if (find_candidate(place, candidate)) candidates_.push_back(candidate);
  }
  std::make_heap(candidates_.begin(), candidates_.end(), std::greater<>());
  while (!candidates_.empty()) {
    std::pop_heap(candidates_.begin(), candidates_.end(), std::greater<>());
    const std::uint64_t best = candidates_.back();
    candidates_.pop_back();
    apply(best);
  }
  for (const Node& node : nodes_) {
    if (node.symbol != no_token) out.push_back(node.symbol);
  }
}

}  // namespace grout
