// SPDX-License-Identifier: Apache-2.0
// Loops of ranges whose bounds may lie anywhere in 64 bits.
#include <gtest/gtest.h>

#include <cstdint>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/verify.hpp"
#include "support/program_builder.hpp"
#include "unit/compiler/index_machine.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using compiler::target;

constexpr std::int64_t least = INT64_MIN, greatest = INT64_MAX, quarter = INT64_C(1) << 62;

// What the rounds of range(from, to, step) of a kernel's own scalars add to a sum.
std::vector<std::int64_t> numbers_of(std::int64_t from, std::int64_t to, std::int64_t step) {
  program_builder p;
  const int z = p.accum(dtype::i64, {1});
  const int bounds[] = {p.scalar(dtype::i64), p.scalar(dtype::i64)};
  const auto bound = [&](int n) {
    return p.value(op::cast, type_of(dtype::index), {p.value(op::scalar, type_of(dtype::i64), {}, {bounds[n]})});
  };
  const value_id first = bound(0), end = bound(1);
  p.loop(first, end, p.index(step), {}, [&](value_id variable, const std::vector<value_id>&) {
    const value_id number = p.value(op::cast, type_of(dtype::i64), {variable});
    p.combine(z, p.value(op::broadcast, type_of(dtype::i64, {1}), {number}));
    return std::vector<value_id>();
  });
  const tileir::bytecode code = tileir::emit(p.result(), target::sm_90);
  EXPECT_FALSE(find_fault(code));
  std::vector<std::int64_t> met;
  index_machine machine(code, {0, 1, 1, 1, from, to}, 0, 1);  // an address, an extent, a stride, one block
  for (const place& added : machine.run()) met.push_back(added[1]);
  return met;
}

TEST(TileirRange, MeetsEachNumberOnceWhereverItsBoundsAre) {
  using numbers = std::vector<std::int64_t>;
  EXPECT_EQ(numbers_of(3, 9, 2), (numbers{3, 5, 7}));
  EXPECT_EQ(numbers_of(least, least, 1), numbers());
  EXPECT_EQ(numbers_of(greatest, least, 1), numbers());
  EXPECT_EQ(numbers_of(least, least + 2, 1), (numbers{least, least + 1}));
  EXPECT_EQ(numbers_of(greatest - 1, greatest, 4), numbers{greatest - 1});
  EXPECT_EQ(numbers_of(least, greatest, quarter), (numbers{least, -quarter, 0, quarter}));
  EXPECT_EQ(numbers_of(0, greatest, quarter), (numbers{0, quarter}));
}

}  // namespace
}  // namespace tilewright::test
