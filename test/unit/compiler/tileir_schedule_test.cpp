// SPDX-License-Identifier: Apache-2.0
// What a schedule writes: the order of logical blocks, by evaluating the index arithmetic that was emitted; hints,
// parts of a store, launch control and fast math, by the operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "support/program_builder.hpp"
#include "tilewright/base/error.hpp"
#include "unit/compiler/index_machine.hpp"

namespace tilewright::test {
namespace {

namespace tileir = compiler::tileir;
using ast::op;
using compiler::target;
using tileir::opcode;

// A kernel that stores one tile of 1s: [.., 1, 2].
compiler::program fill(int rank, const schedule& plan, dtype element = dtype::f32) {
  std::vector<std::int32_t> piece(static_cast<std::size_t>(rank), 1);
  piece.back() = 2;
  program_builder p(rank);
  p.store(p.out(element, piece), p.constant(type_of(element, piece), 1));
  compiler::program made = p.result();
  made.schedule = plan;
  made.parameters[0].facts.fits_31_bits = true;
  return made;
}

// Where the blocks of a launch store, each block in its order, block after block.
std::vector<place> order(const place& grid, const schedule& plan, std::int64_t launched = 0,
                         std::vector<bool> single = {}, dtype element = dtype::f32) {
  compiler::program source = fill(static_cast<int>(grid.size()), plan, element);
  for (std::size_t axis = 0; axis < single.size(); ++axis) source.parameters[0].facts.single_tile[axis] = single[axis];
  const tileir::bytecode code = tileir::emit(source, target::sm_90);
  std::int64_t blocks = 1;
  for (const std::int64_t count : grid) blocks *= count;
  std::vector<std::int64_t> parameters = {0};
  parameters.insert(parameters.end(), grid.begin(), grid.end());
  parameters.back() = 2 * grid.back() - 1;  // the last tile overhangs
  parameters.resize(1 + 2 * grid.size(), 1);
  std::vector<place> all;
  for (std::int64_t block = 0; block < (launched > 0 ? launched : blocks); ++block) {
    const std::vector<place> stored = index_machine(code, parameters, block, launched > 0 ? launched : blocks).run();
    all.insert(all.end(), stored.begin(), stored.end());
  }
  return all;
}

// Each block of the grid exactly once.
void expect_all(const place& grid, const std::vector<place>& stored) {
  std::int64_t blocks = 1;
  for (const std::int64_t count : grid) blocks *= count;
  const std::set<place> places(stored.begin(), stored.end());
  EXPECT_EQ(places.size(), static_cast<std::size_t>(blocks));
  EXPECT_EQ(stored.size(), static_cast<std::size_t>(blocks));
  for (const place& index : places) {
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
      EXPECT_GE(index[axis], 0);
      EXPECT_LT(index[axis], grid[axis]);
    }
  }
}

// ---- Pieces that blocks share --------------------------------------------------------------------------------------
// Each block (j, i) combines i into piece j, of two elements.
std::vector<place> shared_order(std::int64_t pieces, std::int64_t blocks, const schedule& plan,
                                std::int64_t launched = 0) {
  program_builder p(2);
  const int z = p.accum(dtype::i64, {2});
  const value_id number = p.value(op::cast, type_of(dtype::i64), {p.block_id(1)});
  p.combine(z, p.value(op::broadcast, type_of(dtype::i64, {2}), {number}));
  compiler::program source = p.result();
  source.schedule = plan;
  source.parameters[0].facts.fits_31_bits = true;
  const tileir::bytecode code = tileir::emit(source, target::sm_90);
  const std::vector<std::int64_t> parameters = {0, 2 * pieces - 1, 1, blocks};  // as the parameter block has them
  if (launched == 0) launched = pieces * blocks;
  std::vector<place> all;
  for (std::int64_t block = 0; block < launched; ++block) {
    const std::vector<place> stored = index_machine(code, parameters, block, launched).run();
    all.insert(all.end(), stored.begin(), stored.end());
  }
  return all;
}

TEST(TileirSchedule, BlocksThatShareAPieceAreNeighbours) {
  EXPECT_EQ(shared_order(2, 3, {}), (std::vector<place>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(TileirSchedule, TakesEachBlockThatSharesAPieceOnce) {
  for (const place& grid : {place{1, 7}, place{5, 1}, place{3, 4}, place{4, 9}}) {
    for (const int swizzle : {0, 2, 8}) {
      for (const std::int64_t launched : {0, 1, 3, 1000}) {
        const schedule plan = {.persistent = launched > 0, .swizzle = swizzle, .reversed = swizzle == 2};
        SCOPED_TRACE(testing::PrintToString(grid) + " swizzle " + std::to_string(swizzle));
        expect_all(grid, shared_order(grid[0], grid[1], plan, launched));
      }
    }
  }
}

// An axis that only an Accum may ask for: the Out beside it gives the grid.
TEST(TileirSchedule, HasOneBlockOnAnAxisThatTheGridLacks) {
  program_builder p(2);
  const int own = p.out(dtype::i64, {4}), shared = p.accum(dtype::i64, {4});
  const value_id number =
      p.value(op::cast, type_of(dtype::i64), {p.value(op::block_count, type_of(dtype::index), {}, {1})});
  const value_id tile = p.value(op::broadcast, type_of(dtype::i64, {4}), {number});
  p.store(own, tile);
  p.combine(shared, tile);
  EXPECT_NO_THROW((void)tileir::emit(p.result(), target::sm_90));
}

// ---- Order of blocks -----------------------------------------------------------------------------------------------
TEST(TileirSchedule, CountsRowMajorWithoutOne) {
  EXPECT_EQ(order({2, 3}, {}), (std::vector<place>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(TileirSchedule, ReversedTakesTheLastBlockFirst) {
  EXPECT_EQ(order({2, 2}, {.reversed = true}), (std::vector<place>{{1, 1}, {1, 0}, {0, 1}, {0, 0}}));
}

TEST(TileirSchedule, SwizzleWalksGroupsOfRowsColumnByColumn) {
  EXPECT_EQ(order({3, 2}, {.swizzle = 2}), (std::vector<place>{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}}));
}

TEST(TileirSchedule, SwizzleOfMoreRowsThanThereAreMakesRowsFastest) {
  const std::vector<place> columns = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}};
  EXPECT_EQ(order({3, 2}, {.swizzle = 3}), columns);
  EXPECT_EQ(order({3, 2}, {.swizzle = INT32_MAX}), columns);
}

TEST(TileirSchedule, PersistentBlocksStepByTheirNumber) {
  EXPECT_EQ(order({5}, {.persistent = true}, 2), (std::vector<place>{{0}, {2}, {4}, {1}, {3}}));
  EXPECT_EQ(order({5}, {.persistent = true, .reversed = true}, 2), (std::vector<place>{{4}, {2}, {0}, {3}, {1}}));
}

TEST(TileirSchedule, TakesEachBlockOnceInEveryOrder) {
  for (const place& grid : {place{7}, place{1, 1}, place{5, 4}, place{3, 5, 4}, place{2, 3, 2, 5}, place{3, 1, 4}}) {
    for (const int swizzle : {0, 1, 2, 3, 8}) {
      for (const bool reversed : {false, true}) {
        for (const std::int64_t launched : {0, 1, 3, 1000}) {
          const schedule plan = {.persistent = launched > 0, .swizzle = swizzle, .reversed = reversed};
          SCOPED_TRACE(testing::PrintToString(grid) + " swizzle " + std::to_string(swizzle));
          expect_all(grid, order(grid, plan, launched));
          expect_all(grid, order(grid, plan, launched, {}, dtype::i8));
        }
      }
    }
  }
}

// Divisions per block: an axis of one tile needs none, and one other axis needs none either.
TEST(TileirSchedule, AxesOfOneTileCostNothing) {
  const auto divisions = [](const std::vector<bool>& single, const schedule& plan) {
    compiler::program source = fill(3, plan);
    for (std::size_t axis = 0; axis < 3; ++axis) source.parameters[0].facts.single_tile[axis] = single[axis];
    std::size_t count = 0;
    const auto visit = [&](const auto& self, const std::vector<tileir::operation>& body) -> void {
      for (const tileir::operation& next : body) {
        count += next.code == opcode::remi || (next.code == opcode::divi && next.fields[1] == 1) ? 1 : 0;
        for (const tileir::region& inner : next.regions) self(self, inner.body);
      }
    };
    visit(visit, tileir::emit(source, target::sm_90).kernels[0].body);
    return count;
  };
  EXPECT_EQ(divisions({true, false, true}, {.persistent = true, .swizzle = 4}), 0u);
  EXPECT_EQ(divisions({false, true, false}, {}), 2u);
  EXPECT_EQ(divisions({true, false, false}, {.swizzle = 4}), 4u);
  expect_all({3, 1, 4}, order({3, 1, 4}, {.persistent = true, .swizzle = 2}, 5, {false, true, false}));
}

// ---- Operations ----------------------------------------------------------------------------------------------------
std::string text_of(program_builder& p, const schedule& plan, target where = target::sm_90) {
  compiler::program source = p.result();
  source.schedule = plan;
  for (compiler::program_parameter& parameter : source.parameters) parameter.facts.fits_31_bits = true;
  return to_text(tileir::emit(source, where));
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// z = x, or z = x + z for an InOut.
std::string copy_text(const schedule& plan, bool in_place = false, target where = target::sm_90) {
  program_builder p(2);
  const value_type tile = type_of(dtype::f32, {4, 8});
  const int x = p.in(dtype::f32, 2), z = in_place ? p.in_out(dtype::f32, {4, 8}) : p.out(dtype::f32, {4, 8});
  const value_id read = p.load(x, tile);
  const value_id old = in_place ? p.value(op::load_piece, tile, {}, {z}) : read;
  p.store(z, in_place ? p.like(op::add, {read, old}) : read);
  return text_of(p, plan, where);
}

TEST(TileirSchedule, WritesNoHintThatIsNotSet) {
  const std::string text = copy_text({.persistent = true, .swizzle = 2, .reversed = true});
  // But this: nothing says that its rows do not end inside 16 bytes.
  EXPECT_EQ(count_of(text, "store_view_tko weak hints {default = {allow_tma = false}}"), 1) << text;
  EXPECT_EQ(count_of(text, "hints"), 1) << text;
  EXPECT_EQ(text.find("num_cta"), std::string::npos) << text;
}

// A copy of 4 x 8 floats into a dense output whose unit axis is given, with an extent that 16 divides or not.
std::string dense_copy_text(std::size_t unit_axis, bool in_sixteens) {
  program_builder p(2);
  const int x = p.in(dtype::f32, 2), z = p.out(dtype::f32, {4, 8});
  p.store(z, p.load(x, type_of(dtype::f32, {4, 8})));
  compiler::program source = p.result();
  compiler::tensor_facts& facts = source.parameters[1].facts;
  facts.unit_stride[unit_axis] = true;
  facts.in_sixteens[unit_axis] = in_sixteens;
  return to_text(tileir::emit(source, target::sm_90));
}

TEST(TileirSchedule, StoresByTmaOnlyWhereTheUnitAxisHoldsWholeGroups) {
  for (const std::size_t unit_axis : {0U, 1U}) {
    EXPECT_EQ(count_of(dense_copy_text(unit_axis, true), "allow_tma = false"), 0);
    EXPECT_EQ(count_of(dense_copy_text(unit_axis, false), "allow_tma = false"), 1);
  }
}

TEST(TileirSchedule, ReadsAPieceThatWasStoredByTheSameWay) {
  program_builder p(1);
  const value_type tile = type_of(dtype::f32, {16});
  const int z = p.in_out(dtype::f32, {16}), again = p.out(dtype::f32, {16});
  p.store(z, p.constant(tile, 1.0));
  p.store(again, p.value(op::load_piece, tile, {}, {z}));
  compiler::program source = p.result();
  for (compiler::program_parameter& each : source.parameters) {
    each.facts.unit_stride[0] = each.facts.in_sixteens[0] = true;
  }
  const std::string text = to_text(tileir::emit(source, target::sm_90));
  EXPECT_EQ(count_of(text, "allow_tma = false"), 2) << text;  // the store and the load of z
}

// What is told of alignment where a reshape joins rows, or only drops an axis of one.
TEST(TileirSchedule, TellsNoAlignmentOfRowsThatAReshapeJoins) {
  const auto told = [](const std::vector<std::int32_t>& to) {
    program_builder p(1);
    const int x = p.in(dtype::f32, 3), z = p.out(dtype::f32, to);
    const value_id rows = p.load(x, type_of(dtype::f32, {1, 4, 8}), {p.index(0), p.index(0), p.index(0)});
    const value_id twice = p.value(op::add, type_of(dtype::f32, {1, 4, 8}), {rows, rows});
    p.store(z, p.value(op::reshape, type_of(dtype::f32, to), {twice}));
    compiler::program source = p.result();
    source.parameters[0].facts.alignment_bytes = 64;
    return count_of(to_text(tileir::emit(source, target::sm_90)), "div_by<64>");
  };
  EXPECT_EQ(told({32}), 0);
  EXPECT_EQ(told({4, 8}), 1);
  EXPECT_EQ(told({4, 4, 2}), 1);
  EXPECT_EQ(told({8, 4}), 0);
}

TEST(TileirSchedule, WritesHintsOfTheKernelByArchitecture) {
  const schedule plan = {.num_ctas = 2, .occupancy = 3, .workers = 8};
  EXPECT_EQ(count_of(copy_text(plan),
                     "hints {default = {num_cta_in_cga = 2 : i32, num_worker_warps_per_cta = 8 : i32, "
                     "occupancy = 3 : i32}}"),
            1);
  const std::string older = copy_text(plan, false, target::sm_89);
  EXPECT_EQ(count_of(older, "num_cta_in_cga"), 0) << older;
  EXPECT_EQ(count_of(older, "occupancy = 3"), 1) << older;
}

TEST(TileirSchedule, WritesHintsOfAccessesByParameter) {
  schedule plan;
  plan.all = {.latency = 6, .tma = 0};
  std::string text = copy_text(plan);
  EXPECT_EQ(count_of(text, "load_view_tko weak hints {default = {latency = 6 : i32, allow_tma = false}}"), 1) << text;
  EXPECT_EQ(count_of(text, "store_view_tko weak hints {default = {allow_tma = false}}"), 1) << text;
  plan.of[0] = {.latency = 3, .tma = 1};
  text = copy_text(plan);
  EXPECT_EQ(count_of(text, "load_view_tko weak hints {default = {latency = 3 : i32, allow_tma = true}}"), 1) << text;
  EXPECT_EQ(count_of(text, "store_view_tko weak hints {default = {allow_tma = false}}"), 1) << text;
}

TEST(TileirSchedule, StoresInPartsOfColumns) {
  program_builder p(2);
  const value_id sum = p.load(p.in(dtype::f32, 2), type_of(dtype::f32, {4, 8}));
  p.store(p.out(dtype::f16, {4, 8}), p.value(op::cast, type_of(dtype::f16, {4, 8}), {sum}));
  const std::string text = text_of(p, {.epilogue_parts = 2});
  EXPECT_EQ(count_of(text, " = extract"), 2) << text;
  EXPECT_EQ(count_of(text, ": tile<4x4xf16>"), 2) << text;
  EXPECT_EQ(count_of(text, "store_view_tko"), 2) << text;
  EXPECT_EQ(count_of(text, "tile<4x8xf16>"), 0) << text;
  EXPECT_EQ(count_of(text, "partition_view<tile=(4x4)"), 1) << text;
}

TEST(TileirSchedule, OrdersReadsAndWritesOfAPieceInsideThePersistentLoop) {
  const std::string text = copy_text({.persistent = true}, true);
  const std::size_t loop = text.find("for %"), token = text.find("make_token");
  ASSERT_NE(loop, std::string::npos) << text;
  ASSERT_NE(token, std::string::npos) << text;
  EXPECT_LT(loop, token) << text;  // blocks own their pieces: no order between them
  EXPECT_EQ(count_of(text, "make_token"), 1) << text;
}

TEST(TileirSchedule, WaitsForTheKernelBeforeFirst) {
  const std::string text = copy_text({.programmatic = true});
  const std::size_t start = text.find("gdc_launch_dependents_tko"), wait = text.find("gdc_wait_tko");
  ASSERT_NE(start, std::string::npos) << text;
  EXPECT_LT(start, wait) << text;
  EXPECT_LT(wait, text.find("assume")) << text;
  const std::size_t line = text.rfind('\n', wait) + 1;
  const std::size_t name = text.find('%', line);
  const std::string token = text.substr(name, text.find(' ', name) - name);
  EXPECT_EQ(count_of(text, "], " + token + " :"), 2) << text;  // the load and the store
  EXPECT_EQ(text.find("// Tile IR 13.4"), 0u);
}

TEST(TileirSchedule, WaitsOnlyWhereTheArchitectureCan) {
  const std::string text = copy_text({.programmatic = true}, false, target::sm_89);
  EXPECT_EQ(count_of(text, "gdc_"), 0) << text;
  EXPECT_FALSE(tileir::launch_form_of(fill(1, {.programmatic = true}), target::sm_89).programmatic);
  EXPECT_TRUE(tileir::launch_form_of(fill(1, {.programmatic = true}), target::sm_90).programmatic);
}

TEST(TileirSchedule, SaysHowTheKernelIsLaunched) {
  const compiler::program source = fill(1, {.persistent = true, .num_ctas = 2, .occupancy = 3});
  const compiler::gpu_launch_form form = tileir::launch_form_of(source, target::sm_90);
  EXPECT_TRUE(form.persistent);
  EXPECT_EQ(form.num_ctas, 2);
  EXPECT_EQ(form.occupancy, 3);
  EXPECT_EQ(tileir::launch_form_of(source, target::sm_86).num_ctas, 0);
}

// ---- Fast math -----------------------------------------------------------------------------------------------------
// z = body(x, y, column) on f32 tiles [4, 8].
template <class Body>
std::string arithmetic_text(const schedule& plan, const Body& body) {
  program_builder p(2);
  const value_type tile = type_of(dtype::f32, {4, 8});
  const value_id x = p.load(p.in(dtype::f32, 2), tile), y = p.load(p.in(dtype::f32, 2), tile);
  const value_id column = p.load(p.in(dtype::f32, 2), type_of(dtype::f32, {4, 1}));
  p.store(p.out(dtype::f32, {4, 8}), body(p, x, y, column));
  return text_of(p, plan);
}

TEST(TileirSchedule, FastMathContractsAProductWithOneUse) {
  const auto body = [](program_builder& p, value_id x, value_id y, value_id column) {
    return p.value(op::subtract, type_of(dtype::f32, {4, 8}), {p.like(op::multiply, {x, y}), column});
  };
  const std::string fast = arithmetic_text({.fast_math = true}, body);
  EXPECT_EQ(count_of(fast, "fma nearest_even"), 1) << fast;
  EXPECT_EQ(count_of(fast, "mulf"), 0) << fast;
  EXPECT_EQ(count_of(fast, "negf"), 1) << fast;  // of the column, before it is broadcast
  EXPECT_LT(fast.find("negf"), fast.find("broadcast")) << fast;
  EXPECT_EQ(count_of(arithmetic_text({}, body), "fma"), 0);
}

TEST(TileirSchedule, FastMathKeepsAProductThatIsUsedTwiceOrMadeOutsideALoop) {
  const std::string twice = arithmetic_text({.fast_math = true}, [](auto& p, value_id x, value_id y, value_id) {
    const value_id product = p.like(op::multiply, {x, y});
    return p.like(op::add, {p.like(op::add, {product, x}), product});
  });
  EXPECT_EQ(count_of(twice, "mulf nearest_even"), 1) << twice;
  EXPECT_EQ(count_of(twice, "fma"), 0) << twice;
  const std::string outside = arithmetic_text({.fast_math = true}, [](auto& p, value_id x, value_id y, value_id) {
    const value_id product = p.like(op::multiply, {x, y});
    return p.loop(p.index(0), p.index(4), p.index(1), {x}, [&](value_id, const std::vector<value_id>& carried) {
      return std::vector{p.like(op::add, {carried[0], product})};
    })[0];
  });
  EXPECT_EQ(count_of(outside, "fma"), 0) << outside;
}

TEST(TileirSchedule, FastMathIsApproximateInF32Alone) {
  const auto body = [](program_builder& p, value_id x, value_id y, value_id) {
    return p.like(op::divide, {p.like(op::exp, {x}), p.like(op::exp2, {y})});
  };
  const std::string fast = arithmetic_text({.fast_math = true}, body), exact = arithmetic_text({}, body);
  EXPECT_EQ(count_of(fast, "divf flags=0x1 approx"), 1) << fast;
  EXPECT_EQ(count_of(fast, "exp2 flags=0x1"), 2) << fast;
  EXPECT_EQ(count_of(fast, "mulf nearest_even"), 1) << fast;
  EXPECT_EQ(count_of(fast, "= exp "), 0) << fast;
  EXPECT_EQ(count_of(exact, "divf nearest_even"), 1) << exact;
  EXPECT_EQ(count_of(exact, "= exp full"), 1) << exact;
  program_builder p(1);
  const value_id x = p.load(p.in(dtype::f16, 1), type_of(dtype::f16, {8}));
  p.store(p.out(dtype::f16, {8}), p.like(op::divide, {p.like(op::exp, {x}), p.like(op::multiply, {x, x})}));
  const std::string narrow = text_of(p, {.fast_math = true});
  EXPECT_EQ(count_of(narrow, "flags"), 0) << narrow;
  EXPECT_EQ(count_of(narrow, "= exp full"), 1) << narrow;
}

// ---- Numbers that mean nothing -------------------------------------------------------------------------------------
TEST(TileirSchedule, RefusesNumbersThatMeanNothing) {
  const auto refusal = [](const schedule& plan) -> std::string {
    try {
      tileir::emit(fill(1, plan), target::sm_90);
    } catch (const compile_error& refused) {
      return refused.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal({.workers = 5}).find("workers of the schedule"), std::string::npos) << refusal({.workers = 5});
  EXPECT_NE(refusal({.num_ctas = 3}).find("num_ctas of the schedule"), std::string::npos);
  EXPECT_NE(refusal({.occupancy = 33}).find("occupancy of the schedule"), std::string::npos);
  EXPECT_NE(refusal({.swizzle = -1}).find("swizzle of the schedule"), std::string::npos);
  EXPECT_NE(refusal({.epilogue_parts = 3}).find("parts of the epilogue"), std::string::npos);
  EXPECT_NE(refusal({.epilogue_parts = 4}).find("the schedule splits the epilogue"), std::string::npos);
  schedule late;
  late.of[3].latency = 11;
  EXPECT_NE(refusal(late).find("latency of the schedule"), std::string::npos);
  EXPECT_EQ(refusal({.epilogue_parts = 2}), "accepted");
}

// ---- Products ------------------------------------------------------------------------------------------------------
std::string product_text(dtype factor, std::int64_t is_fast) {
  program_builder p(2);
  const value_id a = p.load(p.in(factor, 2), type_of(factor, {16, 32}));
  const value_id b = p.load(p.in(factor, 2), type_of(factor, {32, 16}));
  const value_type sum = type_of(dtype::f32, {16, 16});
  p.store(p.out(dtype::f32, {16, 16}), p.value(op::mma, sum, {a, b, p.constant(sum, 0)}, {is_fast}));
  return to_text(tileir::emit(p.result(), target::sm_90));
}

TEST(TileirProduct, SaysWhereItsSumMayBeFast) {
  for (const dtype element : {dtype::f8e4m3, dtype::f8e5m2}) {
    EXPECT_NE(product_text(element, 1).find("mmaf flags=0x1"), std::string::npos) << product_text(element, 1);
    EXPECT_EQ(product_text(element, 0).find("mmaf flags"), std::string::npos) << product_text(element, 0);
  }
}

TEST(TileirProduct, OfTf32IsOne) {
  const std::string text = product_text(dtype::tf32, 0);
  EXPECT_NE(text.find("tf32"), std::string::npos) << text;
  EXPECT_NE(text.find("mmaf"), std::string::npos) << text;
}

// ---- Elements that a GPU lacks -------------------------------------------------------------------------------------
TEST(TileirTarget, HasFp8FromSm90On) {
  for (const dtype element : {dtype::f8e4m3, dtype::f8e5m2}) {
    program_builder p(1);
    p.store(p.out(element, {8}), p.load(p.in(element, 1), type_of(element, {8})));
    EXPECT_NO_THROW((void)tileir::emit(p.result(), target::sm_90));
    EXPECT_NO_THROW((void)tileir::emit(p.result(), target::sm_120));
    try {
      (void)tileir::emit(p.result(), target::sm_89);
      ADD_FAILURE() << "accepted";
    } catch (const compile_error& refused) {
      EXPECT_NE(std::string(refused.what()).find(std::string("this GPU has no ") + info(element).name),
                std::string::npos)
          << refused.what();
    }
    program_builder only_a_parameter(1);
    (void)only_a_parameter.in(element, 1);
    only_a_parameter.store(only_a_parameter.out(dtype::i8, {8}), only_a_parameter.constant(type_of(dtype::i8, {8}), 1));
    EXPECT_THROW((void)tileir::emit(only_a_parameter.result(), target::sm_86), compile_error);
  }
}

}  // namespace
}  // namespace tilewright::test
