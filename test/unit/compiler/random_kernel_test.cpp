// SPDX-License-Identifier: Apache-2.0
// Random kernels: what the checks accept never leaves its tensors, and simplify changes no result.
#include "support/random_kernel.hpp"

#include <gtest/gtest.h>

#include "compiler/interp/interp.hpp"
#include "compiler/scalar_fold.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

// Follows the rank-0 index values of one block and looks at every tile index. Data is not followed: a scalar that
// depends on it does not occur in these kernels.
class index_walk {
 public:
  index_walk(const program& source, const std::vector<argument>& arguments, const std::vector<index_t>& grid,
             std::vector<index_t> block_ids)
      : source_(source),
        arguments_(arguments),
        grid_(grid),
        ids_(std::move(block_ids)),
        values_(source.values.size()) {}

  void run() { visit(source_.entry); }
  std::string fault;  // of the first bad access

 private:
  void visit(const block& code) {
    for (const instruction& next : code.body) visit(next);
  }

  void visit(const instruction& next) {
    switch (next.op) {
      case op::for_begin:
        return visit_loop(next);
      case op::if_begin:
        return visit_branch(next);
      case op::load:
        return visit_load(next);
      default:
        break;
    }
    if (next.results.empty() || type(next.results[0]).rank != 0) return;
    of(next.results[0]) = evaluate(next);
  }

  std::int64_t evaluate(const instruction& next) {
    const auto a = [&](std::size_t i) { return of(next.operands[i]); };
    const auto attribute = [&](std::size_t i) { return static_cast<std::size_t>(next.attributes[i]); };
    switch (next.op) {
      case op::constant:
        return next.attributes[0];
      case op::block_id:
        return ids_[attribute(0)];
      case op::block_count:
        return grid_[attribute(0)];
      case op::extent:
        return arguments_[attribute(0)].extents[attribute(1)];
      case op::tiles:
        return (arguments_[attribute(0)].extents[attribute(1)] + next.attributes[2] - 1) / next.attributes[2];
      case op::scalar: {
        const std::uint64_t bits = arguments_[attribute(0)].scalar;
        return type(next.results[0]).element == dtype::i32 ? static_cast<std::int32_t>(bits)
                                                           : static_cast<std::int64_t>(bits);
      }
      case op::cast:
        return fold_cast(type(next.results[0]).element, type(next.operands[0]).element, a(0));
      case op::select:
        return a(0) != 0 ? a(1) : a(2);
      default:
        break;
    }
    if (ast::info(next.op).category == ast::op_category::binary && a(1) == 0) {
      const bool divides =
          next.op == op::divide || next.op == op::floor_div || next.op == op::remainder || next.op == op::floor_mod;
      if (divides) complain("a division by zero", next);
    }
    const auto word = fold(next.op, type(next.operands[0]).element, a(0), next.operands.size() > 1 ? a(1) : 0);
    return word.value_or(0);
  }

  void visit_loop(const instruction& loop) {
    const block& body = loop.blocks[0];
    std::vector<std::int64_t> carried;
    for (std::size_t i = 3; i < loop.operands.size(); ++i) carried.push_back(of(loop.operands[i]));
    for (std::int64_t k = of(loop.operands[0]); k < of(loop.operands[1]);) {
      of(body.arguments[0]) = k;
      for (std::size_t i = 0; i < carried.size(); ++i) of(body.arguments[i + 1]) = carried[i];
      visit(body);
      for (std::size_t i = 0; i < carried.size(); ++i) carried[i] = of(body.yields[i]);
      if (__builtin_add_overflow(k, of(loop.operands[2]), &k) || !fault.empty()) break;
      if (++steps_ > 20000) break;  // from far below zero: what follows is no different
    }
    for (std::size_t i = 0; i < carried.size(); ++i) of(loop.results[i]) = carried[i];
  }

  void visit_branch(const instruction& branch) {
    const block& taken = branch.blocks[of(branch.operands[0]) != 0 ? 0 : 1];
    visit(taken);
    for (std::size_t i = 0; i < branch.results.size(); ++i) of(branch.results[i]) = of(taken.yields[i]);
  }

  void visit_load(const instruction& load) {
    const value_type& tile = type(load.results[0]);
    const argument& tensor = arguments_[static_cast<std::size_t>(load.attributes[0])];
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(tile.rank); ++axis) {
      const std::int64_t tiles = (tensor.extents[axis] + tile.extents[axis] - 1) / tile.extents[axis];
      const std::int64_t index = of(load.operands[axis]);
      if (index < 0 || index >= tiles) {
        complain("tile " + std::to_string(index) + " of " + std::to_string(tiles) + " on axis " + std::to_string(axis),
                 load);
      }
    }
  }

  void complain(const std::string& what, const instruction& at) {
    if (fault.empty()) fault = what + " at " + describe_location(*source_.module, at.location);
  }

  const value_type& type(value_id value) const { return source_.values[static_cast<std::size_t>(value)]; }
  std::int64_t& of(value_id value) { return values_[static_cast<std::size_t>(value)]; }

  const program& source_;
  const std::vector<argument>& arguments_;
  const std::vector<index_t>& grid_;
  std::vector<index_t> ids_;
  std::vector<std::int64_t> values_;
  int steps_ = 0;
};

struct accepted_launch {
  program bound, simple;
  std::vector<argument> arguments;
  std::vector<index_t> grid;
};

// Nothing when bind, the checks or the launch refuse the kernel.
bool accept(test::random_kernel& kernel, accepted_launch& launch) {
  launch.arguments = kernel.arguments();
  const ast::module_view& module = kernel.module().view();
  try {
    const bound_arguments bound = bind_arguments(module, launch.arguments, {}, {});
    launch.grid = bound.grid;
    launch.bound = bind(module, bound.special);
    check(launch.bound);
    verify_launch(launch.bound, launch.arguments, launch.grid);
  } catch (const compile_error&) {
    return false;
  } catch (const usage_error&) {
    return false;
  }
  launch.simple = launch.bound;
  simplify(launch.simple);
  return true;
}

std::string first_fault(const program& source, const accepted_launch& launch) {
  for (index_t i = 0; i < launch.grid[0]; ++i) {
    for (index_t j = 0; j < launch.grid[1]; ++j) {
      index_walk walk(source, launch.arguments, launch.grid, {i, j});
      walk.run();
      if (!walk.fault.empty()) return walk.fault;
    }
  }
  return {};
}

// Output and InOut after a run over tensors filled with small numbers.
std::vector<std::int64_t> results(const program& source, accepted_launch launch) {
  std::vector<std::vector<std::int64_t>> memory(3);
  for (std::size_t p = 0; p < 3; ++p) {
    const argument& tensor = launch.arguments[p];
    memory[p].resize(static_cast<std::size_t>(tensor.extents[0] * tensor.extents[1]));
    for (std::size_t i = 0; i < memory[p].size(); ++i) memory[p][i] = static_cast<std::int64_t>(i * (p + 3) % 17) - 5;
    launch.arguments[p].address = memory[p].data();
  }
  std::vector<std::uint64_t> parameters(parameter_block_words(source.parameters));
  write_parameter_block(source.parameters, launch.arguments, parameters.data());
  const auto compiled = emit_interp(source);
  std::vector<index_t> grid = launch.grid;
  grid.resize(max_rank, 1);
  const host_image& made = host_of(*compiled);
  std::vector<std::byte> scratch(made.scratch_bytes() + 64);
  const std::size_t offset = 64 - reinterpret_cast<std::uintptr_t>(scratch.data()) % 64;
  fault_status status;  // of checks in the kernel, which may fail
  made.run(parameters.data(), grid.data(), 0, launch.grid[0] * launch.grid[1], scratch.data() + offset, &status);
  memory[0].insert(memory[0].end(), memory[2].begin(), memory[2].end());
  return memory[0];
}

TEST(RandomKernels, StayInBoundsAndKeepTheirResults) {
  int accepted = 0, proved = 0;
  constexpr std::uint32_t count = 2000;
  for (std::uint32_t seed = 0; seed < count; ++seed) {
    test::random_kernel kernel(seed);
    accepted_launch launch;
    if (!accept(kernel, launch)) continue;
    ++accepted;
    if (launch.bound.residual_checks.empty()) {  // else a check in the kernel may fail, as it should
      ++proved;
      ASSERT_EQ(first_fault(launch.bound, launch), "") << "seed " << seed << "\n"
                                                       << to_text(launch.bound) << checks_text(launch.bound);
      ASSERT_EQ(first_fault(launch.simple, launch), "") << "seed " << seed << "\n"
                                                        << to_text(launch.bound) << to_text(launch.simple);
    }
    ASSERT_EQ(results(launch.bound, launch), results(launch.simple, launch))
        << "seed " << seed << "\n"
        << to_text(launch.bound) << to_text(launch.simple);
  }
  EXPECT_GT(proved, accepted / 4) << "of " << accepted;
  EXPECT_GT(accepted, static_cast<int>(count) / 10) << "too few kernels pass the checks to show anything";
}

}  // namespace
}  // namespace tilewright::compiler
