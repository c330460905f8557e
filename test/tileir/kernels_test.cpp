// SPDX-License-Identifier: Apache-2.0
// Every kernel of the library with each of its element types is assembled for an H200 (sm_90).
#include <deque>

#include "compiler/tileir/cubin.hpp"
#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "support/arguments.hpp"
#include "tileir/tools.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/kernels/argmax.hpp"
#include "tilewright/kernels/attention_group.hpp"
#include "tilewright/kernels/dense_product.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/kernels/embedding.hpp"
#include "tilewright/kernels/gemm.hpp"
#include "tilewright/kernels/normalization.hpp"
#include "tilewright/kernels/quantized_product.hpp"
#include "tilewright/kernels/rotary.hpp"

namespace tilewright::test {
namespace {

using arguments = std::vector<compiler::argument>;
using extents = std::vector<compiler::named_extent>;

constexpr auto a_busy_machines_limit = std::chrono::minutes(4);

class TileirKernels : public TileirTools {
 protected:
  template <class Kernel>
  void assembles(const Kernel& kernel, const arguments& given, const extents& dims = {}) {
    const ast::module_view& module = *kernel.reference().module;
    try {
      const compiler::bound_arguments made = compiler::bind_arguments(module, given, dims, {});
      const compiler::program source = compiler::front(module, made.special);
      const compiler::tileir::bytecode code = compiler::tileir::emit(source, compiler::target::sm_90);
      if (const auto fault = find_fault(code)) ADD_FAILURE() << module.name << ": " << to_text(*fault);
      const std::string bytes = write(code);
      const auto result = assemble(tools(), bytes, module, {.limit = a_busy_machines_limit});
      expect_registers_suffice(compiler::tileir::read_cubin(std::as_bytes(std::span(result.cubin))), code);
    } catch (const error& refused) {
      ADD_FAILURE() << module.name << ": " << refused.what();
    }
  }

  // Without a schedule, too, no more than a few registers go to the stack. Products of f32 have no tensor cores: at
  // these tile sizes they do spill.
  static void expect_registers_suffice(const compiler::tileir::cubin_report& made,
                                       const compiler::tileir::bytecode& code) {
    constexpr std::uint32_t few_bytes = 16;
    const bool has_product = to_text(code).find("mmaf") != std::string::npos;
    if (has_product && made.warp_products + made.warpgroup_products == 0) return;
    EXPECT_LE(made.frame_bytes, few_bytes) << to_text(made);
  }
};

// A dense tensor and a scalar that never mind.
compiler::argument t(std::initializer_list<index_t> shape, std::initializer_list<index_t> piece = {}) {
  return dense(shape, piece);
}
const compiler::argument one = scalar_bits(1);

// Kernels generic over the element: each element is a test of its own, as the assembler takes seconds.
template <class T>
class TileirKernelsOf : public TileirKernels {};
using elements = testing::Types<f32, f16, bf16>;
TYPED_TEST_SUITE(TileirKernelsOf, elements);

TYPED_TEST(TileirKernelsOf, ElementWise) {
  this->assembles(kernels::add<TypeParam, kernels::BN>(), {t({4096}, {1024}), t({4096}), t({4096})});
  this->assembles(kernels::saxpy<TypeParam, kernels::BN>(), {t({4000}, {1000}), one, t({4000}), t({4000})});
  this->assembles(kernels::silu_mul<TypeParam, kernels::BM, kernels::BN>(),
                  {t({30, 96}, {4, 64}), t({30, 96}), t({30, 96})});
}

TYPED_TEST(TileirKernelsOf, Rows) {
  this->assembles(kernels::softmax<TypeParam>(), {t({64, 1000}, {1, 1000}), t({64, 1000})});
  this->assembles(kernels::rms_norm<TypeParam>(), {t({64, 576}, {2, 576}), t({64, 576}), t({576}), one});
  this->assembles(kernels::layer_norm<TypeParam>(),
                  {t({64, 1024}, {1, 1024}), t({64, 1024}), t({1024}), t({1024}), one});
  this->assembles(kernels::argmax_row<TypeParam>(), {t({64}, {4}), t({64, 5000})}, {{"BN", 1024}});
  this->assembles(kernels::argmax_row_value<TypeParam>(), {t({64}, {4}), t({64}, {4}), t({64, 5000})}, {{"BN", 1024}});
}

TEST_F(TileirKernels, Rows) { assembles(kernels::argmax_row<i32>(), {t({64}, {4}), t({64, 5000})}, {{"BN", 1024}}); }

TYPED_TEST(TileirKernelsOf, Products) {
  this->assembles(kernels::gemm<TypeParam>(), {t({512, 512}, {128, 128}), t({512, 512}), t({512, 512})}, {{"BK", 32}});
  this->assembles(kernels::gemm<TypeParam, f32>(), {t({100, 90}, {48, 40}), t({100, 70}), t({70, 90})}, {{"BK", 24}});
  this->assembles(kernels::gemv<TypeParam>(), {t({512}, {8}), t({512, 512}), t({512})}, {{"BK", 256}});
}

TEST_F(TileirKernels, Products) {
  assembles(kernels::gemm<i8, i32>(), {t({512, 512}, {64, 64}), t({512, 512}), t({512, 512})}, {{"BK", 64}});
  assembles(kernels::gemv<i8, i32>(), {t({512}, {8}), t({512, 512}), t({512})}, {{"BK", 256}});
}

TYPED_TEST(TileirKernelsOf, Attention) {
  const arguments many = {t({256, 512}, {64, 64}), t({256, 512}), t({256, 128}), t({256, 128}), one, one};
  const extents dims = {{"BN", 64}, {"HEADS", 4}};
  this->assembles(kernels::attention<TypeParam>(), many, dims);
  arguments with_lse = many;
  with_lse.insert(with_lse.begin() + 1, t({256, 8}, {64, 1}));
  this->assembles(kernels::attention_lse<TypeParam>(), with_lse, dims);
  this->assembles(kernels::attention_decode<TypeParam>(),
                  {t({1, 512}, {1, 64}), t({1, 512}), t({256, 128}), t({256, 128}), one, one}, dims);
  this->assembles(kernels::attention_split<TypeParam>(),
                  {t({4, 512}, {1, 64}), t({4, 8}, {1, 1}), t({1, 512}), t({256, 128}), t({256, 128}), one, one},
                  {{"BN", 64}, {"HEADS", 4}, {"STEPS", 1}});
  this->assembles(kernels::attention_merge<TypeParam>(), {t({1, 512}, {1, 64}), t({4, 512}), t({4, 8})},
                  {{"PARTS", 4}});
}

TYPED_TEST(TileirKernelsOf, Embedding) {
  this->assembles(kernels::embedding<TypeParam>(), {t({8, 576}, {1, 64}), t({1000, 576}), t({8})});
}

TEST_F(TileirKernels, Embedding) {
  assembles(kernels::embedding_q8_0<i32>(), {t({8, 32, 32}, {1, 32, 32}), t({100, 32, 32}), t({100, 32}), t({8})});
  assembles(kernels::embedding_q8_0<i64>(), {t({8, 18, 32}, {1, 18, 32}), t({100, 18, 32}), t({100, 18}), t({8})});
  assembles(kernels::embedding_q4<i64>(),
            {t({8, 2, 9, 32}, {1, 2, 9, 32}), t({100, 9, 32}), t({100, 2, 9}), t({100, 2, 9}), t({8})});
}

TYPED_TEST(TileirKernelsOf, Rotary) {
  this->assembles(kernels::rotary<TypeParam>(), {t({8, 512}, {1, 64}), t({8, 512}), t({64, 32}), t({64, 32}), one});
}

TEST_F(TileirKernels, Rotary) {
  const arguments outputs = {t({8, 8, 2, 32}, {1, 4, 2, 32}), t({8, 2, 2, 32}, {1, 1, 2, 32}),
                             t({8, 2, 2, 32}, {1, 1, 2, 32}), t({8, 12, 2, 32})};
  arguments plain = outputs;
  plain.insert(plain.end(), {t({64, 32}), t({64, 32}), one});
  assembles(kernels::rotary_qkv<f32>(), plain, {{"HEADS", 4}});
  arguments with_norms = outputs;
  with_norms.insert(with_norms.end(), {t({2, 32}), t({2, 32}), one, t({64, 32}), t({64, 32}), one});
  assembles(kernels::norm_rotary_qkv<bf16>(), with_norms, {{"HEADS", 4}});
}

// Decode of Qwen3-4B: one row, products of both forms.
TEST_F(TileirKernels, DenseRows) {
  const compiler::argument x = t({1, 2560}), squares = t({1, 640}), norm = t({2560}), stream = t({1, 2560});
  const extents wide = {{"BK", 256}, {"PIECES", 1024}}, narrow = {{"BK", 1024}, {"PIECES", 1024}};
  assembles(kernels::dense_norm<bf16, f32>(), {t({1, 6144}, {8, 64}), x, squares, one, t({6144, 2560})}, wide);
  assembles(kernels::dense_norm_row<bf16, f32>(), {t({1, 6144}, {1, 4}), x, squares, one, t({6144, 2560})}, narrow);
  assembles(kernels::dense_norm_silu_mul<bf16>(), {t({1, 9728}, {8, 32}), x, squares, one, t({19456, 2560})},
            {{"BK", 256}, {"PIECES", 1024}, {"BN", 64}});
  assembles(kernels::dense_norm_silu_mul_row<bf16>(),
            {t({1, 304, 32}, {1, 1, 4}), x, squares, one, t({304, 2, 32, 2560})}, narrow);
  assembles(
      kernels::dense_add<bf16>(),
      {t({1, 2560}, {8, 64}), t({1, 2560}, {8, 64}), t({1, 40}, {8, 1}), stream, t({1, 9728}), t({2560, 9728}), norm},
      {{"BK", 256}});
  assembles(
      kernels::dense_add_row<bf16>(),
      {t({1, 2560}, {1, 4}), t({1, 2560}, {1, 4}), t({1, 640}, {1, 1}), stream, t({1, 9728}), t({2560, 9728}), norm},
      {{"BK", 1024}});
  assembles(kernels::embedding_prepared<bf16>(),
            {t({1, 2560}, {1, 4}), t({1, 2560}, {1, 4}), t({1, 640}, {1, 1}), t({151936, 2560}), t({1}), norm});
}

TEST_F(TileirKernels, AttentionOfAGroupAndArgmaxInPieces) {
  assembles(kernels::attention_group<bf16>(),
            {t({5, 8, 4, 128}, {1, 1, 8, 128}), t({5, 8, 4, 1}, {1, 1, 8, 1}), t({8, 4, 128}), t({640, 1024}),
             t({640, 1024}), one, one},
            {{"BN", 128}, {"STEPS", 1}});
  assembles(kernels::argmax_pieces<f32>(), {t({1, 149}, {1, 1}), t({1, 149}, {1, 1}), t({1, 151936})}, {{"BN", 1024}});
  assembles(kernels::argmax_join<f32>(), {t({1, 1}, {1, 1}), t({1, 1}, {1, 1}), t({1, 149}), t({1, 149})},
            {{"PIECES", 256}});
}

// Arguments of the quantised products: planes of 256 rows and 1152 columns, whose groups are no power of two.
const compiler::argument quants = t({256, 18, 32}), plane = t({256, 2, 18}), x = t({4, 2, 18, 32}),
                         norm = t({2, 18, 32});
const compiler::argument z = t({4, 256}, {1, 4}), many = t({64, 1152}), tile_of_z = t({64, 256}, {32, 64});
const compiler::argument bytes_of_q8 = t({256, 36, 32}), scales_of_q8 = t({256, 36});
const compiler::argument row_of_q8 = t({4, 36, 32}), norm_of_q8 = t({36, 32});
const extents steps = {{"BG", 2}, {"BK", 64}};

TEST_F(TileirKernels, RowsTimesFourBits) {
  assembles(kernels::q4_row, {z, x, quants, plane, plane});
  assembles(kernels::q4_row_norm, {z, x, norm, one, quants, plane, plane});
  assembles(kernels::q4_row_add, {z, t({4, 256}), x, quants, plane, plane});
}

TEST_F(TileirKernels, GatedRowsTimesFourBits) {
  assembles(kernels::q4_row_silu_mul, {z, x, quants, plane, plane, quants, plane, plane});
  assembles(kernels::q4_row_norm_silu_mul, {z, x, norm, one, quants, plane, plane, quants, plane, plane});
}

TEST_F(TileirKernels, TilesTimesFourBits) {
  assembles(kernels::q4_tile, {tile_of_z, many, quants, plane, plane}, steps);
  assembles(kernels::q4_tile_add, {tile_of_z, t({64, 256}), many, quants, plane, plane}, steps);
}

TEST_F(TileirKernels, GatedTilesTimesFourBits) {
  assembles(kernels::q4_tile_silu_mul, {tile_of_z, many, quants, plane, plane, quants, plane, plane}, steps);
}

TEST_F(TileirKernels, EightBits) {
  assembles(kernels::q8_row, {z, row_of_q8, bytes_of_q8, scales_of_q8});
  assembles(kernels::q8_row_norm, {z, row_of_q8, norm_of_q8, one, bytes_of_q8, scales_of_q8});
  assembles(kernels::q8_tile, {tile_of_z, many, bytes_of_q8, scales_of_q8}, steps);
}

}  // namespace
}  // namespace tilewright::test
