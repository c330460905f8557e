// SPDX-License-Identifier: Apache-2.0
// The report of masks and the code of the cpu back end say the same: for every access of the corpus, and every axis,
// the code changes with the fact that a mask hangs on exactly where the report does.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "compiler/cpu/kernel_code.hpp"
#include "unit/kernels/corpus.hpp"

namespace tilewright::test {
namespace {

using compiler::mask_entry;

std::string code_of(const compiler::program& source) { return compiler::make_kernel_code(source, 32).code.text(); }

// What the report says of the host.
std::set<std::pair<int, int>> masks_on_host(const compiler::program& source) {
  std::set<std::pair<int, int>> found;
  for (const mask_entry& mask : compiler::masks_of(source).entries) {
    if (mask.on_host) found.insert({mask.site, mask.axis});
  }
  return found;
}

void for_each_access(compiler::block& code, const std::function<void(compiler::instruction&)>& visit) {
  for (compiler::instruction& next : code.body) {
    for (compiler::block& inner : next.blocks) for_each_access(inner, visit);
    if (ast::info(next.op).category == ast::op_category::memory) visit(next);
  }
}

// Each access has a parameter of its own, so that a fact is of it alone; what all tensors allow holds of all.
compiler::program told_apart(compiler::program source) {
  for_each_access(source.entry, [&](compiler::instruction& access) {
    source.parameters.push_back(source.parameters[static_cast<std::size_t>(access.attributes[0])]);
    access.attributes[0] = static_cast<std::int64_t>(source.parameters.size()) - 1;
  });
  for (compiler::program_parameter& parameter : source.parameters) parameter.facts.divides.fill(true);
  return source;
}

// Counts the axes whose fact places a mask.
int expect_masks_as_reported(compiler::program source) {
  const std::string whole = code_of(source);
  const std::set<std::pair<int, int>> known = masks_on_host(source);
  int placed = 0;
  for (std::size_t p = 0; p < source.parameters.size(); ++p) {
    for (int axis = 0; axis < source.parameters[p].rank; ++axis) {
      bool& divides = source.parameters[p].facts.divides[static_cast<std::size_t>(axis)];
      divides = false;
      const std::set<std::pair<int, int>> found = masks_on_host(source);
      const bool is_reported = found != known, is_made = code_of(source) != whole;
      EXPECT_EQ(is_reported, is_made) << "parameter " << p << ", axis " << axis << " of\n" << to_text(source);
      for (const std::pair<int, int>& mask : found) {
        const bool is_of_indices = source.parameters[p].kind == parameter_kind::unique;
        EXPECT_TRUE(known.contains(mask) || mask.second == axis || is_of_indices);
      }
      placed += is_reported ? 1 : 0;
      divides = true;
    }
  }
  return placed;
}

bool has_masked_vectors(const std::string& code) {
  return code.find("@llvm.masked.load") != std::string::npos || code.find("@llvm.masked.store") != std::string::npos;
}

TEST(MasksOnTheHost, AreThoseOfTheReport) {
  int placed = 0;
  for (const library_launch& launch : corpus_launches()) {
    SCOPED_TRACE(launch.module->name);
    const compiler::program source = told_apart(launch.program());
    placed += expect_masks_as_reported(source);
    EXPECT_TRUE(!masks_on_host(source).empty() || !has_masked_vectors(code_of(source)));
  }
  EXPECT_GT(placed, 300);
}

}  // namespace
}  // namespace tilewright::test
