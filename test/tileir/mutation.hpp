// SPDX-License-Identifier: Apache-2.0
// Modules with one thing changed, and whether our verifier and the vendor's think the same of them.
#pragma once

#include <random>
#include <string>
#include <string_view>

#include "compiler/tileir/text.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "tileir/tools.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {

class tileir_mutation {
 public:
  tileir_mutation(const compiler::tileir::bytecode& source, std::uint32_t seed) : made_(source), random_(seed) {
    collect(made_.kernels[0].body);
    for (int tries = 0; tries < 20 && !change(*all_[below(all_.size())]); ++tries) continue;
  }

  const compiler::tileir::bytecode& made() const { return made_; }
  const std::string& text() const { return text_; }  // "addf: operand 3 -> 5"
  compiler::tileir::opcode changed() const { return changed_; }

 private:
  void collect(std::vector<compiler::tileir::operation>& body) {
    for (auto& op : body) {
      all_.push_back(&op);
      for (auto& inner : op.regions) collect(inner.body);
    }
  }

  bool change(compiler::tileir::operation& op) {
    changed_ = op.code;
    text_ = std::string(row_of(op.code).mnemonic) + ": ";
    switch (below(4)) {
      case 0:
        return !op.operands.empty() &&
               replace("operand", op.operands, below(op.operands.size()), below(made_.types.size() * 4));
      case 1:
        return !op.results.empty() &&
               replace("result", op.results, below(op.results.size()), below(made_.types.size()));
      case 2:
        return change_field(op);
      default:
        return !op.list.empty() && replace("list item", op.list, below(op.list.size()), below(2));
    }
  }

  bool change_field(compiler::tileir::operation& op) {
    std::string kinds;
    for (compiler::tileir::item_cursor items(row_of(op.code).attributes); items.next();) {
      if (std::string_view("TphBL").find(items.item().kind) == std::string_view::npos) kinds += items.item().kind;
    }
    if (kinds.empty()) return false;
    const std::size_t n = below(kinds.size());
    const int values = compiler::tileir::names_of(kinds[n]).count;
    return values > 0 && replace("attribute", op.fields, n, below(static_cast<std::size_t>(values)));
  }

  template <class Number>
  bool replace(const char* what, std::vector<Number>& numbers, std::size_t n, std::size_t by) {
    text_ += std::string(what) + " " + std::to_string(numbers[n]) + " -> " + std::to_string(by);
    numbers[n] = static_cast<Number>(by);
    return true;
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

  compiler::tileir::bytecode made_;
  std::mt19937 random_;
  std::vector<compiler::tileir::operation*> all_;
  std::string text_;
  compiler::tileir::opcode changed_ = compiler::tileir::opcode::return_;
};

// How often the vendor's verifier refused one of `count` mutations, after as many comparisons. What a reduction yields
// is checked by us alone.
inline int compare_verifiers(const compiler::tileir::assembler_tools& tools, const compiler::tileir::bytecode& source,
                             int count, std::uint32_t seed) {
  int refusals = 0;
  for (int n = 0; n < count; ++n) {
    const tileir_mutation mutation(source, seed + static_cast<std::uint32_t>(n));
    const auto fault = find_fault(mutation.made());
    std::string theirs;
    try {
      disassemble(tools, write(mutation.made()));
    } catch (const runtime_error& refused) {
      theirs = refused.parts().got;
      ++refusals;
    }
    if (mutation.changed() == compiler::tileir::opcode::yield && theirs.empty()) continue;
    EXPECT_EQ(fault.has_value(), !theirs.empty())
        << mutation.text() << "\nours: " << (fault ? to_text(*fault) : "accepted") << "\ntheirs: " << theirs << "\n"
        << to_text(source);
  }
  return refusals;
}

}  // namespace tilewright::test
