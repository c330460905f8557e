// SPDX-License-Identifier: Apache-2.0
// What `tilewright fuzz` generates: sound programs of the whole table of ops, the same with every compiler.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/fuzz/comparison.hpp"
#include "support/fuzz/program_types.hpp"
#include "support/fuzz/value_facts.hpp"
#include "tilewright/ast/products.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using compiler::block;
using compiler::instruction;
using compiler::program;

constexpr std::uint32_t many = 600;

TEST(RandomProgram, IsSoundAndHasOneRightResult) {
  for (std::uint32_t seed = 0; seed < many; ++seed) {
    for (const extents kind : {extents::any, extents::powers_of_two}) {
      const program source = random_program(seed, kind);
      ASSERT_EQ(first_type_fault(source), "") << "seed " << seed << "\n" << to_text(source);
      ASSERT_TRUE(comparison_of(source).has_value()) << "seed " << seed << "\n" << to_text(source);
    }
  }
}

TEST(RandomProgram, HoldsEveryOpThatAProgramMayHold) {
  for (const extents kind : {extents::any, extents::powers_of_two}) {
    std::vector<std::uint64_t> all(ast::op_count, 0);
    for (std::uint32_t seed = 0; seed < many; ++seed) {
      const auto counts = op_counts(random_program(seed, kind));
      for (std::size_t i = 0; i < all.size(); ++i) all[i] += counts[i];
    }
    for (int i = 0; i < ast::op_count; ++i) {
      const op which = static_cast<op>(i);
      const bool is_generated = all[static_cast<std::size_t>(i)] > 0;
      EXPECT_EQ(is_generated, why_never_generated(which) == nullptr) << ast::info(which).name;
    }
  }
}

// By g++ and by clang the same. Whoever changes the generator writes the new number.
TEST(RandomProgram, IsTheSameWithEveryCompiler) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    for (const extents kind : {extents::any, extents::powers_of_two}) {
      for (const char letter : to_text(random_case(seed, kind))) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
      }
    }
  }
  EXPECT_EQ(hash, 10322684956185574426U);
}

using met_elements = std::set<std::pair<op, dtype>>;

// The element that an op is given or, of what has no operand, gives.
void note_elements(const program& source, const block& code, met_elements& met) {
  for (const instruction& next : code.body) {
    for (const block& inner : next.blocks) note_elements(source, inner, met);
    const bool reads = ast::info(next.op).category == ast::op_category::memory && !next.results.empty();
    const auto& noted = reads || next.operands.empty() ? next.results : next.operands;
    const std::size_t count =
        next.op == op::select || next.op == op::print ? noted.size() : std::min<std::size_t>(noted.size(), 1);
    for (std::size_t n = next.op == op::select ? 1 : 0; n < count; ++n) {
      met.insert({next.op, source.values[static_cast<std::size_t>(noted[n])].element});
    }
  }
}

bool is_sensible(op which, dtype element) {
  if (why_never_generated(which) != nullptr || !takes(which, element)) return false;
  if (which == op::mma) return ast::is_factor(element);
  if (which == op::mma_scaled) return ast::is_scaled_factor(element);
  if (which == op::combine || which == op::combine_at) return can_combine(combiner::max, element);
  // A scalar has one element more than its tensor might: index.
  const bool is_of_tensors = element != dtype::index && !is_half_byte(element);
  return is_of_tensors ||
         (ast::info(which).category != ast::op_category::memory && which != op::scalar && which != op::table);
}

TEST(RandomProgram, TriesOpsOnEveryElementThatTheyTake) {
  met_elements wanted, met;
  for (int i = 0; i < ast::op_count * tile_dtype_count; ++i) {
    const op which = static_cast<op>(i / tile_dtype_count);
    const auto element = static_cast<dtype>(i % tile_dtype_count);
    if (is_sensible(which, element)) wanted.insert({which, element});
  }
  for (std::uint32_t seed = 0; seed < 40 * many; ++seed) {
    if (seed % many == 0 && std::includes(met.begin(), met.end(), wanted.begin(), wanted.end())) break;
    const program source = random_program(seed);
    note_elements(source, source.entry, met);
  }
  for (const auto& [which, element] : wanted) {
    EXPECT_TRUE(met.contains({which, element})) << ast::info(which).name << " of " << info(element).name;
  }
}

// Of 10 000 programs about 15 in 100 are; of a few hundred up to 18.
TEST(RandomProgram, IsRarelyRefused) {
  constexpr std::uint32_t programs = 400;
  std::map<std::string, int> refused;
  for (std::uint32_t seed = 0; seed < programs; ++seed) {
    const outcome found = compare(random_case(seed), run_on_host(compiler::target::interp));
    EXPECT_FALSE(is_failure(found.what)) << "seed " << seed << ": " << found.reason;
    if (found.what == outcome::kind::refused) ++refused[found.reason];
  }
  int all = 0;
  std::string reasons;
  for (const auto& [reason, count] : refused) {
    all += count;
    reasons += std::to_string(count) + " " + reason + "\n";
  }
  EXPECT_LE(all, static_cast<int>(programs / 5)) << reasons;
}

}  // namespace
}  // namespace tilewright::test
