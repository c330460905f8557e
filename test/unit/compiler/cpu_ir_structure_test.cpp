// SPDX-License-Identifier: Apache-2.0
// Loops and branches of the IR builder.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/cpu_code.hpp"

namespace tilewright::test {
namespace {

using builder = ir::module_builder;
using ir::value;
using values = builder::values;

std::int64_t run_for_number(const std::function<value(builder&)>& make, std::int64_t first, std::int64_t last) {
  const cpu_code code([&](builder& into) { store_buffer(into, 0, make(into)); });
  std::int64_t result = -1;
  code.run({&result}, first, last);
  return result;
}

// 1000 * the sum of i + how often, over i = from, from + step, ... < to
std::int64_t expected_sum(std::int64_t from, std::int64_t to, std::int64_t step) {
  std::int64_t sum = 0;
  for (std::int64_t i = from; i < to; i += step) sum += 1000 * i + 1;
  return sum;
}

value sum_loop(builder& code, value from, value to, value step) {
  const value zero = code.integer(index_type, 0);
  const values sums = code.loop(from, to, step, {zero, zero}, [&](value i, const values& carried) {
    return values{code.add(carried[0], i), code.add(carried[1], code.integer(index_type, 1))};
  });
  return code.add(code.multiply(sums[0], code.integer(index_type, 1000)), sums[1]);
}

const std::vector<std::pair<std::int64_t, std::int64_t>> ranges = {{0, 0},  {0, 1}, {0, 2},   {-3, 8},
                                                                   {5, -5}, {7, 8}, {0, 100}, {2, 9}};

TEST(CpuIr, LoopsOverARangeOfTheRun) {
  for (const std::int64_t step : {1, 3, 64}) {
    const cpu_code code([&](builder& into) {
      store_buffer(into, 0, sum_loop(into, into.first(), into.last(), into.integer(index_type, step)));
    });
    for (const auto& [from, to] : ranges) {
      std::int64_t result = -1;
      code.run({&result}, from, to);
      EXPECT_EQ(result, expected_sum(from, to, step)) << from << " to " << to << " by " << step;
    }
  }
}

TEST(CpuIr, LoopsOverARangeOfTheCompiler) {
  for (const auto& [from, to] : ranges) {
    for (const std::int64_t step : {1, 3, 64}) {
      const auto constant = [&](builder& code) {
        return sum_loop(code, code.integer(index_type, from), code.integer(index_type, to),
                        code.integer(index_type, step));
      };
      EXPECT_EQ(run_for_number(constant, 0, 0), expected_sum(from, to, step)) << from << " to " << to;
      const auto stepped = [&](builder& code) {
        return sum_loop(code, code.integer(index_type, from), code.integer(index_type, to), code.first());
      };
      EXPECT_EQ(run_for_number(stepped, step, 0), expected_sum(from, to, step)) << from << " to " << to;
    }
  }
}

TEST(CpuIr, ALoopKnownToRunOnceIsNone) {
  builder code("run");
  const value three = code.integer(index_type, 3);
  code.loop(three, code.integer(index_type, 5), 2, [&](value i) { EXPECT_EQ(i.raw(), three.raw()); });
  code.loop(three, three, 1, [&](value) { ADD_FAILURE() << "the body of a loop that never runs was made"; });
  code.finish();
  EXPECT_EQ(code.text().find("br "), std::string::npos) << code.text();
}

TEST(CpuIr, NestsLoopsAndBranches) {
  // How many pairs i, j < last have i > j, plus 100 for each i that is 2.
  const auto count = [](builder& code) {
    const value zero = code.integer(index_type, 0), one = code.integer(index_type, 1);
    const auto outer = [&](value i, const values& before) {
      const auto inner = [&](value j, const values& sum) {
        return code.branch(
            code.compare_integers(ir::compare::greater, i, j), [&] { return values{code.add(sum[0], one)}; },
            [&] { return sum; });
      };
      const values after = code.loop(zero, code.last(), 1, before, inner);
      return code.branch(
          code.compare_integers(ir::compare::equal, i, code.integer(index_type, 2)),
          [&] { return values{code.add(after[0], code.integer(index_type, 100))}; }, [&] { return after; });
    };
    return code.loop(zero, code.last(), 1, {zero}, outer)[0];
  };
  EXPECT_EQ(run_for_number(count, 0, 0), 0);
  EXPECT_EQ(run_for_number(count, 0, 2), 1);
  EXPECT_EQ(run_for_number(count, 0, 5), 110);
}

TEST(CpuIr, BranchesOnce) {
  const cpu_code code([](builder& into) {
    const value is_set = into.compare_integers(ir::compare::greater, into.first(), into.integer(index_type, 0));
    into.branch(is_set, [&] { store_buffer(into, 0, into.first()); });
    into.branch(into.lane_mask(1, 1), [&] { store_buffer(into, 1, into.last()); });
    into.branch(into.lane_mask(1, 0), [&] { ADD_FAILURE() << "a side that never runs was made"; });
  });
  std::int64_t chosen = 7, always = 0;
  code.run({&chosen, &always}, 0, 11);
  EXPECT_EQ(chosen, 7);
  EXPECT_EQ(always, 11);
  code.run({&chosen, &always}, 5, 11);
  EXPECT_EQ(chosen, 5);
}

TEST(CpuIr, CarriesVectors) {
  const ir::type floats{ir::scalar_type::f32, 16};
  const cpu_code code([&](builder& into) {
    const values carried =
        into.loop(into.first(), into.last(), into.integer(index_type, 1), {into.floating(floats, 1)},
                  [&](value, const values& before) { return values{into.float_add(before[0], before[0])}; });
    store_buffer(into, 0, carried[0]);
  });
  std::array<float, 16> result = {};
  code.run({result.data()}, 0, 10);
  EXPECT_EQ(std::count(result.begin(), result.end(), 1024.0F), 16);
}

TEST(CpuIr, GivesTheArguments) {
  const cpu_code code([](builder& into) {
    const value third = into.load(index_type, into.offset(into.grid(), 16), 8, ir::memory::input);
    store_buffer(into, 0,
                 into.add(into.first(), into.add(into.multiply(into.last(), into.integer(index_type, 10)), third)));
    store_buffer(into, 1, into.bit_cast(into.scratch(), index_type));
  });
  std::int64_t sum = 0, scratch = -1;
  code.run({&sum, &scratch}, 3, 4);
  EXPECT_EQ(sum, 43);
  EXPECT_EQ(scratch, 0);
}

}  // namespace
}  // namespace tilewright::test
