// SPDX-License-Identifier: Apache-2.0
// Images of the cpu back end survive storing, and changed bytes are refused before they run.
#include <gtest/gtest.h>

#include <string>

#include "support/random_tile_program.hpp"
#include "support/tile_launch.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using bytes = std::vector<std::byte>;
constexpr auto cpu = compiler::target::cpu;

TEST(CpuImage, ComesBackFromItsObject) {
  for (const std::uint32_t seed : {3U, 14U, 15U}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_tile_program generated(seed);
    const compiler::program& source = generated.program();
    const auto emitted = compiler::emit(source, cpu);
    const auto stored = compiler::load_image(source, cpu, emitted->object());
    EXPECT_EQ(host_of(*stored).scratch_bytes(), host_of(*emitted).scratch_bytes());
    EXPECT_EQ(stored->object(), emitted->object());
    const tile_launch first(source, seed, lies::before_guard), second(source, seed, lies::before_guard);
    first.run(*emitted, source, 1);
    second.run(*stored, source, 2);
    second.expect_memory(source, first.memory());
  }
}

TEST(CpuImage, EqualProgramsGiveEqualObjects) {
  random_tile_program first(7), second(7);
  EXPECT_EQ(compiler::emit(first.program(), cpu)->object(), compiler::emit(second.program(), cpu)->object());
}

TEST(CpuImage, ChangedOrShortenedBytesAreRefused) {
  program_builder p;
  p.store(p.out(dtype::i32, {4}), p.value(ast::op::iota, type_of(dtype::i32, {4}), {}, {0}));
  const compiler::program& source = p.result();
  const bytes object = compiler::emit(source, cpu)->object();
  EXPECT_NO_THROW(compiler::load_image(source, cpu, object));
  for (std::size_t at = 0; at < object.size(); ++at) {
    bytes changed = object;
    changed[at] ^= static_cast<std::byte>(1U << (at % 8));
    EXPECT_THROW(compiler::load_image(source, cpu, changed), runtime_error) << "byte " << at;
  }
  for (std::size_t size = 0; size < object.size(); size += size < 40 ? 1 : 97) {
    const bytes shorter(object.begin(), object.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW(compiler::load_image(source, cpu, shorter), runtime_error) << size << " bytes";
  }
  bytes longer = object;
  longer.push_back(std::byte{0});
  EXPECT_THROW(compiler::load_image(source, cpu, longer), runtime_error);
}

}  // namespace
}  // namespace tilewright::test
