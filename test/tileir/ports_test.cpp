// SPDX-License-Identifier: Apache-2.0
// The kernels of examples/ports are assembled for an H200.
#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "ports/attention_backward.hpp"
#include "ports/attention_forms.hpp"
#include "ports/choosing.hpp"
#include "ports/convolution.hpp"
#include "ports/cross_entropy.hpp"
#include "ports/dropout.hpp"
#include "ports/layer_norm.hpp"
#include "ports/long_rows.hpp"
#include "ports/making.hpp"
#include "ports/placing.hpp"
#include "ports/products.hpp"
#include "ports/quantizing.hpp"
#include "ports/scaled_products.hpp"
#include "ports/scans.hpp"
#include "support/arguments.hpp"
#include "tileir/tools.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {
namespace {

class TileirPorts : public TileirTools {
 protected:
  // Gives its Tile IR.
  template <class Kernel>
  static std::string expect_assembled(const Kernel& kernel, const std::vector<compiler::argument>& arguments,
                                      const std::vector<compiler::named_extent>& dims = {},
                                      compiler::target where = compiler::target::sm_90) {
    const ast::module_view& module = *kernel.reference().module;
    try {
      const auto special = compiler::bind_arguments(module, arguments, dims, {}).special;
      const auto code = compiler::tileir::emit(compiler::front(module, special), where);
      if (const auto fault = find_fault(code)) ADD_FAILURE() << module.name << ": " << to_text(*fault);
      EXPECT_FALSE(assemble(tools(), write(code), module, {.architecture = compiler::name_of(where)}).cubin.empty());
      return to_text(code);
    } catch (const error& refused) {
      ADD_FAILURE() << module.name << ": " << refused.what();
      return {};
    }
  }

  static compiler::argument t(std::initializer_list<index_t> shape, std::initializer_list<index_t> piece = {}) {
    return dense(shape, piece);
  }
  static inline const compiler::argument one = scalar_bits(1);
};

TEST_F(TileirPorts, ThatMakeTensorsAreAssembled) {
  expect_assembled(ports::hello, {t({4, 4}, {1, 1})});
  expect_assembled(ports::arange, {t({1000}, {256}), one, one});
  expect_assembled(ports::linspace, {t({1000}, {256}), one, one});
  expect_assembled(ports::full<bf16>, {t({60, 90}, {16, 32}), one});
  expect_assembled(ports::eye<f32>, {t({60, 90}, {16, 32}), one});
  expect_assembled(ports::convert<f8e4m3, f32>, {t({64, 96}, {16, 32}), t({64, 96})});
  expect_assembled(ports::one_hot_rows<f16>, {t({60, 90}, {16, 32}), t({60})});
  expect_assembled(ports::dropout<f16>, {t({1000}, {256}), t({1000}), one, one});
}

TEST_F(TileirPorts, ThatPlaceRowsAreAssembled) {
  compiler::argument places = t({60});
  places.index_bound = 100;
  expect_assembled(ports::update_cache<f16>,
                   {t({128, 96}, {16, 32}), t({128, 96}, {16, 32}), places, t({60, 96}), t({60, 96})});
  expect_assembled(ports::dispatch_tokens<bf16>, {t({128, 90}, {12, 32}), places, t({60}), t({30, 90})});
}

TEST_F(TileirPorts, OfRowsAreAssembled) {
  expect_assembled(ports::layer_norm_saved<f16>, {t({64, 1000}, {2, 1024}), t({64, 1}, {2, 1}), t({64, 1}, {2, 1}),
                                                  t({64, 1000}), t({1000}), t({1000}), one});
  expect_assembled(ports::layer_norm_backward<bf16>,
                   {t({64, 1000}, {2, 1024}), t({64, 1000}), t({64, 1000}), t({1000}), t({64, 1}), t({64, 1})});
  expect_assembled(
      ports::layer_norm_weights<f16>,
      {shared(t({1024}, {64}), 4), shared(t({1024}, {64}), 4), t({64, 1024}), t({64, 1024}), t({64, 1}), t({64, 1})},
      {{"BM", 16}});
  expect_assembled(ports::add_rms_norm<f32>,
                   {t({64, 1000}, {2, 1024}), t({64, 1000}, {2, 1024}), t({64, 1000}), t({64, 1000}), t({1000}), one});
  expect_assembled(ports::cross_entropy<bf16>, {t({64}, {4}), t({64}, {4}), t({64, 5000}), t({64})}, {{"BN", 512}});
  expect_assembled(ports::cross_entropy_backward<bf16>,
                   {t({64, 5000}, {4, 512}), t({64, 5000}), t({64}), t({64}), one});
  expect_assembled(ports::sort_rows<f32, 64>, {t({64, 64}, {4, 64}), t({64, 64}, {4, 64}), t({64, 64})});
  const auto values = t({4, 300}, {1, 64}), columns = t({4, 300}), found = t({4, 40}, {1, 8}), chosen = t({4, 40});
  expect_assembled(ports::sort_pieces<f32, 64>, {values, values, columns});
  expect_assembled(ports::merge_runs<f32>, {values, values, columns, columns, one});
  expect_assembled(ports::top_of_pieces<f16, 64, 8>, {found, found, columns});
  expect_assembled(ports::top_of_chosen<i32, 64, 8>, {t({4, 8}, {1, 8}), t({4, 8}, {1, 8}), chosen, chosen});
  expect_assembled(ports::choose_experts<f16, 64, 8>, {t({64, 8}, {4, 8}), t({64, 8}, {4, 8}), t({64, 60})});
  expect_assembled(ports::quantize_rows<bf16>, {t({64, 1000}, {2, 1024}), t({64, 1}, {2, 1}), t({64, 1000})});
  expect_assembled(ports::asin, {t({1000}, {256}), t({1000})});
  expect_assembled(ports::hadamard<f16, 128>, {t({64, 128}, {8, 128}), t({64, 128}), one});
  expect_assembled(ports::selective_scan, {t({64, 128}, {whole_axis, 32}), t({64, 128}), t({64, 128}), t({128, 16}),
                                           t({64, 16}), t({64, 16}), t({128})});
}

TEST_F(TileirPorts, ThatMultiplyAreAssembled) {
  expect_assembled(ports::batch_product<f16>, {t({4, 128, 128}, {1, 64, 64}), t({4, 128, 256}), t({4, 256, 128})},
                   {{"BK", 64}});
  expect_assembled(ports::split_product<bf16>, {shared(t({128, 128}, {64, 64}), 4), t({128, 1024}), t({1024, 128})},
                   {{"BK", 64}, {"STEPS", 4}});
  expect_assembled(ports::expert_product<f16>, {t({256, 128}, {64, 64}), t({256, 128}), t({8, 128, 128}), t({8})},
                   {{"BK", 64}});
  expect_assembled(ports::block_sparse_product<f16>,
                   {t({128, 128}, {64, 64}), t({128, 256}), t({256, 128}), t({2, 2, 4})}, {{"BK", 64}});
  expect_assembled(ports::argmax_of_product<f16>,
                   {t({32, 8}, {32, 1}), t({32, 8}, {32, 1}), t({32, 256}), t({1000, 256})}, {{"BN", 128}, {"BK", 64}});
  expect_assembled(ports::convolution<f16>,
                   {t({512, 64}, {64, 64}), t({512, 32}), t({3, 3, 32, 64}), one, one, one, one, one, one},
                   {{"BK", 32}});
}

TEST_F(TileirPorts, ThatMultiplyScaledAreScaledInAMatrixUnitThatDoesIt) {
  const auto z = t({64, 64}, {32, 16}), bytes = t({64, 256}), half_bytes = t({64, 128});
  const auto expect_scaled = [&](const auto& kernel, const auto& x, index_t blocks, compiler::target where) {
    const auto scales = t({64, blocks});
    const std::string text = expect_assembled(kernel, {z, x, scales, x, scales}, {{"BG", 2}}, where);
    EXPECT_EQ(text.find("mmaf_scaled") != std::string::npos, where == compiler::target::sm_100);
  };
  expect_scaled(ports::scaled_product<ports::mxfp4, bf16>, half_bytes, 8, compiler::target::sm_80);
  for (const compiler::target where : {compiler::target::sm_90, compiler::target::sm_100}) {
    expect_scaled(ports::scaled_product<ports::mxfp8, bf16>, bytes, 8, where);
    expect_scaled(ports::scaled_product<ports::mxfp4, bf16>, half_bytes, 8, where);
    expect_scaled(ports::scaled_product<ports::nvfp4, f32>, half_bytes, 16, where);
  }
  expect_assembled(ports::block_scaled_product<f8e4m3, bf16>, {z, bytes, t({64, 2}), bytes, t({64, 2})}, {{"BK", 128}});
}

TEST_F(TileirPorts, ThatLoadWindowsAreAssembled) {
  for (const compiler::target where : {compiler::target::sm_80, compiler::target::sm_90, compiler::target::sm_100}) {
    expect_assembled(ports::shifted_convolution<f16, 1>,
                     {t({2, 16, 64, 64}, {1, 1, 64, 64}), t({2, 18, 66, 1, 32}), t({3, 3, 32, 64})}, {{"BK", 32}},
                     where);
    expect_assembled(ports::shifted_convolution<bf16, 2>,
                     {t({2, 8, 30, 48}, {1, 1, 32, 16}), t({2, 17, 31, 2, 20}), t({3, 3, 20, 48})}, {{"BK", 16}},
                     where);
    expect_assembled(ports::margined_convolution<f16, 2, 1>,
                     {t({2, 8, 30, 48}, {1, 1, 32, 16}), t({2, 16, 30, 2, 20}), t({3, 3, 20, 48})}, {{"BK", 16}},
                     where);
    expect_assembled(ports::max_pool<f16, 2, 2>, {t({16, 16, 64}, {1, 1, 64}), t({32, 32, 64})}, {}, where);
    expect_assembled(ports::max_pool<f32, 3, 2>, {t({16, 17, 20}, {1, 1, 24}), t({32, 33, 20})}, {}, where);
  }
}

TEST_F(TileirPorts, OfAttentionInOtherFormsAreAssembled) {
  const auto q = t({256, 512}), k = t({320, 128}), z = t({256, 512}, {64, 64});
  expect_assembled(ports::attention_with_sinks<f16>, {z, q, k, k, t({8}), one, one}, {{"BN", 64}, {"HEADS", 4}});
  expect_assembled(ports::latent_decode<bf16>,
                   {t({16, 512}, {16, 512}), t({16, 512}), t({16, 64}), t({320, 512}), t({320, 64}), one},
                   {{"BN", 32}});
  expect_assembled(ports::retention<f16>, {t({256, 512}, {whole_axis, 64}), q, q, q, t({8})}, {{"BM", 64}});
}

TEST_F(TileirPorts, OfAttentionsGradientsAreAssembled) {
  const auto q = t({256, 512}), k = t({320, 128}), column = t({256, 8});
  expect_assembled(ports::attention_delta<f16>, {t({256, 8}, {64, 1}), q, q}, {{"D", 64}});
  expect_assembled(ports::attention_dq<f16>, {t({256, 512}, {64, 64}), q, k, k, q, column, column, one},
                   {{"BN", 64}, {"HEADS", 4}});
  expect_assembled(ports::attention_dk_dv<bf16>,
                   {t({320, 128}, {64, 64}), t({320, 128}, {64, 64}), q, k, k, q, column, column, one},
                   {{"BM", 64}, {"HEADS", 4}});
}

}  // namespace
}  // namespace tilewright::test
