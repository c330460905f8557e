// SPDX-License-Identifier: Apache-2.0
// An image's key changes with all that its code depends on, and with nothing else.
#include <gtest/gtest.h>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {
namespace {

using test::dense;
using test::module_builder;

struct kernel_shape {
  const char* name = "k";
  int line = 0;
  double constant = 1.0;
  dtype element = dtype::f32;
  const char* dim = "B";
};

image_key key(const kernel_shape& shape, const std::vector<argument>& arguments, target where = target::interp) {
  module_builder m(shape.name);
  m.at(shape.line);
  const auto b = m.symbol(shape.dim);
  const auto z = m.out(shape.element, {b});
  const auto x = m.in(shape.element, {ast::dynamic_extent});
  m.store(z, m.binary(ast::op::add, m.load(x, {b}, {m.block_id(0)}), m.constant(shape.element, {b}, shape.constant)));
  return key_of(m.view(), bind_arguments(m.view(), arguments, {}, {}).special, where);
}

const std::vector<argument> plain = {dense({96}, {32}), dense({96})};

TEST(Key, IsTheSameForTheSameKernelAndSpecialisation) { EXPECT_EQ(key({}, plain), key({}, plain)); }

TEST(Key, IgnoresLinesAndTheName) {
  EXPECT_EQ(key({}, plain), key({.line = 99}, plain));
  EXPECT_EQ(key({}, plain), key({.name = "other"}, plain));
}

TEST(Key, ChangesWithTheCodeTheTypesAndTheDims) {
  EXPECT_NE(key({}, plain), key({.constant = 2.0}, plain));
  EXPECT_NE(key({}, plain), key({.element = dtype::f64}, plain));
  EXPECT_NE(key({}, plain), key({.dim = "C"}, plain));
  EXPECT_NE(key({}, plain), key({}, {dense({96}, {16}), dense({96})}));
}

TEST(Key, ChangesWithFactsButNotWithExtents) {
  EXPECT_EQ(key({}, plain), key({}, {dense({64}, {32}), dense({64})}));
  EXPECT_NE(key({}, plain), key({}, {dense({64}, {32}), dense({65})})) << "divides";
  EXPECT_NE(key({}, plain), key({}, {dense({96}, {32}), dense({96}, {}, 0x1004)})) << "alignment";
  // KER-08: an image made for neighbours in memory must not serve a view of every other element.
  argument strided = dense({96});
  strided.strides[0] = 2;
  EXPECT_NE(key({}, plain), key({}, {dense({96}, {32}), strided})) << "unit stride";
}

TEST(Key, ChangesWithTheTarget) { EXPECT_NE(key({}, plain), key({}, plain, target::cpu)); }

TEST(Key, PrintsAs32HexadecimalDigits) {
  EXPECT_EQ(to_text(image_key{{0x0123456789abcdef, 0x1}}), "0123456789abcdef0000000000000001");
}

}  // namespace
}  // namespace tilewright::compiler
