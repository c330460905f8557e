// SPDX-License-Identifier: Apache-2.0
// The debugger on modules that no lang kernel can be: outputs that overlap, and what is stored on one way only.
#include "compiler/debug/debugger.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "compiler/interp/interp.hpp"
#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {
namespace {

using compiler::debug::shadow_memory;
using compiler::debug::written;
using place = std::vector<index_t>;

compiler::argument over(std::vector<float>& memory, std::initializer_list<index_t> extents,
                        std::initializer_list<index_t> piece = {}) {
  return dense(extents, piece, reinterpret_cast<std::uintptr_t>(memory.data()));
}

const std::byte* bytes_of(const std::vector<float>& memory) {
  return reinterpret_cast<const std::byte*>(memory.data());
}

debug_report debug(const ast::module_view& module, const std::vector<compiler::argument>& arguments,
                   const debug_options& options, shadow_memory& shadow) {
  const compiler::bound_arguments bound = compiler::bind_arguments(module, arguments, {}, {});
  compiler::program source = compiler::bind(module, bound.special);
  compiler::check(source);
  const compiler::interp::interpreted_image image(source);
  std::vector<std::uint64_t> words(compiler::parameter_block_words(source.parameters));
  compiler::write_parameter_block(source.parameters, arguments, words.data(), bound.grid);
  std::int64_t grid[max_rank] = {1, 1, 1, 1, 1, 1}, blocks = 1;
  for (std::size_t axis = 0; axis < bound.grid.size(); ++axis) blocks *= grid[axis] = bound.grid[axis];
  std::vector<std::byte> room(image.scratch_bytes() + 64);
  void* scratch = room.data();
  std::size_t space = room.size();
  std::align(64, image.scratch_bytes(), scratch, space);
  compiler::debug::debugger watching(source, options, shadow);
  image.run_observed(words.data(), grid, blocks, static_cast<std::byte*>(scratch), nullptr, watching);
  debug_report report;
  watching.finish(report);
  return report;
}

debug_report debug(const ast::module_view& module, const std::vector<compiler::argument>& arguments) {
  shadow_memory shadow;
  return debug(module, arguments, {}, shadow);
}

// ---- Races ---------------------------------------------------------------------------------------------------------
// z's blocks of 4; each stores its piece of x.
void build_copy(module_builder& m) {
  const auto z = m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {ast::dynamic_extent});
  const auto block = m.at(10).block_id(0);
  const auto loaded = m.at(11).load(x, {4}, {block});
  m.at(12).store(z, loaded);
}

TEST(Races, AreNoneWhereEachBlockHasItsPiece) {
  module_builder m;
  build_copy(m);
  std::vector<float> z(8), x(8);
  EXPECT_TRUE(debug(m.view(), {over(z, {8}, {4}), over(x, {8})}).findings.empty());
}

TEST(Races, OfTwoBlocksThatStoreOneElement) {
  module_builder m("overlapping");
  build_copy(m);
  std::vector<float> z(8), x(12);
  compiler::argument overlapping = over(z, {12}, {4});
  overlapping.strides[0] = 0;  // all elements are the first one
  const debug_report report = debug(m.view(), {overlapping, over(x, {12})});
  ASSERT_EQ(report.findings.size(), 1u);
  const debug_finding& race = report.findings[0];
  EXPECT_EQ(race.what, debug_fault::race);
  EXPECT_EQ(race.place.kernel, "overlapping");
  EXPECT_EQ(race.place.file, "test.hpp");
  EXPECT_EQ(race.place.line, 12);
  EXPECT_EQ(race.place.operation, "store");
  EXPECT_EQ(race.place.block, place{1});
  EXPECT_EQ(race.parameter, 0);
  EXPECT_EQ(race.element, place{4});
  EXPECT_EQ(race.got, "this block writes an element that block [0] writes");
  EXPECT_EQ(race.count, 8);  // lanes of the second and the third block
}

// Indices that nobody has checked, which the runtime does not let through.
TEST(Races, OfBlocksThatStoreToOneRow) {
  module_builder m;
  const auto z = m.scatter(dtype::f32, {2, 4});
  const auto rows = m.unique(dtype::i32);
  m.store_rows(z, m.constant(dtype::f32, {2, 4}, 1), m.own_rows(rows, 2), rows);
  std::vector<float> memory(24);
  std::vector<std::int32_t> list = {5, 1, 0, 5};
  compiler::argument indices = dense({4}, {}, reinterpret_cast<std::uintptr_t>(list.data()));
  indices.index_bound = 6;
  const debug_report report = debug(m.view(), {over(memory, {6, 4}, {2, 4}), indices});
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].what, debug_fault::race);
  EXPECT_EQ(report.findings[0].place.operation, "store_rows");
  EXPECT_EQ(report.findings[0].element, (place{5, 0}));
  EXPECT_EQ(report.findings[0].got, "this block writes an element that block [0, 0] writes");
  EXPECT_EQ(report.findings[0].count, 4);
  list = {5, 1, 0, 4};
  EXPECT_TRUE(debug(m.view(), {over(memory, {6, 4}, {2, 4}), indices}).findings.empty());
}

TEST(Races, OfABlockThatReadsWhatAnotherOneWrites) {
  module_builder m;
  build_copy(m);
  std::vector<float> memory(12);
  // x begins in the middle of z: block 1 writes what block 0 has read.
  compiler::argument x = over(memory, {8});
  x.address = memory.data() + 4;
  const debug_report report = debug(m.view(), {over(memory, {8}, {4}), x});
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].place.line, 12);
  EXPECT_EQ(report.findings[0].place.block, place{1});
  EXPECT_EQ(report.findings[0].element, place{4});
  EXPECT_EQ(report.findings[0].got, "this block writes an element that block [0] reads");
  EXPECT_EQ(report.findings[0].count, 4);
}

TEST(Races, OfABlockThatReadsWhatAnEarlierOneWrote) {
  module_builder m;
  const auto z = m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {ast::dynamic_extent});
  const auto first = m.load(x, {4}, {m.index(0)});
  m.at(20).store(z, first);
  std::vector<float> memory(8);
  const debug_report report = debug(m.view(), {over(memory, {8}, {4}), over(memory, {8})});
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].place.operation, "load");
  EXPECT_EQ(report.findings[0].place.block, place{1});
  EXPECT_EQ(report.findings[0].parameter, 1);
  EXPECT_EQ(report.findings[0].got, "this block reads an element that block [0] writes");
}

TEST(Races, AreNoneWhereBlocksCombine) {
  module_builder m;
  const auto z = m.accum(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {ast::dynamic_extent});
  m.combine(z, m.load(x, {4}, {m.block_id(0)}));
  std::vector<float> z_memory(4), x_memory(12);
  const debug_report report = debug(m.view(), {shared(over(z_memory, {4}, {4}), 3), over(x_memory, {4})});
  EXPECT_TRUE(report.findings.empty()) << to_text(report);
}

TEST(Races, AreNoneWhereLanesChooseOneElement) {
  module_builder m;
  const auto z = m.accum(dtype::f32, {ast::dynamic_extent});
  m.combine_at(z, m.constant(dtype::f32, {4}, 1.0), {m.constant(dtype::i32, {}, 2)});
  std::vector<float> z_memory(4);
  const debug_report report = debug(m.view(), {shared(over(z_memory, {4}, {4}), 3)});
  EXPECT_TRUE(report.findings.empty()) << to_text(report);
  EXPECT_EQ(z_memory[2], 12);
}

TEST(Races, AreNotLookedForUnlessAsked) {
  module_builder m;
  build_copy(m);
  std::vector<float> z(8), x(8);
  compiler::argument overlapping = over(z, {8}, {4});
  overlapping.strides[0] = 0;
  debug_options options;
  options.has_races = false;
  shadow_memory shadow;
  EXPECT_TRUE(debug(m.view(), {overlapping, over(x, {8})}, options, shadow).findings.empty());
}

// ---- Memory that nobody wrote --------------------------------------------------------------------------------------
TEST(Unwritten, IsAnOutputThatAKernelStoresOnOneWayOnly) {
  module_builder m("first_alone");
  const auto z = m.out(dtype::f32, {4});
  m.if_begin(m.compare(op::equal, m.block_id(0), m.index(0)));
  m.store(z, m.constant(dtype::f32, {4}, 1.0));
  m.if_else();
  m.if_end();
  std::vector<float> z_memory(8);
  shadow_memory shadow;
  shadow.allocate(bytes_of(z_memory), 32);
  const debug_report report = debug(m.view(), {over(z_memory, {8}, {4})}, {}, shadow);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].what, debug_fault::unwritten);
  EXPECT_EQ(report.findings[0].place.kernel, "first_alone");
  EXPECT_EQ(report.findings[0].element, place{4});
  EXPECT_EQ(report.findings[0].count, 4);
}

// Of x the mask leaves out what nobody wrote, but for one element.
TEST(Uninitialised, IsAnElementThatAGatherChooses) {
  module_builder m;
  const auto z = m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {8});
  const auto lane = m.iota(dtype::index, {4}, 0);
  const auto chosen = m.binary(op::add, lane, lane);
  m.at(30).store(z, m.at(31).gather(x, {4}, {chosen, m.compare(op::less, lane, m.index(3))}, true));
  std::vector<float> z_memory(4), x_memory = {1, 2, 3, 4, 5, 6, 7, 8};
  shadow_memory shadow;
  shadow.allocate(bytes_of(x_memory), 32);
  shadow.write(bytes_of(x_memory), 16, written::by_host);
  const debug_report report = debug(m.view(), {over(z_memory, {4}, {4}), over(x_memory, {8})}, {}, shadow);
  ASSERT_EQ(report.findings.size(), 1u) << to_text(report);
  EXPECT_EQ(report.findings[0].what, debug_fault::uninitialised);
  EXPECT_EQ(report.findings[0].place.operation, "gather");
  EXPECT_EQ(report.findings[0].element, place{4});
  EXPECT_EQ(report.findings[0].count, 1);
  EXPECT_EQ(z_memory, (std::vector<float>{1, 3, 5, 0}));
}

TEST(ShadowMemory, KnowsTheLastWriterOfEachByte) {
  std::vector<float> memory(4), unknown(4);
  const std::byte* const at = bytes_of(memory);
  shadow_memory shadow;
  EXPECT_EQ(shadow.at(at), written::by_host);
  shadow.allocate(at, 16);
  EXPECT_EQ(shadow.at(at + 15), written::never);
  EXPECT_EQ(shadow.at(at + 16), written::by_host);
  shadow.write(at + 4, 4, written::by_launch);
  EXPECT_EQ(shadow.at(at + 3), written::never);
  EXPECT_EQ(shadow.at(at + 7), written::by_launch);
  shadow.copy(at + 8, at, 8);
  EXPECT_EQ(shadow.at(at + 8), written::never);
  EXPECT_EQ(shadow.at(at + 12), written::by_launch);
  shadow.copy(at, bytes_of(unknown), 4);
  EXPECT_EQ(shadow.at(at), written::by_host);
}

TEST(ShadowMemory, ForgetsWhatLayWhereANewTensorLies) {
  std::vector<float> memory(8);
  const std::byte* const at = bytes_of(memory);
  shadow_memory shadow;
  shadow.allocate(at, 16);
  shadow.allocate(at + 16, 16);
  shadow.write(at, 32, written::by_host);
  shadow.write(at + 16, 16, written::by_host);
  shadow.allocate(at + 8, 16);  // over the end of one and the start of the other
  EXPECT_EQ(shadow.at(at + 8), written::never);
  EXPECT_EQ(shadow.at(at + 23), written::never);
  EXPECT_EQ(shadow.at(at), written::by_host);
  shadow.allocate(at, 0);
  EXPECT_EQ(shadow.at(at + 8), written::never);
}

// ---- Values --------------------------------------------------------------------------------------------------------
TEST(Values, OfTheBlocksAndLinesThatWereAskedFor) {
  module_builder m;
  build_copy(m);
  std::vector<float> z(8), x = {0, 1, 2, 3, 4, 5};
  debug_options options;
  options.blocks = {{1}};
  options.lines = {"test.hpp:11", "12"};
  shadow_memory shadow;
  compiler::argument ragged = over(x, {6});
  const debug_report report = debug(m.view(), {over(z, {6}, {4}), ragged}, options, shadow);
  ASSERT_EQ(report.tiles.size(), 2u);
  const debug_tile& loaded = report.tiles[0];
  EXPECT_EQ(loaded.place.operation, "load");
  EXPECT_EQ(loaded.place.block, place{1});
  EXPECT_EQ(loaded.extents, place{4});
  EXPECT_EQ(loaded.values, (std::vector<double>{4, 5, 0, 0}));
  EXPECT_EQ(loaded.outside, (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(loaded.least, 4);
  EXPECT_EQ(loaded.greatest, 5);
  EXPECT_EQ(loaded.outsides, 2);
  EXPECT_EQ(report.tiles[1].place.operation, "store");
  EXPECT_EQ(report.tiles[1].outsides, 2);
}

TEST(Values, OfALargeTileAreItsEnds) {
  module_builder m;
  const auto z = m.out(dtype::f32, {8});
  const auto x = m.in(dtype::f32, {ast::dynamic_extent});
  m.store(z, m.load(x, {8}, {m.block_id(0)}));
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  std::vector<float> z_memory(8), x_memory = {0, 1, nan, 3, -infinity, 5, 6, 7};
  debug_options options;
  options.has_every_block = true;
  options.has_nan = false;
  options.elements = 4;
  shadow_memory shadow;
  const debug_report report = debug(m.view(), {over(z_memory, {8}, {8}), over(x_memory, {8})}, options, shadow);
  ASSERT_EQ(report.tiles.size(), 3u);
  EXPECT_EQ(report.tiles[1].values, (std::vector<double>{0, 1, 6, 7}));
  EXPECT_EQ(report.tiles[1].nans, 1);
  EXPECT_EQ(report.tiles[1].infinities, 1);
  EXPECT_EQ(report.tiles[1].greatest, 7);
  EXPECT_TRUE(report.findings.empty());
}

}  // namespace
}  // namespace tilewright::test
