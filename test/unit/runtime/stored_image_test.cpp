// SPDX-License-Identifier: Apache-2.0
// Images of the cpu back end through the disk: what comes back computes the same, and what does not fit is compiled
// again.
#include <gtest/gtest.h>

#include "runtime/executor.hpp"
#include "runtime/image_cache.hpp"
#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "unit/runtime/child_process.hpp"
#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::runtime {
namespace {

using compiler::target;

class StoredImage : public testing::Test {
 protected:
  static constexpr std::size_t size = 100;

  test::temporary_folder temporary;
  disk_settings disk{.folder = temporary.path() / "images", .problem = {}};
  test::module_builder builder{"reverse_difference"};
  compiler::bound_arguments bound;
  std::vector<float> x = std::vector<float>(size), z = std::vector<float>(size);
  std::vector<compiler::argument> arguments;

  // z = 3 - x, in pieces of 32: the last one overhangs.
  void SetUp() override {
    if (!compiler::has_cpu_target()) GTEST_SKIP() << "this build has no cpu back end";
    const auto b = builder.symbol("B");
    const auto out = builder.out(dtype::f32, {b});
    const auto in = builder.in(dtype::f32, {ast::dynamic_extent});
    builder.store(out, builder.binary(ast::op::subtract, builder.constant(dtype::f32, {b}, 3.0),
                                      builder.load(in, {b}, {builder.block_id(0)})));
    builder.view();
    for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<float>(i) / 8;
    arguments = {test::dense({size}, {32}, reinterpret_cast<std::uintptr_t>(z.data())),
                 test::dense({size}, {}, reinterpret_cast<std::uintptr_t>(x.data()))};
    bound = compiler::bind_arguments(builder.view(), arguments, {}, {});
  }

  compiler::image_key key() { return compiler::key_of(builder.view(), bound.special, target::cpu); }

  // Whether a cache's kernel computes what it should.
  bool is_right(image_cache& cache) {
    const compiled_kernel& kernel = cache.get(builder.view(), bound.special, target::cpu);
    std::vector<std::uint64_t> parameters(compiler::parameter_block_words(kernel.program.parameters));
    compiler::write_parameter_block(kernel.program.parameters, arguments, parameters.data());
    const std::int64_t grid[max_rank] = {4, 1, 1, 1, 1, 1};
    std::fill(z.begin(), z.end(), -1.0f);
    executor(1).run(compiler::host_of(*kernel.image), parameters.data(), grid, 4);
    for (std::size_t i = 0; i < size; ++i) {
      if (z[i] != 3.0f - x[i]) return false;
    }
    return true;
  }
};

TEST_F(StoredImage, ComputesTheSameWhenItComesFromTheDisk) {
  image_cache first(disk, real_compiler()), second(disk, real_compiler());
  EXPECT_TRUE(is_right(first));
  EXPECT_TRUE(is_right(second));
  EXPECT_EQ(first.statistics().emitted, 1);
  EXPECT_EQ(second.statistics().emitted, 0);
  EXPECT_EQ(second.statistics().loaded, 1);
  EXPECT_EQ(second.disk().last_problem(), "");
}

TEST_F(StoredImage, IsLoadedByAnotherProcess) {
  image_cache first(disk, real_compiler());
  EXPECT_TRUE(is_right(first));
  const pid_t child = test::start_child([&] {
    image_cache second(disk, real_compiler());
    return is_right(second) && second.statistics().loaded == 1 ? 0 : 1;
  });
  EXPECT_EQ(test::wait_for(child), 0);
}

TEST_F(StoredImage, ThatTheBackEndCannotReadIsCompiledAgain) {
  disk_cache entries(disk);
  image_cache first(disk, real_compiler());
  EXPECT_TRUE(is_right(first));
  const std::vector<std::byte> sound = *entries.load(key());
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{40}, sound.size() / 2}) {
    entries.store(key(), std::span(sound).first(length));  // whole as an entry, but no whole image
    image_cache later(disk, real_compiler());
    EXPECT_TRUE(is_right(later)) << length << " bytes";
    EXPECT_EQ(later.statistics().emitted, 1) << length << " bytes";
    EXPECT_NE(later.disk().last_problem(), "");
  }
  entries.store(key(), std::vector<std::byte>(sound.size(), std::byte{0x5a}));
  image_cache later(disk, real_compiler());
  EXPECT_TRUE(is_right(later));
  EXPECT_EQ(entries.load(key()), sound) << "the sound image is stored again, byte for byte";
}

}  // namespace
}  // namespace tilewright::runtime
