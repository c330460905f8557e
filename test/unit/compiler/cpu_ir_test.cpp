// SPDX-License-Identifier: Apache-2.0
// Small functions made by the builder, compiled and run.
#include <gtest/gtest.h>

#include "compiler/cpu/jit.hpp"

namespace tilewright::compiler {
namespace {

TEST(CpuIr, Smoke) {
  ir::module_builder code("run");
  const ir::type floats{ir::scalar_type::f32, 16};
  const ir::value out = code.load({ir::scalar_type::pointer, 1}, code.parameters(), 8, ir::memory::input);
  code.loop(code.first(), code.last(), 1, [&](ir::value i) {
    const ir::value at = code.offset(out, code.multiply_index(i, code.integer({ir::scalar_type::i64, 1}, 64)));
    const ir::value number = code.broadcast(code.signed_to_float(i, ir::scalar_type::f32), 16);
    code.store(code.float_add(number, code.floating(floats, 0.5)), at, 4);
  });
  code.finish();
  EXPECT_EQ(code.verify(), "");
  const auto object = compile_object(std::move(code));
  const loaded_kernel loaded = load_object(object, "run");
  std::vector<float> result(64);
  const std::uint64_t parameters = reinterpret_cast<std::uintptr_t>(result.data());
  const std::int64_t grid[6] = {1, 1, 1, 1, 1, 1};
  loaded.entry(&parameters, grid, 1, 3, nullptr);
  EXPECT_EQ(result[0], 0.0F);
  EXPECT_EQ(result[16], 1.5F);
  EXPECT_EQ(result[47], 2.5F);
  EXPECT_EQ(result[48], 0.0F);
}

}  // namespace
}  // namespace tilewright::compiler
