// SPDX-License-Identifier: Apache-2.0
// The IR of whole kernels satisfies LLVM's verifier: of random programs, and of every kernel of the kernel library.
// Code for narrower vectors computes the same.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "compiler/cpu/jit.hpp"
#include "compiler/cpu/kernel_code.hpp"
#include "compiler/scaled_products.hpp"
#include "support/fuzz/comparison.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/kernels/argmax.hpp"
#include "tilewright/kernels/attention.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/kernels/embedding.hpp"
#include "tilewright/kernels/gemm.hpp"
#include "tilewright/kernels/normalization.hpp"
#include "tilewright/kernels/quantized_product.hpp"
#include "tilewright/kernels/rotary.hpp"

namespace tilewright::test {
namespace {

void expect_valid(const compiler::program& given) {
  const compiler::program source = compiler::with_plain_products(given);
  for (const int vector_bytes : {16, 32, 64}) {
    const compiler::kernel_code made = compiler::make_kernel_code(source, vector_bytes);
    EXPECT_EQ(made.code.verify(), "") << "with vectors of " << vector_bytes << " bytes";
    EXPECT_EQ(made.scratch_bytes % 64, 0);
  }
}

TEST(CpuKernelCode, OfRandomProgramsIsValid) {
  int tried = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto source = checked(random_program(seed));
    if (!source) continue;
    ++tried;
    expect_valid(*source);
    compiler::simplify(*source);
    expect_valid(*source);
  }
  EXPECT_GT(tried, 25);
}

// An image with vectors of another width than this machine's.
class narrow_image final : public compiler::host_image {
 public:
  narrow_image(const compiler::program& source, int vector_bytes) {
    compiler::kernel_code made = compiler::make_kernel_code(compiler::with_plain_products(source), vector_bytes);
    scratch_bytes_ = static_cast<std::size_t>(made.scratch_bytes);
    kernel_ = compiler::load_object(compiler::compile_object(std::move(made.code)), compiler::kernel_symbol);
  }
  void run(const std::uint64_t* parameters, const std::int64_t* grid, std::int64_t first, std::int64_t last,
           std::byte* scratch, compiler::fault_status* faults) const noexcept override {
    kernel_.entry(parameters, grid, first, last, scratch, faults);
  }
  std::size_t scratch_bytes() const noexcept override { return scratch_bytes_; }
  const std::vector<std::byte>& object() const noexcept override { return object_; }

 private:
  std::size_t scratch_bytes_ = 0;
  compiler::loaded_kernel kernel_;
  std::vector<std::byte> object_;
};

TEST(CpuKernelCode, OfNarrowerVectorsComputesTheSame) {
  for (std::uint32_t seed = 100; seed < 112; ++seed) {
    const int vector_bytes = seed % 2 == 0 ? 16 : 32;
    if (vector_bytes > compiler::vector_bytes()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto narrow = [&](const compiler::program& source, const tile_launch& launch,
                            compiler::fault_status& faults) {
      launch.run(narrow_image(source, vector_bytes), source, 2, &faults);
    };
    const fuzz_case tested = random_case(seed);
    const outcome found = compare(tested, narrow);
    ASSERT_FALSE(is_failure(found.what)) << found.reason << "\n" << to_text(tested);
  }
}

// Sizes that go together in every kernel of the library; SHARING = HEADS * D, D = 2 * PAIRS, K = HALF = 32 * G.
const std::map<std::string, index_t> dims = {{"BM", 8},     {"BN", 16},   {"BK", 64},      {"N", 100},   {"D", 32},
                                             {"PAIRS", 16}, {"HEADS", 3}, {"SHARING", 96}, {"STEPS", 2}, {"PARTS", 4},
                                             {"G", 4},      {"BG", 2},    {"HALF", 128},   {"K", 128}};

enum class tensors { any, of_whole_tiles };

template <class Kernel>
void expect_valid_kernel(const Kernel& kernel, tensors taken = tensors::any) {
  const ast::module_view& module = *kernel.reference().module;
  SCOPED_TRACE(module.name);
  compiler::specialization special;
  for (int s = 0; s < module.symbol_count; ++s) special.dims.push_back(dims.at(module.symbols[s].name));
  for (const bool is_regular : {false, true}) {
    compiler::tensor_facts facts;
    facts.stride_divisor.fill(1);
    facts.divides.fill(is_regular || taken == tensors::of_whole_tiles);
    if (is_regular) {
      facts.alignment_bytes = 64;
      facts.stride_divisor.fill(16);
      facts.unit_stride[1] = true;
      facts.fits_31_bits = true;
    }
    special.facts.assign(static_cast<std::size_t>(module.parameter_count), facts);
    expect_valid(compiler::front(module, special));
  }
}

TEST(CpuKernelCode, OfRowKernelsIsValid) {
  expect_valid_kernel(kernels::add<f32, 37>());
  expect_valid_kernel(kernels::saxpy<bf16, 3, 16>());
  expect_valid_kernel(kernels::silu_mul<f16, 1, 64>());
  expect_valid_kernel(kernels::softmax<f32>());
  expect_valid_kernel(kernels::rms_norm<bf16>());
  expect_valid_kernel(kernels::layer_norm<f16>());
  expect_valid_kernel(kernels::argmax_row<f32>());
  expect_valid_kernel(kernels::argmax_row_value<f16>());
  expect_valid_kernel(kernels::embedding<bf16>());
  expect_valid_kernel(kernels::embedding_q8_0<i64>(), tensors::of_whole_tiles);
  expect_valid_kernel(kernels::rotary<f32>(), tensors::of_whole_tiles);
  expect_valid_kernel(kernels::rotary_qkv<f32>(), tensors::of_whole_tiles);
}

TEST(CpuKernelCode, OfProductsIsValid) {
  expect_valid_kernel(kernels::gemm<f32>());
  expect_valid_kernel(kernels::gemm<bf16>());
  expect_valid_kernel(kernels::gemm<i8, i32>());
  expect_valid_kernel(kernels::gemv<f16>());
  expect_valid_kernel(kernels::attention<f32>());
  expect_valid_kernel(kernels::attention_lse<bf16>());
  expect_valid_kernel(kernels::attention_decode<f32>());
  expect_valid_kernel(kernels::attention_split<f16>());
  expect_valid_kernel(kernels::attention_merge<f32>());
}

TEST(CpuKernelCode, OfQuantizedProductsIsValid) {
  expect_valid_kernel(kernels::q4_row, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q4_row_norm, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q4_row_add, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q4_row_silu_mul, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q4_row_norm_silu_mul, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q8_row, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q8_row_norm, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q4_tile, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q4_tile_add, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q4_tile_silu_mul, tensors::of_whole_tiles);
  expect_valid_kernel(kernels::q8_tile, tensors::of_whole_tiles);
}

}  // namespace
}  // namespace tilewright::test
