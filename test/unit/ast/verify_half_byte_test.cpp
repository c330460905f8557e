// SPDX-License-Identifier: Apache-2.0
// Rules of elements of 4 bits: of tiles alone, moved and converted.
#include "unit/ast/damaged_module.hpp"

namespace tilewright::test {
namespace {

TEST(Verify, AcceptsHalfBytes) {
  module_builder m;
  const auto x = m.bitcast(dtype::f4e2m1, m.constant(dtype::u8, {4}, 1));
  m.cast(dtype::f16, x);
  m.cast(dtype::u4, m.cast(dtype::i4, m.constant(dtype::u64, {4}, 1)));
  m.reshape(m.constant(dtype::i4, {4}, -8), {2, 2});
  EXPECT_EQ(rules_of(m.view()), "");
}

// 4 by 64 by 8, in blocks of `depth`.
void multiply(module_builder& m, dtype factor, dtype scale, std::int32_t depth, dtype sum = dtype::f32) {
  const std::int32_t blocks = 64 / depth;
  m.mma_scaled(m.constant(factor, {4, 64}, 1), m.constant(scale, {4, blocks}, 1), m.constant(factor, {64, 8}, 1),
               m.constant(scale, {blocks, 8}, 1), m.constant(sum, {4, 8}, 1));
}

TEST(Verify, AcceptsScaledProducts) {
  module_builder m;
  multiply(m, dtype::f8e4m3, dtype::f8e8m0, 32);
  multiply(m, dtype::f8e5m2, dtype::f8e8m0, 32);
  multiply(m, dtype::f4e2m1, dtype::f8e8m0, 32);
  multiply(m, dtype::f4e2m1, dtype::f8e8m0, 16);
  multiply(m, dtype::f4e2m1, dtype::f8e4m3, 16);
  EXPECT_EQ(rules_of(m.view()), "");
}

const damaged damaged_half_bytes[] = {
    {"mma_scaled multiplies fp8 or f4e2m1, of one element",
     [](module_builder& m) { multiply(m, dtype::bf16, dtype::f8e8m0, 32); }},
    {"mma_scaled sums in f32", [](module_builder& m) { multiply(m, dtype::f8e4m3, dtype::f8e8m0, 32, dtype::f16); }},
    {"scales are f8e8m0, of f4e2m1 f8e4m3 too, and of one element",
     [](module_builder& m) { multiply(m, dtype::f8e4m3, dtype::f8e4m3, 16); }},
    {"a scale is of 32 elements, of f4e2m1 of 16 too, of those with f8e4m3 of 16 alone",
     [](module_builder& m) { multiply(m, dtype::f8e4m3, dtype::f8e8m0, 16); }},
    {"a scale is of 32 elements, of f4e2m1 of 16 too, of those with f8e4m3 of 16 alone",
     [](module_builder& m) { multiply(m, dtype::f4e2m1, dtype::f8e4m3, 32); }},
    {"i4 and u4 are made of integers, and become integers",
     [](module_builder& m) { m.cast(dtype::f32, m.constant(dtype::i4, {4}, 1)); }},
    {"i4 and u4 are made of integers, and become integers",
     [](module_builder& m) { m.cast(dtype::u4, m.constant(dtype::f4e2m1, {4}, 1)); }},
    {"i4 and u4 are made of integers, and become integers",
     [](module_builder& m) { m.cast(dtype::i4, m.constant(dtype::boolean, {4}, 1)); }},
    {"tf32 and f8e8m0 are made of f32, and become f32",
     [](module_builder& m) { m.cast(dtype::f8e8m0, m.constant(dtype::f4e2m1, {4}, 1)); }},
    {"bitcast keeps the width of elements",
     [](module_builder& m) { m.bitcast(dtype::i4, m.constant(dtype::i8, {4}, 1)); }},
    {"bitcast keeps the width of elements",
     [](module_builder& m) { m.bitcast(dtype::f4e2m1, m.constant(dtype::u4, {4}, 1)); }},
    {"the literal does not fit its element", [](module_builder& m) { m.constant(dtype::i4, {4}, 8); }},
    {"the op does not take this element",
     [](module_builder& m) { m.unary(op::negate, m.constant(dtype::i4, {4}, 1)); }},
    {"the op does not take this element", [](module_builder& m) { m.iota(dtype::u4, {4}, 0); }},
    {"the op does not take this element",
     [](module_builder& m) {
       m.table(dtype::f4e2m1, {2}, std::vector<double>{1, 2});
     }},
    {"elements of 4 bits are of tiles alone: a tensor of them holds u8",
     [](module_builder& m) { m.in(dtype::f4e2m1, {ast::dynamic_extent}); }},
    {"elements of 4 bits are of tiles alone: a tensor of them holds u8",
     [](module_builder& m) { m.parameter(parameter_kind::scalar, dtype::u4, {}); }},
};

class VerifyHalfBytes : public testing::TestWithParam<damaged> {};

TEST_P(VerifyHalfBytes, AreFoundBroken) { expect_broken(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Each, VerifyHalfBytes, testing::ValuesIn(damaged_half_bytes));

}  // namespace
}  // namespace tilewright::test
