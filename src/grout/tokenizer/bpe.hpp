// SPDX-License-Identifier: Apache-2.0
// The merge step of byte-pair encoding, over symbol ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace grout {

inline constexpr std::int32_t no_token = -1;  // a byte that the vocabulary lacks; it never merges

// The merges of a vocabulary, in order: number 0 goes first.
class MergeTable {
 public:
  struct Merge {
    std::int32_t left, right, result;
  };

  explicit MergeTable(std::size_t expected_count);

  // Gives the merge the next rank; false if the pair is there already. At most `expected_count` may be added.
  bool add(Merge merge);
  // The rank of a pair, or -1.
  std::int32_t find(std::int32_t left, std::int32_t right) const;
  const Merge& operator[](std::int32_t rank) const { return merges_[static_cast<std::size_t>(rank)]; }

 private:
  std::size_t slot_of(std::int32_t left, std::int32_t right) const;

  std::vector<Merge> merges_;
  std::vector<std::int32_t> slots_;  // open addressing: a rank, or -1; a power of two, at most half full
};

// Merges a list of symbols until no merge applies: always the lowest rank first, the leftmost among equal ranks.
// A linked list and a heap, so O(n log n). Keeps its buffers from one call to the next.
class Merger {
 public:
  explicit Merger(const MergeTable& table) : table_(&table) {}

  // Appends what `symbols` become to `out`, without the symbols that are no_token.
  void merge(std::span<const std::int32_t> symbols, std::vector<std::int32_t>& out);

 private:
  struct Node {
    std::int32_t symbol;
    std::int32_t previous, next;  // places, -1 at the ends
  };

  bool find_candidate(std::int32_t place, std::uint64_t& candidate) const;
  void push(std::int32_t place);
  void apply(std::uint64_t candidate);

  const MergeTable* table_;
  std::vector<Node> nodes_;
  // A heap of rank << 32 | place. An entry is out of date once the symbols at its place are no longer that merge's.
  std::vector<std::uint64_t> candidates_;
};

}  // namespace grout
