// SPDX-License-Identifier: Apache-2.0
// The measured schedules of kernels/schedules.hpp, held to what made them fast, without a device: whole tiles go by
// the copy engine (TMA) where they should and not where they should not, nothing spills, and threads, clusters and
// registers are as asked. Each loss of speed that was seen on an H200 shows here.
#include "tilewright/kernels/schedules.hpp"

#include "compiler/tileir/cubin.hpp"
#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/write.hpp"
#include "support/arguments.hpp"
#include "tileir/tools.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {
namespace {

namespace on_h200 = kernels::on_h200;
using kernels::HEADS;
using arguments = std::vector<compiler::argument>;

constexpr auto a_busy_machines_limit = std::chrono::minutes(4);

// What the machine code must be. Threads: 32 for each worker warp, and 128 that only copy where TMA is used.
struct expected_code {
  bool copies_loads = false, copies_stores = false;
  std::uint32_t threads = 128, cluster = 1;
  std::uint32_t registers = 255;       // at most
  std::uint64_t code_bytes = 100'000;  // at most
  std::uint32_t products = 0;          // instructions for warp groups; 0: any number
  std::uint64_t shared_bytes = 0;      // at least: the stages that loads run ahead
};

class TileirSchedules : public TileirTools {
 protected:
  template <class Kernel>
  void expect(const Kernel& kernel, const arguments& given, const expected_code& expected) {
    const auto reference = kernel.reference();
    const auto named = [](const dim_bindings& all) {
      std::vector<compiler::named_extent> list;
      for (int i = 0; i < all.count; ++i) list.push_back({all.items[i].name, all.items[i].extent});
      return list;
    };
    compiler::bound_arguments made =
        compiler::bind_arguments(*reference.module, given, named(reference.with), named(reference.defaults));
    made.special.schedule = reference.schedule;
    const compiler::program source = compiler::front(*reference.module, made.special);
    const std::string bytes = write(compiler::tileir::emit(source, compiler::target::sm_90));
    const auto result = assemble(tools(), bytes, *source.module, {.limit = a_busy_machines_limit});
    check(compiler::tileir::read_cubin(std::as_bytes(std::span(result.cubin))), expected);
  }

  static void check(const compiler::tileir::cubin_report& code, const expected_code& expected) {
    SCOPED_TRACE(to_text(code));
    EXPECT_EQ(code.frame_bytes, 0U);
    EXPECT_EQ(code.local_loads + code.local_stores, 0U);
    EXPECT_EQ(code.copied_loads > 0, expected.copies_loads);
    EXPECT_EQ(code.copied_stores > 0, expected.copies_stores);
    EXPECT_EQ(code.threads[0], expected.threads);
    EXPECT_EQ(code.cluster, expected.cluster);
    EXPECT_LE(code.registers, expected.registers);
    EXPECT_LE(code.code_bytes, expected.code_bytes);
    EXPECT_GE(code.shared_bytes, expected.shared_bytes);
    if (expected.products > 0) {
      EXPECT_EQ(code.warpgroup_products, expected.products);
    }
  }
};

// ---- Products ------------------------------------------------------------------------------------------------------
class TileirScheduledProduct : public TileirSchedules, public testing::WithParamInterface<index_t> {};

TEST_P(TileirScheduledProduct, CopiesWholeTilesAndSpillsNothing) {
  const index_t n = GetParam();
  const auto best = on_h200::gemm<f16>(n, n);
  expected_code expected{.copies_loads = true, .copies_stores = true, .threads = 384, .registers = 168};
  expected.code_bytes = n >= 4096 ? 22'500 : 15'500;
  expected.cluster = n >= 4096 ? 2 : 1;
  if (n == 1024) expected.threads = 256, expected.registers = 255, expected.code_bytes = 10'500;
  expect(best.kernel, {dense({n, n}, {best.rows, best.columns}), dense({n, n}), dense({n, n})}, expected);
}
INSTANTIATE_TEST_SUITE_P(Of, TileirScheduledProduct, testing::Values(1024, 2048, 2304, 4096, 8192),
                         testing::PrintToStringParamName());

TEST_F(TileirSchedules, OfWeightsReadOnceFeedMatrixUnitsByCopies) {
  for (const index_t columns : {6144, 19456, 151936}) {
    const auto best = on_h200::dense<bf16>(columns);
    expect(best.kernel, {dense({1, columns}, {best.rows, best.columns}), dense({1, 2560}), dense({columns, 2560})},
           {.copies_loads = true, .copies_stores = true, .threads = 256});
  }
}

TEST_F(TileirSchedules, OfWeightsReadOnceByMultiplyAddsDoNotCopy) {
  const auto best = on_h200::dense_row<bf16>();
  expect(best.kernel, {dense({1, 2560}, {best.rows, best.columns}), dense({1, 9728}), dense({2560, 9728})},
         {.registers = 128});  // four blocks fit
}

// ---- Attention -----------------------------------------------------------------------------------------------------
constexpr index_t queries = 16384, width = 16 * 128;
const compiler::argument scale = scalar_bits(0x3db504f3);

TEST_F(TileirSchedules, OfCausalAttentionSpillNothing) {
  const auto best = on_h200::attention<f16>();
  const compiler::argument in = dense({queries, width}), out = dense({queries, width}, {best.rows, best.columns});
  expect(best.kernel.with(HEADS = 1), {out, in, in, in, scale, scalar_bits(0)},
         {.copies_loads = true, .copies_stores = true, .threads = 256, .registers = 128, .code_bytes = 36'000});
}

// Two products of 8 instructions a step: twice of them where the assembler overlaps one step with the next, as it does
// in a loop without branches and with a scale that it knows. Without the overlap it is a third slower. Seven tiles in
// shared memory: queries, two stages of keys, three of values, the result. With one stage of keys each product waits
// for its load: 5 % slower beside cuDNN.
TEST_F(TileirSchedules, OfFullAttentionOverlapSteps) {
  const auto best = on_h200::attention_full<f16>();
  const compiler::argument in = dense({queries, width}), out = dense({queries, width}, {best.rows, best.columns});
  expect(best.kernel.with(HEADS = 1), {out, in, in, in},
         {.copies_loads = true,
          .copies_stores = true,
          .threads = 384,
          .registers = 168,
          .code_bytes = 26'500,
          .products = 32,
          .shared_bytes = 7 * 128 * 128 * sizeof(f16)});
}

TEST_F(TileirSchedules, OfDecodeAttentionSpillNothing) {
  for (const index_t keys : {4096, 32768}) {
    const auto kernel = on_h200::attention_group<bf16>(keys);
    const index_t parts = keys / 128;
    const compiler::argument cache = dense({keys, 8 * 128});
    expect(kernel,
           {dense({parts, 8, 4, 128}, {1, 1, 8, 128}), dense({parts, 8, 4, 1}, {1, 1, 8, 1}), dense({8, 4, 128}), cache,
            cache, scale, scalar_bits(1)},
           {.copies_loads = true, .copies_stores = true, .threads = 256});
  }
}

// The copy engine stores whole groups of 16 bytes: past rows that end inside one lies memory of others, as in a view.
TEST_F(TileirSchedules, StoreRowsThatEndInsideAVectorWithoutTheCopyEngine) {
  const auto kernel = kernels::gemm<f16>().with(kernels::BK = 64);
  const auto rows_of_64 = [](compiler::argument view) {
    view.strides[0] = 64;
    return view;
  };
  for (const index_t columns : {56, 48, 64, 60, 63}) {
    SCOPED_TRACE(columns);
    const bool is_whole = columns % 16 == 0;
    expect(kernel, {rows_of_64(dense({64, columns}, {64, 64})), dense({64, 64}), rows_of_64(dense({64, columns}))},
           {.copies_loads = true, .copies_stores = is_whole, .threads = 256});
  }
}

// ---- Rows of memory ------------------------------------------------------------------------------------------------
TEST_F(TileirSchedules, OfElementWiseKernelsDoNotCopy) {
  const auto best = on_h200::add<f32>();
  const compiler::argument in = dense({1 << 28});
  expect(best.kernel, {dense({1 << 28}, {best.columns}), in, in}, {.registers = 64, .code_bytes = 4'500});
}

TEST_F(TileirSchedules, OfSoftmaxHoldFewRegisters) {
  const auto one = [&](const auto& best, index_t columns, std::uint32_t registers) {
    const index_t rows = (1 << 28) / columns;
    expect(best.kernel, {dense({rows, columns}, {best.rows, best.columns}), dense({rows, columns})},
           {.registers = registers});
  };
  one(on_h200::softmax<f16>(1024), 1024, 72);
  one(on_h200::softmax_twice<f16>(4096), 4096, 72);
  one(on_h200::softmax_twice<f16>(16384), 16384, 168);
}

TEST_F(TileirSchedules, OfRmsNormCopyLongRowsOnly) {
  const auto one = [&](index_t columns, const expected_code& expected) {
    const auto best = on_h200::rms_norm<bf16>(columns);
    const index_t rows = (1 << 28) / columns;
    expect(best.kernel,
           {dense({rows, columns}, {best.rows, best.columns}), dense({rows, columns}), dense({columns}),
            scalar_bits(0x358637bd)},
           expected);
  };
  one(1024, {.registers = 72});
  one(4096, {.copies_loads = true, .threads = 256, .registers = 72});
  one(16384, {.copies_loads = true, .copies_stores = true, .threads = 384, .registers = 168});
}

}  // namespace
}  // namespace tilewright::test
