// SPDX-License-Identifier: Apache-2.0
// An image's key changes with all that its code depends on, and with nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/compiler/gpu_image.hpp"

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
  tilewright::schedule schedule = {};
};

image_key key(const kernel_shape& shape, const std::vector<argument>& arguments, target where = target::interp) {
  module_builder m(shape.name);
  m.at(shape.line);
  const auto b = m.symbol(shape.dim);
  const auto z = m.out(shape.element, {b});
  const auto x = m.in(shape.element, {ast::dynamic_extent});
  m.store(z, m.binary(ast::op::add, m.load(x, {b}, {m.block_id(0)}), m.constant(shape.element, {b}, shape.constant)));
  specialization special = bind_arguments(m.view(), arguments, {}, {}).special;
  special.schedule = shape.schedule;
  return key_of(m.view(), special, where);
}

const std::vector<argument> plain = {dense({96}, {32}), dense({96})};

TEST(Key, IsTheSameForTheSameKernelAndSpecialisation) { EXPECT_EQ(key({}, plain), key({}, plain)); }

TEST(Key, IgnoresLinesAndTheName) {
  EXPECT_EQ(key({}, plain), key({.line = 99}, plain));
  EXPECT_EQ(key({}, plain), key({.name = "other"}, plain));
}

image_key printing_key(const char* text, int line, target where) {
  module_builder m;
  m.at(line);
  const auto z = m.out(dtype::f32, {4});
  const auto x = m.load(m.in(dtype::f32, {ast::dynamic_extent}), {4}, {m.block_id(0)});
  m.print(text, {x});
  m.store(z, x);
  return key_of(m.view(), bind_arguments(m.view(), {dense({8}, {4}), dense({8})}, {}, {}).special, where);
}

TEST(Key, ChangesWithTheTextsAndPlacesThatAKernelPrints) {
  for (const target where : {target::interp, target::cpu, target::sm_90}) {
    EXPECT_EQ(printing_key("{}", 1, where), printing_key("{}", 1, where));
    EXPECT_NE(printing_key("{}", 1, where), printing_key("x {}", 1, where));
    EXPECT_NE(printing_key("{}", 1, where), printing_key("{}", 2, where));
  }
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

TEST(Key, ChangesWithTheEndThatAScanStartsAt) {
  const auto scanning = [](ast::op which, int axis, int reverse, target where) {
    module_builder m("scan");
    const auto z = m.out(dtype::f32, {4, 4});
    const auto x = m.in(dtype::f32, {ast::dynamic_extent, ast::dynamic_extent});
    m.store(z, m.scan(which, m.load(x, {4, 4}, {m.block_id(0), m.block_id(1)}), axis, reverse));
    return key_of(m.view(), bind_arguments(m.view(), {dense({8, 8}, {4, 4}), dense({8, 8})}, {}, {}).special, where);
  };
  for (const target where : {target::interp, target::cpu, target::sm_90}) {
    const image_key forward = scanning(ast::op::scan_max, 1, 0, where);
    EXPECT_EQ(forward, scanning(ast::op::scan_max, 1, 0, where));
    EXPECT_NE(forward, scanning(ast::op::scan_max, 1, 1, where));
    EXPECT_NE(forward, scanning(ast::op::scan_max, 0, 0, where));
    EXPECT_NE(forward, scanning(ast::op::scan_min, 1, 0, where));
  }
}

TEST(Key, ChangesWithTheTarget) {
  std::vector<std::string> keys;
  for (const target each : all_targets) keys.push_back(to_text(key({}, plain, each)));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
}

TEST(Key, ChangesWithEachPartOfTheScheduleForGpusOnly) {
  std::vector<schedule> schedules(13);
  schedules[0].persistent = true;
  schedules[1].swizzle = 8;
  schedules[2].reversed = true;
  schedules[3].num_ctas = 2;
  schedules[4].occupancy = 2;
  schedules[5].workers = 8;
  schedules[6].epilogue_parts = 2;
  schedules[7].programmatic = true;
  schedules[8].fast_math = true;
  schedules[9].all = {.latency = 2};
  schedules[10].of[1] = {.latency = 2};
  schedules[11].of[15] = {.tma = 0};
  schedules[12].deterministic = true;
  for (std::size_t n = 0; n < schedules.size(); ++n) {
    EXPECT_NE(key({}, plain, target::sm_90), key({.schedule = schedules[n]}, plain, target::sm_90)) << n;
    for (std::size_t m = 0; m < n; ++m) {
      EXPECT_NE(key({.schedule = schedules[m]}, plain, target::sm_90),
                key({.schedule = schedules[n]}, plain, target::sm_90))
          << m << " and " << n;
    }
    EXPECT_EQ(key({}, plain, target::cpu), key({.schedule = schedules[n]}, plain, target::cpu)) << n;
    EXPECT_EQ(key({}, plain), key({.schedule = schedules[n]}, plain)) << n;
  }
}

// Whole vectors at a ragged end matter to a GPU alone.
TEST(Key, ChangesWithAnExtentInSixteensForGpusOnly) {
  const std::vector<argument> even = {dense({80}, {32}), dense({80})}, odd = {dense({81}, {32}), dense({81})};
  EXPECT_NE(key({}, even, target::sm_90), key({}, odd, target::sm_90));
  EXPECT_EQ(key({}, even, target::cpu), key({}, odd, target::cpu));
}

TEST(Key, ChangesWithTheOptionsOfGpusForThemOnly) {
  const image_key gpu = key({}, plain, target::sm_90), cpu = key({}, plain, target::cpu);
  set_gpu_options({.memcheck = true});
  const image_key checked_gpu = key({}, plain, target::sm_90), checked_cpu = key({}, plain, target::cpu);
  set_gpu_options({});
  EXPECT_NE(gpu, checked_gpu);
  EXPECT_EQ(cpu, checked_cpu);
  EXPECT_EQ(gpu, key({}, plain, target::sm_90));
}

// A machine without the assembler finds the images that one with it has made.
TEST(Key, IsTheSameWithAndWithoutAnAssembler) {
  const image_key found = key({}, plain, target::sm_90);
  ::setenv("TILEWRIGHT_TILEIR_TOOLS", "/nonexistent", 1);
  EXPECT_EQ(found, key({}, plain, target::sm_90));
  ::unsetenv("TILEWRIGHT_TILEIR_TOOLS");
}

TEST(Key, PrintsAs32HexadecimalDigits) {
  EXPECT_EQ(to_text(image_key{{0x0123456789abcdef, 0x1}}), "0123456789abcdef0000000000000001");
}

}  // namespace
}  // namespace tilewright::compiler
