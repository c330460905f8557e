// SPDX-License-Identifier: Apache-2.0
// From host arguments to Dims, grid and facts, and what a launch may get wrong about them.
#include <gtest/gtest.h>

#include <functional>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/compiler/image.hpp"

namespace tilewright::compiler {
namespace {

using ast::dynamic_extent;
using test::dense;
using test::module_builder;
using test::shared;

// z Out f32 (BM, BN); x In f32 (any, K); y In f32 (K, any), loaded in tiles (BM, BK) and (BK, BN).
void build(module_builder& m) {
  const auto bm = m.symbol("BM"), bn = m.symbol("BN"), bk = m.symbol("BK"), k = m.symbol("K");
  m.out(dtype::f32, {bm, bn});
  const auto x = m.in(dtype::f32, {dynamic_extent, k});
  const auto y = m.in(dtype::f32, {k, dynamic_extent});
  const auto step = m.for_begin(m.tiles(x, 1, bk));
  m.load(x, {bm, bk}, {m.block_id(0), step});
  m.load(y, {bk, bn}, {step, m.block_id(1)});
  m.for_end();
}

bound_arguments bound(const std::vector<argument>& arguments, const std::vector<named_extent>& with = {{"BK", 8}},
                      const std::vector<named_extent>& defaults = {}) {
  module_builder m("product");
  build(m);
  return bind_arguments(m.view(), arguments, with, defaults);
}

std::vector<argument> good() { return {dense({100, 60}, {32, 16}), dense({100, 24}), dense({24, 60})}; }

TEST(BindArguments, TakesDimsFromPiecesExtentsAndWith) {
  const bound_arguments b = bound(good());
  EXPECT_EQ(b.special.dims, (std::vector<index_t>{32, 16, 8, 24}));
  EXPECT_EQ(b.grid, (std::vector<index_t>{4, 4}));
}

TEST(BindArguments, LetsTheLastWithWin) { EXPECT_EQ(bound(good(), {{"BK", 8}, {"BK", 4}}).special.dims[2], 4); }

TEST(BindArguments, TakesDefaultsOnlyWhereNothingElseBinds) {
  EXPECT_EQ(bound(good(), {}, {{"BK", 12}, {"BM", 999}}).special.dims, (std::vector<index_t>{32, 16, 12, 24}));
}

struct refusal_case {
  const char* name;
  std::function<void(std::vector<argument>&, std::vector<named_extent>&)> change;
  const char *what, *where, *expected, *got;
};

class BindArgumentsRefuses : public testing::TestWithParam<refusal_case> {};

TEST_P(BindArgumentsRefuses, WithUsageError) {
  std::vector<argument> arguments = good();
  std::vector<named_extent> with = {{"BK", 8}};
  GetParam().change(arguments, with);
  try {
    bound(arguments, with);
    FAIL() << "nothing was thrown";
  } catch (const usage_error& e) {
    EXPECT_EQ(e.parts().what, GetParam().what);
    EXPECT_EQ(e.parts().where, GetParam().where);
    EXPECT_EQ(e.parts().expected, GetParam().expected);
    EXPECT_EQ(e.parts().got, GetParam().got);
    EXPECT_FALSE(e.parts().fix.empty());
  }
}

using argument_list = std::vector<argument>;
using name_list = std::vector<named_extent>;
const refusal_case refusal_cases[] = {
    {"too_few_arguments", [](argument_list& a, name_list&) { a.pop_back(); }, "wrong number of arguments",
     "kernel 'product'", "3", "2"},
    {"another_rank", [](argument_list& a, name_list&) { a[1] = dense({100}); },
     "a tensor's rank differs from the kernel's", "kernel 'product', parameter 1 (In)", "rank 2", "rank 1"},
    {"extents_that_disagree",
     [](argument_list& a, name_list&) {
       a[2] = dense({25, 60});
     },
     "two values for dim 'K'", "kernel 'product'", "24 from the extent of axis 1 of parameter 1",
     "25 from the extent of axis 0 of parameter 2"},
    {"with_against_a_piece",
     [](argument_list&, name_list& n) {
       n.push_back({"BM", 64});
     },
     "two values for dim 'BM'", "kernel 'product'", "32 from the piece on axis 0 of parameter 0", "64 from .with(...)"},
    {"dim_without_a_value", [](argument_list&, name_list& n) { n.clear(); }, "dim 'BK' has no value",
     "kernel 'product'", "a value from a piece, a named extent, .with(...) or .defaults(...)", ""},
    {"unknown_dim",
     [](argument_list&, name_list& n) {
       n.push_back({"BX", 1});
     },
     "the kernel has no dim 'BX'", "kernel 'product'", "one of BM, BN, BK, K", "'BX'"},
    {"tile_of_no_elements", [](argument_list&, name_list& n) { n[0].value = 0; }, "dim 'BK' is no extent of a tile",
     "kernel 'product'", "1 to 2147483647", "0 from .with(...)"},
    {"tile_too_wide", [](argument_list&, name_list& n) { n[0].value = index_t{1} << 31; },
     "dim 'BK' is no extent of a tile", "kernel 'product'", "1 to 2147483647", "2147483648 from .with(...)"},
    {"no_partition",
     [](argument_list& a, name_list&) {
       a[0] = dense({100, 60});
     },
     "a piece has no elements", "kernel 'product', parameter 0 (Out), axis 0", "an extent from 1 to 2147483647", "0"},
    {"negative_extent", [](argument_list& a, name_list&) { a[1].extents[0] = -1; }, "an extent is out of range",
     "kernel 'product', parameter 1 (In), axis 0", "0 to 2^48", "-1"},
};
INSTANTIATE_TEST_SUITE_P(Each, BindArgumentsRefuses, testing::ValuesIn(refusal_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(BindArguments, RefusesExtentsThatANumberForbids) {
  module_builder m("fixed");
  m.out(dtype::f32, {4});
  m.in(dtype::f32, {7});
  EXPECT_NO_THROW(bind_arguments(m.view(), {dense({8}, {4}), dense({7})}, {}, {}));
  EXPECT_THROW(bind_arguments(m.view(), {dense({8}, {4}), dense({8})}, {}, {}), usage_error);
  EXPECT_THROW(bind_arguments(m.view(), {dense({8}, {5}), dense({7})}, {}, {}), usage_error);
}

// ---- Grid ----------------------------------------------------------------------------------------------------------
TEST(BindArgumentsGrid, CountsOnePieceOnAnAxisThatAnOutputLacks) {
  module_builder m("two");
  m.out(dtype::f32, {4});
  m.out(dtype::f32, {4, 8});
  const auto grid = [&](index_t columns) {
    return bind_arguments(m.view(), {dense({10}, {4}), dense({10, columns}, {4, 8})}, {}, {}).grid;
  };
  EXPECT_EQ(grid(8), (std::vector<index_t>{3, 1}));
  EXPECT_THROW(grid(9), usage_error);
}

TEST(BindArgumentsGrid, HasNoBlocksWhereAnExtentIsZero) {
  EXPECT_EQ(bound({dense({0, 60}, {32, 16}), dense({0, 24}), dense({24, 60})}).grid, (std::vector<index_t>{0, 4}));
}

TEST(BindArgumentsGrid, IsOneBlockForOutputsOfRankZero) {
  module_builder m("scalar");
  m.out(dtype::f32, {});
  EXPECT_TRUE(bind_arguments(m.view(), {dense({})}, {}, {}).grid.empty());
}

TEST(BindArgumentsGrid, HasThePiecesOfItsIndicesOnTheRowsOfAScatter) {
  module_builder m("scatter");
  const auto z = m.scatter(dtype::f32, {4, 8});
  const auto rows = m.unique(dtype::i32);
  m.store_rows(z, m.constant(dtype::f32, {4, 8}, 0), m.own_rows(rows, 4), rows);
  const auto bind = [&](index_t length, index_t indices, index_t bound) {
    argument list = dense({indices});
    list.index_bound = bound;
    return bind_arguments(m.view(), {dense({length, 20}, {4, 8}), list}, {}, {});
  };
  EXPECT_EQ(bind(100, 9, 100).grid, (std::vector<index_t>{3, 3}));
  EXPECT_EQ(bind(100, 0, 0).grid, (std::vector<index_t>{0, 3}));
  const tensor_facts facts = bind(8, 8, 8).special.facts[0];
  EXPECT_FALSE(facts.divides[0]) << "of the tensor's rows, which its pieces do not follow";
  EXPECT_FALSE(facts.single_tile[0]);
  EXPECT_THROW(bind(99, 9, 100), usage_error);
  EXPECT_THROW(bind(100, 9, not_stated), usage_error) << "nobody has checked them";
}

// ---- Shared pieces -------------------------------------------------------------------------------------------------
TEST(BindArgumentsGrid, CountsTheBlocksThatShareAPieceOnTheAxisBehindAnAccums) {
  module_builder m("accum");
  m.accum(dtype::f32, {4});
  const auto grid = [&](index_t extent, index_t blocks) {
    return bind_arguments(m.view(), {shared(dense({extent}, {4}), blocks)}, {}, {}).grid;
  };
  EXPECT_EQ(grid(10, 7), (std::vector<index_t>{3, 7}));
  EXPECT_EQ(grid(10, 0), (std::vector<index_t>{3, 0}));
  EXPECT_EQ(grid(10, not_stated), (std::vector<index_t>{3, 1}));
  EXPECT_EQ(grid(0, 7), (std::vector<index_t>{0, 7}));
  EXPECT_THROW(grid(10, -1), usage_error);
  EXPECT_THROW(grid(10, (index_t{1} << 48) + 1), usage_error);
}

TEST(BindArgumentsGrid, OfAnotherOutputMakesBlocksShareTheAccumsPieces) {
  module_builder m("both");
  m.accum(dtype::f32, {4});
  m.out(dtype::f32, {4, 8});
  const auto grid = [&](index_t rows, index_t blocks) {
    return bind_arguments(m.view(), {shared(dense({rows}, {4}), blocks), dense({10, 20}, {4, 8})}, {}, {}).grid;
  };
  EXPECT_EQ(grid(10, not_stated), (std::vector<index_t>{3, 3}));
  EXPECT_EQ(grid(10, 3), (std::vector<index_t>{3, 3}));
  EXPECT_THROW(grid(10, 4), usage_error);
  EXPECT_THROW(grid(13, not_stated), usage_error);  // four pieces
}

TEST(BindArgumentsGrid, RefusesToShareAPieceThatEachBlockStores) {
  module_builder m("own");
  m.out(dtype::f32, {4});
  EXPECT_THROW(bind_arguments(m.view(), {shared(dense({10}, {4}), 2)}, {}, {}), usage_error);
  m.accum(dtype::f32, {4});
  EXPECT_THROW(bind_arguments(m.view(), {dense({10}, {4}), shared(dense({10}, {4}), 2)}, {}, {}), usage_error);
  EXPECT_EQ(bind_arguments(m.view(), {dense({10}, {4}), shared(dense({10}, {4}), 1)}, {}, {}).grid,
            (std::vector<index_t>{3}));
}

TEST(BindArgumentsGrid, OfSeveralAccumsIsOfTheWidest) {
  module_builder m("accums");
  m.accum(dtype::f32, {});
  m.accum(dtype::f32, {4});
  m.accum(dtype::f32, {2});
  const auto grid = [&](index_t scalar, index_t first, index_t second) {
    return bind_arguments(m.view(),
                          {shared(dense({}), scalar), shared(dense({12}, {4}), first), shared(dense({6}, {2}), second)},
                          {}, {})
        .grid;
  };
  EXPECT_EQ(grid(not_stated, not_stated, 5), (std::vector<index_t>{3, 5}));
  EXPECT_EQ(grid(15, 5, 5), (std::vector<index_t>{3, 5}));
  EXPECT_THROW(grid(not_stated, 4, 5), usage_error);
  EXPECT_THROW(grid(3, 5, 5), usage_error);
  EXPECT_THROW(grid(5, 5, 5), usage_error);
}

// ---- Facts ---------------------------------------------------------------------------------------------------------
TEST(BindArgumentsFacts, DividesMeansEveryTileUsedOnTheAxis) {
  module_builder m("facts");
  m.out(dtype::f32, {4});
  const auto x = m.in(dtype::f32, {dynamic_extent});
  m.load(x, {8}, {m.block_id(0)});
  m.tiles(x, 0, 12);
  const auto divides = [&](index_t extent) {
    return bind_arguments(m.view(), {dense({8}, {4}), dense({extent})}, {}, {}).special.facts[1].divides[0];
  };
  EXPECT_TRUE(divides(48));
  EXPECT_FALSE(divides(16));
  EXPECT_FALSE(divides(12));
  EXPECT_TRUE(divides(0));
}

TEST(BindArgumentsFacts, SingleTileMeansOneTileAndNotNone) {
  module_builder m("facts");
  m.out(dtype::f32, {4});
  m.load(m.in(dtype::f32, {dynamic_extent}), {8}, {m.index(0)});
  const auto is_single = [&](index_t extent) {
    return bind_arguments(m.view(), {dense({8}, {4}), dense({extent})}, {}, {}).special.facts[1].single_tile[0];
  };
  EXPECT_FALSE(is_single(0));
  EXPECT_TRUE(is_single(1));
  EXPECT_TRUE(is_single(8));
  EXPECT_FALSE(is_single(9));
}

TEST(BindArgumentsFacts, AlignmentStridesAndRange) {
  argument x = dense({100, 24}, {}, 0x1040);
  x.strides = {24, 1};
  const auto facts_of = [&](const argument& given) {
    return bound({dense({100, 60}, {32, 16}), given, dense({24, 60})}).special.facts[1];
  };
  const tensor_facts facts = facts_of(x);
  EXPECT_EQ(facts.alignment_bytes, 64);
  EXPECT_EQ(facts.stride_divisor[0], 8);
  EXPECT_EQ(facts.stride_divisor[1], 1);
  EXPECT_FALSE(facts.unit_stride[0]);
  EXPECT_TRUE(facts.unit_stride[1]);
  EXPECT_FALSE(facts.in_sixteens[0] || facts.in_sixteens[1]);
  EXPECT_TRUE(facts.fits_31_bits);
  const tensor_facts even = bound({dense({100, 60}, {32, 16}), dense({96, 48}), dense({48, 60})}).special.facts[1];
  EXPECT_TRUE(even.in_sixteens[1]);
  EXPECT_FALSE(even.in_sixteens[0]);  // said for unit strides: the number of rows may grow
  x.strides[0] = 6'000'000;           // 99 rows down is past 2^31 bytes
  EXPECT_FALSE(facts_of(x).fits_31_bits);
  x.strides[0] = -24;  // as near as they were, backwards
  EXPECT_FALSE(facts_of(x).fits_31_bits);
  EXPECT_EQ(facts_of(dense({100, 24}, {}, 0x1001)).alignment_bytes, 1);
  EXPECT_EQ(facts_of(dense({100, 24}, {}, 0x100000)).alignment_bytes, 128);
}

// KER-10: the last of 320 batches begins past 2^31 elements; of 32 batches all bytes are under 2^31.
TEST(BindArgumentsFacts, OffsetsOfManyBatchesTakeMoreThan32Bits) {
  module_builder m("batches");
  const auto z = m.out(dtype::f16, {1, 64, 64});
  const auto x = m.in(dtype::f16, {ast::dynamic_extent, ast::dynamic_extent, ast::dynamic_extent});
  m.store(z, m.load(x, {1, 64, 64}, {m.block_id(0), m.block_id(1), m.block_id(2)}));
  const auto is_small = [&](index_t batches) {
    const std::vector<argument> arguments = {dense({batches, 2560, 3072}, {1, 64, 64}), dense({batches, 2560, 3072})};
    return bind_arguments(m.view(), arguments, {}, {}).special.facts[1].fits_31_bits;
  };
  EXPECT_FALSE(is_small(320));
  EXPECT_TRUE(is_small(32));
}

TEST(BindArgumentsFacts, IntegerScalarsAreSmallOrNot) {
  module_builder m("scalar");
  m.out(dtype::f32, {4});
  m.scalar(dtype::i32);
  m.scalar(dtype::u64);
  m.scalar(dtype::f32);
  const auto is_small = [&](std::uint64_t i32_bits, std::uint64_t u64_bits) {
    const auto facts =
        bind_arguments(
            m.view(), {dense({8}, {4}), test::scalar_bits(i32_bits), test::scalar_bits(u64_bits), test::scalar_bits(0)},
            {}, {})
            .special.facts;
    EXPECT_FALSE(facts[3].fits_31_bits);
    return std::pair(facts[1].fits_31_bits, facts[2].fits_31_bits);
  };
  EXPECT_EQ(is_small(0xffffffff, 5), std::pair(true, true));  // -1
  EXPECT_EQ(is_small(1u << 28, ~0ull), std::pair(false, false));
}

// ---- The parameter block -------------------------------------------------------------------------------------------
TEST(ParameterBlock, HoldsAddressExtentsAndStrides) {
  const std::vector<argument> arguments = {dense({6, 8}, {2, 2}, 0x2000), test::scalar_bits(7), dense({}, {}, 0x3000)};
  std::vector<program_parameter> parameters(3);
  parameters[0].rank = 2;
  parameters[0].kind = parameter_kind::out;
  parameters[1].kind = parameter_kind::scalar;
  ASSERT_EQ(parameter_block_words(parameters), 7u);
  std::vector<std::uint64_t> words(7);
  write_parameter_block(parameters, arguments, words.data());
  EXPECT_EQ(words, (std::vector<std::uint64_t>{0x2000, 6, 8, 8, 1, 7, 0x3000}));
}

TEST(ParameterBlock, TellsHowManyBlocksShareAPieceOfAnAccum) {
  std::vector<program_parameter> parameters(1);
  parameters[0].kind = parameter_kind::accum;
  parameters[0].rank = 1;
  ASSERT_EQ(parameter_block_words(parameters), 4u);
  std::vector<std::uint64_t> words(4);
  const index_t grid[] = {3, 9};
  write_parameter_block(parameters, {dense({6}, {2}, 0x2000)}, words.data(), grid);
  EXPECT_EQ(words, (std::vector<std::uint64_t>{0x2000, 6, 1, 9}));
  write_parameter_block(parameters, {dense({6}, {2}, 0x2000)}, words.data());
  EXPECT_EQ(words[3], 1u);
}

}  // namespace
}  // namespace tilewright::compiler
