// SPDX-License-Identifier: Apache-2.0
// Wherever an operand comes from - a folded constant, a Scalar parameter, an element in memory - the result is one.
// Whole programs go through the front end here: bind, check and simplify see what the back ends do not.
#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"
#include "support/module_builder.hpp"

namespace tilewright::test {
namespace {

using ast::op;

class OperandSource : public BackEndTest {
 protected:
  // Binds, checks, simplifies and runs a module with one output in one piece.
  void launch(module_builder& m, std::vector<compiler::argument> arguments) {
    const compiler::bound_arguments bound = compiler::bind_arguments(m.view(), arguments, {}, {});
    const compiler::program source = compiler::front(m.view(), bound.special);
    compiler::verify_launch(source, arguments, bound.grid);
    run_here(source, arguments, bound.grid);
  }

  static compiler::argument piece_of(const host_array& output, index_t extent) {
    compiler::argument made = output.argument();
    made.piece[0] = extent;
    return made;
  }
};

struct binary_case {
  op which;
  dtype element;
  i64 a, b, result;
};

// KER-04 and KER-05; every pair of i8 is in scalar_semantics_test.cpp.
constexpr binary_case cases[] = {
    {op::divide, dtype::i8, -7, 2, -3},
    {op::remainder, dtype::i8, -7, 2, -1},
    {op::floor_div, dtype::i8, -7, 2, -4},
    {op::floor_mod, dtype::i8, -7, 2, 1},
    {op::divide, dtype::i8, 7, -2, -3},
    {op::remainder, dtype::i8, 7, -2, 1},
    {op::floor_div, dtype::i8, 7, -2, -4},
    {op::floor_mod, dtype::i8, 7, -2, -1},
    {op::divide, dtype::i8, -1, 3, 0},
    {op::remainder, dtype::i8, -1, 3, -1},
    {op::floor_div, dtype::i8, -1, 3, -1},
    {op::floor_mod, dtype::i8, -1, 3, 2},
    {op::divide, dtype::i8, 120, -27, -4},
    {op::remainder, dtype::i8, 120, -27, 12},
    {op::floor_div, dtype::i8, 120, -27, -5},
    {op::floor_mod, dtype::i8, 120, -27, -15},
    {op::divide, dtype::i8, 127, -2, -63},
    {op::remainder, dtype::i8, 127, -2, 1},
    {op::floor_div, dtype::i8, 127, -2, -64},
    {op::floor_mod, dtype::i8, 127, -2, -1},
    {op::divide, dtype::i8, -128, 127, -1},
    {op::remainder, dtype::i8, -128, 127, -1},
    {op::floor_div, dtype::i8, -128, 127, -2},
    {op::floor_mod, dtype::i8, -128, 127, 126},
    {op::divide, dtype::i8, -128, -1, -128},
    {op::remainder, dtype::i8, -128, -1, 0},
    {op::divide, dtype::i32, 2147483647, -2, -1073741823},
    {op::remainder, dtype::i32, 2147483647, -2, 1},
    {op::floor_div, dtype::i32, 2147483647, -2, -1073741824},
    {op::floor_mod, dtype::i32, 2147483647, -2, -1},
    {op::divide, dtype::i32, INT32_MIN, -1, INT32_MIN},
    {op::divide, dtype::i64, INT64_MIN, -1, INT64_MIN},
    {op::remainder, dtype::i64, INT64_MIN, -1, 0},
    {op::shift_left, dtype::i32, 1, 31, INT32_MIN},
    {op::shift_left, dtype::i32, 1, 32, 0},
    {op::shift_left, dtype::i32, 1, 33, 0},
    {op::shift_left, dtype::i32, 1, -1, 0},
    {op::shift_right, dtype::i32, -8, 40, -1},
    {op::shift_right, dtype::i32, -8, 1, -4},
    {op::shift_right, dtype::u32, 0x80000000, 32, 0},
    {op::shift_right, dtype::u32, 0x80000000, 31, 1},
    {op::shift_left, dtype::i8, 1, 8, 0},
    {op::shift_right, dtype::i8, -1, 7, -1},
    {op::add, dtype::i8, 127, 1, -128},
    {op::subtract, dtype::u8, 0, 1, 255},
    {op::multiply, dtype::u16, 65535, 65535, 1},
};

TEST_P(OperandSource, ConstantsScalarsAndElementsAgree) {
  for (const binary_case& c : cases) {
    SCOPED_TRACE(testing::Message() << ast::info(c.which).name << " " << info(c.element).name << " " << c.a << ", "
                                    << c.b);
    for (const bool folded : {true, false}) {
      // Operand a from a constant or a Scalar and from memory; b a constant, and from memory.
      module_builder m;
      const auto z = m.out(c.element, {37}), from_memory = m.out(c.element, {37});
      const auto x = m.in(c.element, {ast::dynamic_extent}), y = m.in(c.element, {ast::dynamic_extent});
      const auto s = m.scalar(c.element);
      const auto block = m.block_id(0);
      const auto scalar = folded ? m.constant(c.element, {}, c.a) : m.scalar_value(s);
      const auto second = m.constant(c.element, {}, c.b);
      m.store(z, m.broadcast(m.reshape(m.binary(c.which, scalar, second), {1}), {37}));
      const auto a = m.load(x, {37}, {block});
      m.store(from_memory, m.binary(c.which, a, m.load(y, {37}, {block})));

      const host_array left(c.element, {37}, std::vector<i64>(37, c.a)),
          right(c.element, {37}, std::vector<i64>(37, c.b));
      const host_array first(c.element, {37}), elements(c.element, {37});
      compiler::argument scalar_word;
      scalar_word.scalar = encode(c.element, c.a);
      launch(m, {piece_of(first, 37), piece_of(elements, 37), left.argument(), right.argument(), scalar_word});
      for (index_t i = 0; i < 37; ++i) {
        ASSERT_EQ(first.bits(i), encode(c.element, c.result)) << (folded ? "constant" : "scalar");
        ASSERT_EQ(elements.bits(i), encode(c.element, c.result)) << "element " << i;
      }
    }
  }
}

// KER-05
TEST_P(OperandSource, FloatsConvertTheSameFoldedOrNot) {
  const struct {
    float value;
    i64 as_i32, as_u8;
  } rows[] = {{std::nanf(""), 0, 0},
              {HUGE_VALF, INT32_MAX, 255},
              {3e9F, INT32_MAX, 255},
              {-HUGE_VALF, INT32_MIN, 0},
              {-3e9F, INT32_MIN, 0},
              {2147483520.0F, 2147483520, 255},
              {2147483648.0F, INT32_MAX, 255},
              {300.0F, 300, 255},
              {-1.0F, -1, 0},
              {0.99F, 0, 0},
              {-0.99F, 0, 0}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.value);
    module_builder m;
    const dtype targets[] = {dtype::i32, dtype::u8};
    std::vector<parameter_index> folded, loaded;
    for (const dtype to : targets) folded.push_back(m.out(to, {37}));
    for (const dtype to : targets) loaded.push_back(m.out(to, {37}));
    const auto x = m.in(dtype::f32, {ast::dynamic_extent});
    const auto constant = m.constant(dtype::f32, {37}, row.value), tile = m.load(x, {37}, {m.block_id(0)});
    for (std::size_t i = 0; i < 2; ++i) {
      m.store(folded[i], m.cast(targets[i], constant));
      m.store(loaded[i], m.cast(targets[i], tile));
    }
    const host_array from(dtype::f32, {37}, std::vector<float>(37, row.value));
    const host_array results[] = {host_array(dtype::i32, {37}), host_array(dtype::u8, {37}),
                                  host_array(dtype::i32, {37}), host_array(dtype::u8, {37})};
    std::vector<compiler::argument> arguments;
    for (const host_array& result : results) arguments.push_back(piece_of(result, 37));
    arguments.push_back(from.argument());
    launch(m, arguments);
    for (index_t i = 0; i < 37; ++i) {
      ASSERT_EQ(results[0].get<i64>(i), row.as_i32) << "folded";
      ASSERT_EQ(results[1].get<i64>(i), row.as_u8) << "folded";
      ASSERT_EQ(results[2].get<i64>(i), row.as_i32) << "element " << i;
      ASSERT_EQ(results[3].get<i64>(i), row.as_u8) << "element " << i;
    }
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(OperandSource);

}  // namespace
}  // namespace tilewright::test
