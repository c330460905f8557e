// SPDX-License-Identifier: Apache-2.0
// Finds an earlier instruction that computes the same value, in the blocks around the one at hand.
#pragma once

#include <array>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

class equal_values {
 public:
  explicit equal_values(const std::vector<value_type>& values) : values_(values) { heads_.fill(-1); }

  // The earlier value, or the instruction's own after remembering it. `state` tells apart loads of a tensor between
  // which it was stored to.
  value_id find_or_add(const instruction& source, std::int64_t state);

  std::size_t open_scope() const { return entries_.size(); }
  void close_scope(std::size_t opened);  // forgets what was added since

 private:
  struct entry {
    ast::op op;
    std::vector<value_id> operands;
    std::vector<std::int64_t> attributes;
    std::int64_t state;
    value_id result;
    std::size_t bucket;
    std::int32_t next;  // of the same bucket, older
  };

  bool matches(const entry& known, const instruction& source, std::int64_t state) const;

  const std::vector<value_type>& values_;
  std::vector<entry> entries_;
  std::array<std::int32_t, 256> heads_{};
};

}  // namespace tilewright::compiler
