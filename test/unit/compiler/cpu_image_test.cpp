// SPDX-License-Identifier: Apache-2.0
// Images of the cpu back end survive storing, and changed bytes are refused before they run.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/fuzz/comparison.hpp"
#include "support/program_builder.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using bytes = std::vector<std::byte>;
constexpr auto cpu = compiler::target::cpu;

// Random ones from a seed on that the checks take, of every launch, and that print nothing.
std::vector<compiler::program> programs(std::uint32_t seed, std::size_t count) {
  std::vector<compiler::program> made;
  for (; made.size() < count; ++seed) {
    auto source = checked(random_program(seed));
    if (source && source->checks.empty() && op_counts(*source)[static_cast<std::size_t>(ast::op::print)] == 0)
      made.push_back(std::move(*source));
  }
  return made;
}

TEST(CpuImage, ComesBackFromItsObject) {
  for (const compiler::program& source : programs(3, 3)) {
    SCOPED_TRACE(to_text(source));
    const auto emitted = compiler::emit(source, cpu);
    const auto stored = compiler::load_image(source, cpu, emitted->object());
    EXPECT_EQ(host_of(*stored).scratch_bytes(), host_of(*emitted).scratch_bytes());
    EXPECT_EQ(stored->object(), emitted->object());
    const launch_form form = random_launch(source, 3);
    const tile_launch first(source, form), second(source, form);
    compiler::fault_status faults;
    first.run(*emitted, source, 1, &faults);
    second.run(*stored, source, 2, &faults);
    const auto found = second.first_difference(source, first.memory());
    EXPECT_FALSE(found.has_value()) << to_text(*found);
  }
}

TEST(CpuImage, EqualProgramsGiveEqualObjects) {
  EXPECT_EQ(compiler::emit(programs(7, 1)[0], cpu)->object(), compiler::emit(programs(7, 1)[0], cpu)->object());
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
