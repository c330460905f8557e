// SPDX-License-Identifier: Apache-2.0
// Every operation on every element it takes, in tiles that are powers of two and in tiles that are not: the vendor's
// reader and verifier accept what is emitted, and refuse what ours refuses of modules with one thing changed.
#include <functional>
#include <set>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/write.hpp"
#include "support/program_builder.hpp"
#include "tileir/mutation.hpp"
#include "tileir/shown_text.hpp"
#include "tileir/tools.hpp"
#include "tilewright/ast/products.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ast::op_category;
using ast::takes;
using shape = std::vector<std::int32_t>;

class EveryTileirOp : public TileirTools {
 protected:
  // Counts the operations whose programs were accepted.
  void accept(program_builder& p, op which, dtype element, const schedule& plan = {}) {
    compiler::program source = p.result();
    source.schedule = plan;
    accept(source, which, element);
  }
  void accept(const compiler::program& source, op which, dtype element) {
    try {
      const compiler::tileir::bytecode made = compiler::tileir::emit(source, compiler::target::sm_90);
      const auto fault = find_fault(made);
      EXPECT_FALSE(fault.has_value()) << to_text(*fault);
      expect_shown_alike(to_text(made), disassemble(tools(), write(made)));
      accepted_.insert(which);
      refusals_ += compare_verifiers(tools(), made, mutations, ++cases_ * mutations);
    } catch (const error& refused) {
      ADD_FAILURE() << ast::info(which).name << " of " << info(element).name << ": " << refused.what();
    }
  }

  static void for_each_case(const std::function<bool(op)>& wanted, const std::function<void(op, dtype)>& visit) {
    for (int o = 0; o < ast::op_count; ++o) {
      if (!wanted(static_cast<op>(o))) continue;
      for (int e = 0; e < dtype_count; ++e) {
        if (takes(static_cast<op>(o), static_cast<dtype>(e))) visit(static_cast<op>(o), static_cast<dtype>(e));
      }
    }
  }

  static constexpr int mutations = 2;
  std::set<op> accepted_;
  std::uint32_t cases_ = 0;
  int refusals_ = 0;
};

bool is_element_wise(op which) {
  const op_category category = ast::info(which).category;
  return category == op_category::unary || category == op_category::binary || category == op_category::comparison;
}

bool is_along_axis(op which) {
  const op_category category = ast::info(which).category;
  return category == op_category::reduce || category == op_category::scan;
}

TEST_F(EveryTileirOp, OfOneOrTwoOperandsIsAccepted) {
  for_each_case(is_element_wise, [&](op which, dtype element) {
    const bool compares = ast::info(which).category == op_category::comparison;
    program_builder p;
    for (const std::int32_t width : {64, 5}) {
      const value_type tile = type_of(element, {width}), result = type_of(compares ? dtype::boolean : element, {width});
      std::vector<value_id> operands;
      for (int n = 0; n < ast::info(which).operands; ++n) operands.push_back(p.load(p.in(element, 1), tile));
      p.store(p.out(result.element, {width}), p.value(which, result, operands));
    }
    accept(p, which, element);
  });
  EXPECT_EQ(accepted_.size(), 17u + 17 + 6);
  EXPECT_GT(refusals_, 50);
}

TEST_F(EveryTileirOp, OfEachRoundingIsAccepted) {
  int count = 0;
  for (const dtype element : {dtype::f32, dtype::f64}) {
    for (int n = 0; n < ast::op_count * ast::rounding_count; ++n) {
      const op which = static_cast<op>(n / ast::rounding_count);
      const auto how = static_cast<ast::rounding>(n % ast::rounding_count);
      if (how == ast::rounding::nearest_even || !ast::may_round(which, how) || !ast::is_rounded(element, how)) continue;
      program_builder p;
      const value_type tile = type_of(element, {5});
      std::vector<value_id> operands;
      while (static_cast<int>(operands.size()) < ast::info(which).operands)
        operands.push_back(p.load(p.in(element, 1), tile));
      p.store(p.out(element, {5}), p.value(which, tile, operands, {static_cast<std::int64_t>(how)}));
      accept(p, which, element);
      const std::string shown = to_text(compiler::tileir::emit(p.result(), compiler::target::sm_90));
      const bool is_extreme = which == op::minimum || which == op::maximum;  // whose first flag is about NaN
      const char* const flush = is_extreme ? "flags=0x3" : "flags=0x1";
      const char* const names[] = {"", "zero", "negative_inf", "positive_inf", "approx", "full", flush};
      EXPECT_NE(shown.find(names[static_cast<int>(how)]), std::string::npos) << shown;
      const std::string bytes = write(compiler::tileir::emit(p.result(), compiler::target::sm_90));
      EXPECT_EQ(assemble(tools(), bytes, *p.result().module).cubin.substr(1, 3), "ELF");
      ++count;
    }
  }
  EXPECT_EQ(count, 2 * 18 + 10 + 3 + 1);
}

TEST_F(EveryTileirOp, AlongAnAxisIsAccepted) {
  for_each_case(is_along_axis, [&](op which, dtype element) {
    program_builder p(2);
    const int x = p.in(element, 2);
    for (const shape& extents : {shape{4, 16}, shape{3, 6}, shape{1, 1}}) {
      for (const std::int64_t axis : {0, 1}) {
        value_type result = type_of(element, extents);
        const bool is_scan = ast::info(which).category == op_category::scan;
        if (!is_scan) result.extents[static_cast<std::size_t>(axis)] = 1;
        if (which == op::argmax) result.element = dtype::index;
        std::vector<std::int64_t> attributes = {axis};
        if (is_scan) attributes.push_back(axis);  // along rows in reverse
        const value_id made = p.value(which, result, {p.load(x, type_of(element, extents))}, attributes);
        p.store(p.out(result.element, {result.extents[0], result.extents[1]}), made);
      }
    }
    accept(p, which, element);
  });
  EXPECT_EQ(accepted_.size(), 9u);
}

TEST_F(EveryTileirOp, ByACombinerIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    const auto element = static_cast<dtype>(e);
    program_builder p(2);
    const int x = p.in(element, 2), y = p.in(dtype::i32, 2);
    const value_id limit = p.value(op::scalar, type_of(dtype::i32), {}, {p.scalar(dtype::i32)});
    for (const shape& extents : {shape{4, 16}, shape{3, 6}, shape{1, 1}}) {
      for (const std::int64_t axis : {0, 1}) {
        const std::vector<value_id> tiles = {p.load(x, type_of(element, extents)),
                                             p.load(y, type_of(dtype::i32, extents))};
        const auto combiner = [&](const std::vector<value_id>& left, const std::vector<value_id>& right) {
          const value_id is_less = p.value(op::less, type_of(dtype::boolean), {right[1], left[1]});
          const value_id sum = p.like(op::add, {left[1], right[1]});
          return std::vector{p.value(op::select, type_of(element), {is_less, right[0], left[0]}),
                             p.like(op::minimum, {sum, limit})};
        };
        const auto reduced = p.combined(op::reduce_begin, tiles, {axis, 0, 0}, combiner);
        const auto scanned = p.combined(op::scan_begin, tiles, {axis, axis, 0, 0}, combiner);
        shape kept = extents;
        kept[static_cast<std::size_t>(axis)] = 1;
        p.store(p.out(element, kept), reduced[0]);
        p.store(p.out(dtype::i32, kept), reduced[1]);
        p.store(p.out(element, extents), scanned[0]);
        p.store(p.out(dtype::i32, extents), scanned[1]);
      }
    }
    accept(p, op::reduce_begin, element);
    const std::string bytes = write(compiler::tileir::emit(p.result(), compiler::target::sm_90));
    EXPECT_EQ(assemble(tools(), bytes, *p.result().module).cubin.substr(1, 3), "ELF") << info(element).name;
  }
}

// Its bytes are converted by integer operations, so that GPUs that lack the type have it too.
TEST_F(EveryTileirOp, ScalesOfF8e8m0AreAssembledForEveryGpu) {
  program_builder p;
  const value_type scales = type_of(dtype::f8e8m0, {24}), numbers = type_of(dtype::f32, {24});
  const value_id single = p.value(op::cast, numbers, {p.load(p.in(dtype::f8e8m0, 1), scales)});
  p.store(p.out(dtype::f32, {24}), single);
  p.store(p.out(dtype::f8e8m0, {24}), p.value(op::cast, scales, {p.like(op::add, {single, single})}));
  using compiler::target;
  for (const target where : {target::sm_80, target::sm_90, target::sm_100, target::sm_120}) {
    const std::string bytes = write(compiler::tileir::emit(p.result(), where));
    const auto made = assemble(tools(), bytes, *p.result().module, {.architecture = name_of(where)});
    EXPECT_EQ(made.cubin.substr(1, 3), "ELF") << name_of(where);
  }
}

// Codes in bytes, converted by integer operations, for the same reason: to and from each element, and moved.
TEST_F(EveryTileirOp, HalfBytesAreAssembledForEveryGpu) {
  using compiler::target;
  for (const dtype element : {dtype::f4e2m1, dtype::i4, dtype::u4}) {
    for (const target where : {target::sm_80, target::sm_90, target::sm_120}) {
      program_builder p(2);
      const value_type tile = type_of(element, {4, 8});
      const auto as_bytes = [&](value_type type, value_id x) {
        type.element = dtype::u8;
        return p.value(op::bitcast, type, {x});
      };
      const value_id x = p.value(op::bitcast, tile, {p.load(p.in(dtype::u8, 2), type_of(dtype::u8, {4, 8}))});
      for (int e = 0; e < tile_dtype_count; ++e) {
        const auto other = static_cast<dtype>(e);
        if (!ast::is_converted(element, other) || (is_fp8(other) && where < target::sm_90)) continue;
        const value_id made = p.value(op::cast, type_of(other, {4, 8}), {x});
        const value_id back = p.value(op::cast, tile, {made});
        p.store(p.out(dtype::u8, {4, 8}), as_bytes(tile, back));
        if (!is_half_byte(other)) p.store(p.out(other, {4, 8}), made);
      }
      const value_type longer = type_of(element, {4, 16}), turned = type_of(element, {16, 4});
      const value_id joined = p.value(op::cat, longer, {x, p.constant(tile, 1)}, {1});
      const value_id moved = p.value(op::permute, turned, {joined}, {0x01});
      p.store(p.out(dtype::u8, {16, 4}), as_bytes(turned, moved));
      const compiler::tileir::bytecode code = compiler::tileir::emit(p.result(), where);
      const auto fault = find_fault(code);
      EXPECT_FALSE(fault.has_value()) << to_text(*fault);
      const auto made = assemble(tools(), write(code), *p.result().module, {.architecture = name_of(where)});
      EXPECT_EQ(made.cubin.substr(1, 3), "ELF") << info(element).name << " " << name_of(where);
    }
  }
}

TEST_F(EveryTileirOp, CastAndBitcastBetweenAllElementsAreAccepted) {
  for (int from = 0; from < dtype_count; ++from) {
    for (int to = 0; to < dtype_count; ++to) {
      const auto source = static_cast<dtype>(from), target = static_cast<dtype>(to);
      if (!ast::is_converted(source, target)) continue;
      program_builder p;
      const value_id x = p.load(p.in(source, 1), type_of(source, {5}));
      p.store(p.out(target, {5}), p.value(op::cast, type_of(target, {5}), {x}));
      const bool keeps_bits = takes(op::bitcast, source) && takes(op::bitcast, target);
      if (keeps_bits && info(source).bits == info(target).bits) {
        p.store(p.out(target, {5}), p.value(op::bitcast, type_of(target, {5}), {x}));
      }
      accept(p, op::cast, source);
    }
  }
}

// Elements that are not compared are compared as bytes, or in f32.
value_id are_equal(program_builder& p, value_type a_type, value_id a, value_type b_type, value_id b) {
  value_type joined = a_type;
  joined.element = dtype::boolean;
  if (!takes(op::equal, a_type.element)) {
    const bool is_wide = a_type.element == dtype::tf32;
    a_type.element = b_type.element = is_wide ? dtype::f32 : dtype::u8;
    a = p.value(is_wide ? op::cast : op::bitcast, a_type, {a});
    b = p.value(is_wide ? op::cast : op::bitcast, b_type, {b});
  }
  return p.value(op::equal, joined, {a, b});
}

TEST_F(EveryTileirOp, ThatMovesElementsIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    const auto element = static_cast<dtype>(e);
    program_builder p(2);
    const int x = p.in(element, 2);
    const auto tile = [&](const shape& extents) { return type_of(element, extents); };
    const value_id a = p.load(x, tile({4, 8})), odd = p.load(x, tile({3, 5})), column = p.load(x, tile({3, 1}));
    const auto store = [&](const shape& extents, value_id stored) { p.store(p.out(element, extents), stored); };
    store({8, 4}, p.value(op::permute, tile({8, 4}), {a}, {0x01}));
    store({5, 3}, p.value(op::permute, tile({5, 3}), {odd}, {0x01}));
    store({2, 16}, p.value(op::reshape, tile({2, 16}), {a}));
    store({3, 5}, p.value(op::reshape, tile({3, 5}), {p.value(op::reshape, tile({3, 1, 5}), {odd})}));
    store({3, 5}, p.value(op::broadcast, tile({3, 5}), {column}));
    store({4, 16}, p.value(op::cat, tile({4, 16}), {a, a}, {1}));
    store({4, 2}, p.value(op::extract, tile({4, 2}), {a}, {0, 3, 0, 0, 0, 0}));
    store({3, 5}, p.value(op::select, tile({3, 5}), {are_equal(p, tile({3, 5}), odd, tile({3, 5}), odd), odd, column}));
    if (element != dtype::boolean) store({3, 5}, p.constant(tile({3, 5}), 1));
    if (takes(op::iota, element)) store({3, 5}, p.value(op::iota, tile({3, 5}), {}, {1}));
    if (takes(op::fma, element)) store({3, 5}, p.value(op::fma, tile({3, 5}), {odd, column, odd}));
    accept(p, op::permute, element);
  }
}

TEST_F(EveryTileirOp, ThatMultipliesMatricesIsAccepted) {
  int tried = 0;
  for (int n = 0; n < dtype_count * dtype_count * dtype_count; ++n) {
    const auto left = static_cast<dtype>(n % dtype_count), right = static_cast<dtype>(n / dtype_count % dtype_count);
    const auto sum = static_cast<dtype>(n / dtype_count / dtype_count);
    if (!ast::are_factors(left, right) || !ast::sums_in(left, sum)) continue;
    ++tried;
    for (const std::int32_t depth : {16, 12}) {
      program_builder p(2);
      const value_id a = p.load(p.in(left, 2), type_of(left, {6, depth}));
      const value_id b = p.load(p.in(right, 2), type_of(right, {depth, 8}));
      const value_id c = p.constant(type_of(sum, {6, 8}), 0);
      p.store(p.out(sum, {6, 8}), p.value(op::mma, type_of(sum, {6, 8}), {a, b, c}, {0}));
      accept(p, op::mma, left);
    }
    if (ast::has_fast_sum(left, sum)) {
      program_builder p(2);
      const value_id a = p.load(p.in(left, 2), type_of(left, {64, 64}));
      const value_id b = p.load(p.in(right, 2), type_of(right, {64, 64}));
      const value_type type = type_of(sum, {64, 64});
      p.store(p.out(sum, {64, 64}), p.value(op::mma, type, {a, b, p.constant(type, 0)}, {1}));
      accept(p, op::mma, left);
    }
    for (const std::int32_t batch : {1, 3}) {
      program_builder p(3);
      const value_id a = p.load(p.in(left, 3), type_of(left, {batch, 6, 12}));
      const value_id b = p.load(p.in(right, 3), type_of(right, {batch, 12, 8}));
      const value_id c = p.constant(type_of(sum, {batch, 6, 8}), 0);
      p.store(p.out(sum, {batch, 6, 8}), p.value(op::mma, type_of(sum, {batch, 6, 8}), {a, b, c}, {0}));
      accept(p, op::mma, left);
    }
  }
  EXPECT_EQ(tried, 14);
}

// By the tensor core from sm_100 on, before by mma of bf16. What has fp8 needs sm_90.
TEST_F(EveryTileirOp, ScaledProductsAreAssembledForEveryGpu) {
  using compiler::target;
  struct form {
    dtype factor, scale;
    std::int32_t depth;
  };
  for (const form& f : {form{dtype::f8e4m3, dtype::f8e8m0, 32}, form{dtype::f8e5m2, dtype::f8e8m0, 32},
                        form{dtype::f4e2m1, dtype::f8e8m0, 32}, form{dtype::f4e2m1, dtype::f8e8m0, 16},
                        form{dtype::f4e2m1, dtype::f8e4m3, 16}}) {
    for (const target where : {target::sm_80, target::sm_90, target::sm_100, target::sm_120}) {
      if (where < target::sm_90 && (is_fp8(f.factor) || is_fp8(f.scale))) continue;
      program_builder p(2);
      const auto tile = [&](dtype element, std::int32_t rows, std::int32_t columns) {
        const value_id codes = p.load(p.in(dtype::u8, 2), type_of(dtype::u8, {rows, columns}));
        return p.value(op::bitcast, type_of(element, {rows, columns}), {codes});
      };
      const std::int32_t blocks = 64 / f.depth;
      const value_type sum = type_of(dtype::f32, {16, 16});
      const value_id a = tile(f.factor, 16, 64), b = tile(f.factor, 64, 16);
      const value_id of_a = tile(f.scale, 16, blocks), of_b = tile(f.scale, blocks, 16);
      p.store(p.out(dtype::f32, {16, 16}), p.value(op::mma_scaled, sum, {a, b, p.constant(sum, 0), of_a, of_b}));
      const compiler::tileir::bytecode code = compiler::tileir::emit(p.result(), where);
      EXPECT_EQ(to_text(code).find("mmaf_scaled") != std::string::npos, where >= target::sm_100);
      const auto fault = find_fault(code);
      EXPECT_FALSE(fault.has_value()) << to_text(*fault);
      const auto made = assemble(tools(), write(code), *p.result().module, {.architecture = name_of(where)});
      EXPECT_EQ(made.cubin.substr(1, 3), "ELF") << info(f.factor).name << " " << name_of(where);
    }
  }
}

TEST_F(EveryTileirOp, ThatReadsAndWritesIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    const auto element = static_cast<dtype>(e);
    program_builder p(2);
    const int x = p.in(element, 2), y = p.in_out(element, {4, 8}), z = p.in_out(element, {3, 5});
    const value_id pad = p.constant(type_of(element), 1),
                   rows = p.load(p.in(dtype::i32, 2), type_of(dtype::i32, {3, 1}));
    const value_id s = p.value(op::scalar, type_of(element), {}, {p.scalar(element)});
    p.store(y, p.load_padded(x, type_of(element, {4, 8}), {p.block_id(0), p.index(0)}, pad));
    p.store(z, p.value(op::gather_rows, type_of(element, {3, 5}), {rows, p.block_id(1)}, {x}));
    const value_id piece = p.value(op::load_piece, type_of(element, {4, 8}), {}, {y});
    p.store(y, p.value(op::select, type_of(element, {4, 8}),
                       {are_equal(p, type_of(element, {4, 8}), piece, type_of(element), s), piece, s}));
    p.store(p.out(element, {}), p.load(p.in(element, 0), type_of(element)));
    accept(p, op::load, element);
  }
}

// Windows that overlap, leave gaps, begin at any element and where a partition's tiles begin, in one kernel.
TEST_F(EveryTileirOp, ThatLoadsWindowsIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    const auto element = static_cast<dtype>(e);
    program_builder p(2);
    const int x = p.in(element, 2);
    const value_id pad = p.constant(type_of(element), 1), none = compiler::no_value;
    for (const shape& tile : {shape{4, 8}, shape{3, 5}, shape{1, 16}}) {
      for (const auto& strides : {std::vector<std::int64_t>{1, 1}, {4, 8}, {2, 24}, {1, 3}, {4, 5}}) {
        for (const value_id lanes_outside : {none, pad}) {
          const value_type type = type_of(element, tile);
          p.store(p.out(element, tile), p.load_window(x, type, strides, {p.block_id(0), p.index(1)}, lanes_outside));
        }
      }
    }
    accept(p, op::load_window, element);
  }
}

// Whole axes (extent 0) of a piece; tiles of other extents in one kernel.
TEST_F(EveryTileirOp, ThatStoresTilesOfWholeAxesIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    const auto element = static_cast<dtype>(e);
    program_builder p(2);
    for (const std::int32_t columns : {16, 1, 5, 24}) {
      const int z = p.out(element, {3, 0}), w = p.out(element, {0, 0});
      const value_id count = p.value(op::tiles, type_of(dtype::index), {}, {z, 1, columns});
      p.loop(p.index(0), count, p.index(1), {}, [&](value_id k, const std::vector<value_id>&) {
        p.store_tile(z, p.constant(type_of(element, {3, columns}), 1), {k});
        p.loop(p.index(0), count, p.index(1), {}, [&](value_id j, const std::vector<value_id>&) {
          p.store_tile(w, p.constant(type_of(element, {8, columns}), 1), {j, k});
          return std::vector<value_id>{};
        });
        return std::vector<value_id>{};
      });
    }
    accept(p, op::store_tile, element);
  }
}

TEST_F(EveryTileirOp, ThatStoresRowsIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    for (const dtype index : {dtype::i32, dtype::i64}) {
      const auto element = static_cast<dtype>(e);
      program_builder p(2);
      const int rows = p.unique(index), x = p.in(element, 2);
      for (const shape& extents : {shape{4, 8}, shape{3, 5}, shape{1, 1}, shape{16, 1}}) {
        p.store_rows(p.scatter(element, extents, rows), p.load(x, type_of(element, extents)), rows);
      }
      accept(p, op::store_rows, element);
    }
  }
}

TEST_F(EveryTileirOp, ThatCombinesIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    for (int c = 0; c < combiner_count; ++c) {
      const auto element = static_cast<dtype>(e);
      const auto by = static_cast<combiner>(c);
      if (!can_combine(by, element)) continue;
      program_builder p(3);
      const int x = p.in(element, 2);
      for (const shape& extents : {shape{4, 8}, shape{3, 5}, shape{1, 1}}) {
        p.combine(p.accum(element, extents, by), p.load(x, type_of(element, extents)));
      }
      p.combine(p.accum(element, {}, by), p.constant(type_of(element), 1));
      p.loop(p.index(0), p.block_id(2), p.index(1), {}, [&](value_id, const std::vector<value_id>&) {
        p.combine(p.accum(element, {6}, by), p.constant(type_of(element, {6}), 1));
        return std::vector<value_id>{};
      });
      accept(p, op::combine, element);
      accept(p, op::combine, element, {.deterministic = true});
    }
  }
}

// Outputs whose steps of one element are on another axis than the last.
TEST_F(EveryTileirOp, ThatWritesAnOutputInAnotherOrderOfAxesIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    const auto element = static_cast<dtype>(e);
    if (element == dtype::index || element == dtype::tf32) continue;
    for (const shape& extents : {shape{16, 32}, shape{3, 5}}) {
      program_builder p(2);
      const int x = p.in(element, 2), z = p.out(element, extents);
      p.store(z, p.load(x, type_of(element, extents)));
      compiler::program source = p.result();
      compiler::tensor_facts& facts = source.parameters[static_cast<std::size_t>(z)].facts;
      facts.alignment_bytes = 128;
      facts.unit_stride = {true, false};
      facts.divides = {true, true};
      facts.stride_divisor = {1, 16};
      accept(source, op::store, element);
    }
  }
}

// By indices of each width, with and without a mask; one index for all lanes, and for none but one.
TEST_F(EveryTileirOp, ThatChoosesElementsIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    const auto element = static_cast<dtype>(e);
    program_builder p(2);
    const int x = p.in(element, 2), ids = p.in(dtype::i64, 2);
    for (const shape& extents : {shape{4, 8}, shape{3, 5}, shape{1, 1}}) {
      const value_type column = type_of(dtype::i64, {extents[0], 1}), row = type_of(dtype::u8, {1, extents[1]});
      const value_id i = p.load(ids, column), j = p.value(op::iota, row, {}, {1});
      const value_id mask = p.value(op::less, type_of(dtype::boolean, {extents[0], 1}), {i, p.constant(column, 3)});
      p.store(p.out(element, extents), p.value(op::gather, type_of(element, extents), {i, j}, {x, 0}));
      p.store(p.out(element, extents), p.value(op::gather, type_of(element, extents), {i, j, mask}, {x, 1}));
    }
    p.store(p.out(element, {}), p.value(op::gather, type_of(element), {p.block_id(0), p.index(1)}, {x, 0}));
    accept(p, op::gather, element);
  }
}

TEST_F(EveryTileirOp, ThatCombinesAtElementsIsAccepted) {
  for (int e = 0; e < dtype_count; ++e) {
    for (int c = 0; c < combiner_count; ++c) {
      const auto element = static_cast<dtype>(e);
      const auto by = static_cast<combiner>(c);
      if (!can_combine(by, element)) continue;
      program_builder p(3);
      const int z = p.accum(element, {0, 0}, by), x = p.in(element, 1), ids = p.in(dtype::i32, 1);
      for (const std::int32_t width : {8, 5, 1}) {
        const value_id i = p.load(ids, type_of(dtype::i32, {width})), tile = p.load(x, type_of(element, {width}));
        const value_id mask = p.value(op::equal, type_of(dtype::boolean, {width}), {i, i});
        p.combine_at(z, tile, {i, p.index(2)});
        p.combine_at(z, p.constant(type_of(element), 1), {i, i, mask}, true);
      }
      p.combine_at(z, p.constant(type_of(element), 1), {p.block_id(2), p.index(0)});
      accept(p, op::combine_at, element);
    }
  }
}

TEST_F(EveryTileirOp, InLoopsAndBranchesIsAccepted) {
  program_builder p(2);
  const int x = p.in(dtype::f32, 2), y = p.in_out(dtype::f32, {4, 5});
  const value_type tile = type_of(dtype::f32, {4, 5});
  const value_id count = p.value(op::tiles, type_of(dtype::index), {}, {x, 1, 5});
  const value_id size = p.value(op::extent, type_of(dtype::index), {}, {x, 0});
  const value_id blocks = p.value(op::block_count, type_of(dtype::index), {}, {1});
  const auto sums = p.loop(p.index(0), count, p.index(1), {p.constant(tile, 0), blocks},
                           [&](value_id j, const std::vector<value_id>& carried) {
                             const value_id piece = p.value(op::load_piece, tile, {}, {y});
                             const value_id is_last = p.value(op::less, type_of(dtype::boolean), {j, size});
                             const auto chosen = p.branch(
                                 is_last,
                                 [&] {
                                   p.store(y, p.like(op::add, {piece, carried[0]}));
                                   return std::vector{p.load(x, tile, {p.block_id(0), j})};
                                 },
                                 [&] { return std::vector{piece}; });
                             return std::vector{p.like(op::add, {carried[0], chosen[0]}), j};
                           });
  p.store(y, sums[0]);
  accept(p, op::for_begin, dtype::f32);
}

TEST_F(EveryTileirOp, InWhileLoopsIsAccepted) {
  program_builder p(2);
  const int x = p.in(dtype::f32, 2), y = p.in_out(dtype::f32, {4, 5});
  const value_type tile = type_of(dtype::f32, {4, 5});
  const value_id count = p.value(op::tiles, type_of(dtype::index), {}, {x, 1, 5});
  const auto is_less = [&](value_id a, value_id b) { return p.value(op::less, type_of(dtype::boolean), {a, b}); };
  const auto sums = p.while_loop(
      {p.index(0), p.constant(tile, 0)},
      [&](const std::vector<value_id>& carried) { return is_less(carried[0], count); },
      [&](const std::vector<value_id>& carried) {
        const value_id piece = p.value(op::load_piece, tile, {}, {y});
        const auto inner = p.while_loop(
            {carried[0], piece}, [&](const std::vector<value_id>& now) { return is_less(now[0], p.index(7)); },
            [&](const std::vector<value_id>& now) {
              p.store(y, now[1]);
              const value_id next = p.like(op::add, {now[0], p.index(1)});
              return std::vector{next, p.like(op::add, {now[1], p.load(x, tile, {p.block_id(0), carried[0]})})};
            });
        return std::vector{p.like(op::add, {carried[0], p.index(1)}), p.like(op::add, {carried[1], inner[1]})};
      });
  p.store(y, sums[1]);
  accept(p, op::while_begin, dtype::f32);
  const compiler::program& made = p.result();
  const std::string bytes = write(compiler::tileir::emit(made, compiler::target::sm_90));
  EXPECT_EQ(assemble(tools(), bytes, *made.module).cubin.substr(1, 3), "ELF");
}

// ---- What is refused, and where ------------------------------------------------------------------------------------
TEST(TileirEmission, RefusesWhatMixesRoundedLanesWithElements) {
  const auto refusal = [](op which, const shape& from, const shape& to, const std::vector<std::int64_t>& attributes) {
    program_builder p(static_cast<int>(to.size()));
    const std::vector<value_id> place(from.size(), p.index(0));
    const value_id x = p.load(p.in(dtype::f32, static_cast<int>(from.size())), type_of(dtype::f32, from), place);
    const std::vector<value_id> operands(which == op::cat ? 2 : 1, x);
    p.store(p.out(dtype::f32, to), p.value(which, type_of(dtype::f32, to), operands, attributes));
    try {
      compiler::tileir::emit(p.result(), compiler::target::sm_90);
    } catch (const compile_error& refused) {
      return std::string(refused.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal(op::reshape, {6, 4}, {24}, {}).find("reshape would split or merge"), std::string::npos);
  EXPECT_NE(refusal(op::reshape, {12}, {3, 4}, {}).find("reshape would split or merge"), std::string::npos);
  EXPECT_NE(refusal(op::cat, {3, 2}, {6, 2}, {0}).find("cat along an axis"), std::string::npos);
  EXPECT_NE(refusal(op::extract, {12}, {4}, {1}).find("extract would cut"), std::string::npos);
  EXPECT_EQ(refusal(op::reshape, {6, 4}, {6, 2, 2}, {}), "accepted");
  EXPECT_EQ(refusal(op::extract, {6, 8}, {6, 4}, {0, 1}), "accepted");
}

TEST(TileirEmission, RefusesATileOfMoreThan2To24Elements) {
  program_builder p(2);
  const value_id x = p.load(p.in(dtype::f32, 2), type_of(dtype::f32, {4097, 2049}));
  p.store(p.out(dtype::f32, {4097, 2049}), x);
  EXPECT_THROW(compiler::tileir::emit(p.result(), compiler::target::sm_90), compile_error);
}

}  // namespace
}  // namespace tilewright::test
