// SPDX-License-Identifier: Apache-2.0
// A launch of every kernel of the library for each of its element types: what the assembler has to take.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "support/arguments.hpp"
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

struct library_launch {
  const ast::module_view* module;
  std::vector<compiler::argument> arguments;
  std::vector<compiler::named_extent> dims;

  compiler::program program() const {
    return compiler::front(*module, compiler::bind_arguments(*module, arguments, dims, {}).special);
  }
};

// Launches of kernels that belong together.
struct library_group {
  std::string name;
  std::vector<library_launch> launches;

  template <class Kernel>
  library_group& add(const Kernel& kernel, std::vector<compiler::argument> arguments,
                     std::vector<compiler::named_extent> dims = {}) {
    launches.push_back({kernel.reference().module, std::move(arguments), std::move(dims)});
    return *this;
  }
};
inline void PrintTo(const library_group& printed, std::ostream* out) { *out << printed.name; }

namespace library {

using arguments = std::vector<compiler::argument>;
using extents = std::vector<compiler::named_extent>;

// A dense tensor and a scalar that never mind.
inline compiler::argument t(std::initializer_list<index_t> shape, std::initializer_list<index_t> piece = {}) {
  return dense(shape, piece);
}
inline const compiler::argument one = scalar_bits(1);

// ---- Kernels of any floating element -------------------------------------------------------------------------------
template <class T>
library_group element_wise() {
  return library_group{"ElementWise", {}}
      .add(kernels::add<T, kernels::BN>(), {t({4096}, {1024}), t({4096}), t({4096})})
      .add(kernels::saxpy<T, kernels::BN>(), {t({4000}, {1000}), one, t({4000}), t({4000})})
      .add(kernels::silu_mul<T, kernels::BM, kernels::BN>(), {t({30, 96}, {4, 64}), t({30, 96}), t({30, 96})});
}

template <class T>
library_group rows() {
  return library_group{"Rows", {}}
      .add(kernels::softmax<T>(), {t({64, 1000}, {1, 1000}), t({64, 1000})})
      .add(kernels::softmax_twice<T>(), {t({64, 4096}, {1, 4096}), t({64, 4096})})
      .add(kernels::rms_norm<T>(), {t({64, 576}, {2, 576}), t({64, 576}), t({576}), one})
      .add(kernels::layer_norm<T>(), {t({64, 1024}, {1, 1024}), t({64, 1024}), t({1024}), t({1024}), one})
      .add(kernels::argmax_row<T>(), {t({64}, {4}), t({64, 5000})}, {{"BN", 1024}})
      .add(kernels::argmax_row_value<T>(), {t({64}, {4}), t({64}, {4}), t({64, 5000})}, {{"BN", 1024}});
}

template <class T>
library_group products() {
  return library_group{"Products", {}}
      .add(kernels::gemm<T>(), {t({512, 512}, {128, 128}), t({512, 512}), t({512, 512})}, {{"BK", 32}})
      .add(kernels::gemm<T, f32>(), {t({100, 90}, {48, 40}), t({100, 70}), t({70, 90})}, {{"BK", 24}})
      .add(kernels::gemv<T>(), {t({512}, {8}), t({512, 512}), t({512})}, {{"BK", 256}});
}

template <class T>
library_group attention() {
  const arguments many = {t({256, 512}, {64, 64}), t({256, 512}), t({256, 128}), t({256, 128}), one, one};
  const extents dims = {{"BN", 64}, {"HEADS", 4}};
  arguments with_lse = many;
  with_lse.insert(with_lse.begin() + 1, t({256, 8}, {64, 1}));
  return library_group{"Attention", {}}
      .add(kernels::attention<T>(), many, dims)
      .add(kernels::attention_full<T>(), {t({256, 64}, {64, 64}), t({256, 64}), t({256, 64}), t({256, 64})},
           {{"BN", 64}, {"HEADS", 1}})
      .add(kernels::attention_lse<T>(), with_lse, dims)
      .add(kernels::attention_decode<T>(), {t({1, 512}, {1, 64}), t({1, 512}), t({256, 128}), t({256, 128}), one, one},
           dims)
      .add(kernels::attention_split<T>(),
           {t({4, 512}, {1, 64}), t({4, 8}, {1, 1}), t({1, 512}), t({256, 128}), t({256, 128}), one, one},
           {{"BN", 64}, {"HEADS", 4}, {"STEPS", 1}})
      .add(kernels::attention_merge<T>(), {t({1, 512}, {1, 64}), t({4, 512}), t({4, 8})}, {{"PARTS", 4}});
}

template <class T>
library_group embedding_and_rotary() {
  return library_group{"EmbeddingAndRotary", {}}
      .add(kernels::embedding<T>(), {t({8, 576}, {1, 64}), t({1000, 576}), t({8})})
      .add(kernels::rotary<T>(), {t({8, 512}, {1, 64}), t({8, 512}), t({64, 32}), t({64, 32}), one});
}

// ---- Kernels of one element ----------------------------------------------------------------------------------------
inline library_group integers() {
  return library_group{"Integers", {}}
      .add(kernels::argmax_row<i32>(), {t({64}, {4}), t({64, 5000})}, {{"BN", 1024}})
      .add(kernels::gemm<i8, i32>(), {t({512, 512}, {64, 64}), t({512, 512}), t({512, 512})}, {{"BK", 64}})
      .add(kernels::gemv<i8, i32>(), {t({512}, {8}), t({512, 512}), t({512})}, {{"BK", 256}});
}

inline library_group quantized_embedding() {
  return library_group{"QuantizedEmbedding", {}}
      .add(kernels::embedding_q8_0<i32>(), {t({8, 32, 32}, {1, 32, 32}), t({100, 32, 32}), t({100, 32}), t({8})})
      .add(kernels::embedding_q8_0<i64>(), {t({8, 18, 32}, {1, 18, 32}), t({100, 18, 32}), t({100, 18}), t({8})})
      .add(kernels::embedding_q4<i64>(),
           {t({8, 2, 9, 32}, {1, 2, 9, 32}), t({100, 9, 32}), t({100, 2, 9}), t({100, 2, 9}), t({8})});
}

inline library_group rotary_of_all_heads() {
  const arguments outputs = {t({8, 8, 2, 32}, {1, 4, 2, 32}), t({8, 2, 2, 32}, {1, 1, 2, 32}),
                             t({8, 2, 2, 32}, {1, 1, 2, 32}), t({8, 12, 2, 32})};
  arguments plain = outputs, with_norms = outputs;
  plain.insert(plain.end(), {t({64, 32}), t({64, 32}), one});
  with_norms.insert(with_norms.end(), {t({2, 32}), t({2, 32}), one, t({64, 32}), t({64, 32}), one});
  return library_group{"RotaryOfAllHeads", {}}
      .add(kernels::rotary_qkv<f32>(), plain, {{"HEADS", 4}})
      .add(kernels::norm_rotary_qkv<bf16>(), with_norms, {{"HEADS", 4}});
}

// Decode of Qwen3-4B: one row, products of both forms.
inline library_group dense_rows() {
  const compiler::argument x = t({1, 2560}), squares = t({1, 640}), norm = t({2560}), stream = t({1, 2560});
  const extents wide = {{"BK", 256}, {"PIECES", 1024}}, narrow = {{"BK", 1024}, {"PIECES", 1024}};
  return library_group{"DenseRows", {}}
      .add(kernels::dense<bf16, f32>(), {t({1, 6144}, {8, 64}), x, t({6144, 2560})}, {{"BK", 256}})
      .add(kernels::dense_row<bf16, f32>(), {t({1, 6144}, {1, 4}), x, t({6144, 2560})}, {{"BK", 1024}})
      .add(kernels::dense_norm<bf16, f32>(), {t({1, 6144}, {8, 64}), x, squares, one, t({6144, 2560})}, wide)
      .add(kernels::dense_norm_row<bf16, f32>(), {t({1, 6144}, {1, 4}), x, squares, one, t({6144, 2560})}, narrow)
      .add(kernels::dense_norm_silu_mul<bf16>(), {t({1, 9728}, {8, 32}), x, squares, one, t({19456, 2560})},
           {{"BK", 256}, {"PIECES", 1024}, {"BN", 64}})
      .add(kernels::dense_norm_silu_mul_row<bf16>(),
           {t({1, 304, 32}, {1, 1, 4}), x, squares, one, t({304, 2, 32, 2560})}, narrow)
      .add(kernels::dense_add<bf16>(),
           {t({1, 2560}, {8, 64}), t({1, 2560}, {8, 64}), t({1, 40}, {8, 1}), stream, t({1, 9728}), t({2560, 9728}),
            norm},
           {{"BK", 256}})
      .add(kernels::dense_add_row<bf16>(),
           {t({1, 2560}, {1, 4}), t({1, 2560}, {1, 4}), t({1, 640}, {1, 1}), stream, t({1, 9728}), t({2560, 9728}),
            norm},
           {{"BK", 1024}})
      .add(kernels::embedding_prepared<bf16>(),
           {t({1, 2560}, {1, 4}), t({1, 2560}, {1, 4}), t({1, 640}, {1, 1}), t({151936, 2560}), t({1}), norm});
}

inline library_group pieces_of_a_row() {
  return library_group{"PiecesOfARow", {}}
      .add(kernels::attention_group<bf16>(),
           {t({5, 8, 4, 128}, {1, 1, 8, 128}), t({5, 8, 4, 1}, {1, 1, 8, 1}), t({8, 4, 128}), t({640, 1024}),
            t({640, 1024}), one, one},
           {{"BN", 128}, {"STEPS", 1}})
      .add(kernels::argmax_pieces<f32>(), {t({1, 149}, {1, 1}), t({1, 149}, {1, 1}), t({1, 151936})}, {{"BN", 1024}})
      .add(kernels::argmax_join<f32>(), {t({1, 1}, {1, 1}), t({1, 1}, {1, 1}), t({1, 149}), t({1, 149})},
           {{"PIECES", 256}});
}

// Planes of 256 rows and 1152 columns, whose groups are no power of two.
inline std::vector<library_group> four_bits() {
  const compiler::argument quants = t({256, 18, 32}), plane = t({256, 2, 18}), x = t({4, 2, 18, 32}),
                           norm = t({2, 18, 32}), z = t({4, 256}, {1, 4}), many = t({64, 1152}),
                           tile_of_z = t({64, 256}, {32, 64});
  const extents steps = {{"BG", 2}, {"BK", 64}};
  return {library_group{"RowsTimesFourBits", {}}
              .add(kernels::q4_row, {z, x, quants, plane, plane})
              .add(kernels::q4_row_norm, {z, x, norm, one, quants, plane, plane})
              .add(kernels::q4_row_add, {z, t({4, 256}), x, quants, plane, plane}),
          library_group{"GatedRowsTimesFourBits", {}}
              .add(kernels::q4_row_silu_mul, {z, x, quants, plane, plane, quants, plane, plane})
              .add(kernels::q4_row_norm_silu_mul, {z, x, norm, one, quants, plane, plane, quants, plane, plane}),
          library_group{"TilesTimesFourBits", {}}
              .add(kernels::q4_tile, {tile_of_z, many, quants, plane, plane}, steps)
              .add(kernels::q4_tile_add, {tile_of_z, t({64, 256}), many, quants, plane, plane}, steps),
          library_group{"GatedTilesTimesFourBits", {}}.add(
              kernels::q4_tile_silu_mul, {tile_of_z, many, quants, plane, plane, quants, plane, plane}, steps)};
}

inline library_group eight_bits() {
  const compiler::argument quants = t({256, 36, 32}), scales = t({256, 36}), x = t({4, 36, 32}), norm = t({36, 32}),
                           z = t({4, 256}, {1, 4}), many = t({64, 1152}), tile_of_z = t({64, 256}, {32, 64});
  const extents steps = {{"BG", 2}, {"BK", 64}};
  return library_group{"EightBits", {}}
      .add(kernels::q8_row, {z, x, quants, scales})
      .add(kernels::q8_row_norm, {z, x, norm, one, quants, scales})
      .add(kernels::q8_row_add, {z, t({4, 256}), x, quants, scales})
      .add(kernels::q8_row_norm_silu_mul, {z, x, norm, one, quants, scales, quants, scales})
      .add(kernels::q8_tile, {tile_of_z, many, quants, scales}, steps)
      .add(kernels::q8_tile_add, {tile_of_z, t({64, 256}), many, quants, scales}, steps)
      .add(kernels::q8_tile_silu_mul, {tile_of_z, many, quants, scales, quants, scales}, steps);
}

template <class T>
void add_groups_of(std::vector<library_group>& all) {
  for (const library_group& group :
       {element_wise<T>(), rows<T>(), products<T>(), attention<T>(), embedding_and_rotary<T>()}) {
    all.push_back({group.name + "_" + info(dtype_of<T>).name, group.launches});
  }
}

}  // namespace library

inline std::vector<library_group> library_groups() {
  using namespace library;
  std::vector<library_group> all = four_bits();
  all.insert(all.end(),
             {integers(), quantized_embedding(), rotary_of_all_heads(), dense_rows(), pieces_of_a_row(), eight_bits()});
  add_groups_of<f32>(all);
  add_groups_of<f16>(all);
  add_groups_of<bf16>(all);
  return all;
}

}  // namespace tilewright::test
