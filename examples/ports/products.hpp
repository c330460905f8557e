// SPDX-License-Identifier: Apache-2.0
// Matrix products around the library's gemm: of batches, in parts of the depth, of experts' rows, of chosen tiles, and
// where only the greatest element is asked for. All run persistent where the launch says so:
// batch_product<f16>.with(persistent, swizzle(8)).
// Peers: cuTile Rust's batch_matmul, persistent_gemm, grouped GEMM and lm_head_argmax_blocks (the latter two unsafe
// there); Triton's tutorials 08 and 09; TileLang's gemm_splitk, grouped_gemm, fusedmoe and blocksparse_gemm.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// z [batch, M, N] in pieces [1, BM, BN], x [batch, M, K], y [batch, K, N]
template <class T>
inline constexpr auto batch_product =
    kernel<"batch_product">([](Block b, Out<T, 1, BM, BN> z, In<T, dyn, dyn, dyn> x, In<T, dyn, dyn, dyn> y) {
      require_equal(x.extent(0), z.extent(0));
      require_equal(y.extent(0), z.extent(0));
      require_equal(x.extent(1), z.extent(1));
      require_equal(x.extent(2), y.extent(1));
      require_equal(y.extent(2), z.extent(2));
      auto xt = x.partition(tile<1, BM, BK>);
      auto yt = y.partition(tile<1, BK, BN>);
      auto sum = b.zeros<f32>(tile<1, BM, BN>);
      for (auto k : range(xt.tiles(2)).reduction()) {
        sum = mma(xt.load(b.pid(0), b.pid(1), k, pad(0)), yt.load(b.pid(0), k, b.pid(2), pad(0)), sum);
      }
      z.store(cast<T>(sum));
    }).defaults(BK = 64);

// z += x y, a block summing STEPS tiles of the depth: z [M, N] f32 in pieces [BM, BN] shared by ceil(K / (BK STEPS)).
template <class T>
inline constexpr auto split_product = kernel<"split_product">([](Block b, Accum<f32, combiner::sum, BM, BN> z,
                                                                 In<T, dyn, dyn> x, In<T, dyn, dyn> y) {
                                        require_equal(x.extent(0), z.extent(0));
                                        require_equal(x.extent(1), y.extent(0));
                                        require_equal(y.extent(1), z.extent(1));
                                        auto xt = x.partition(tile<BM, BK>);
                                        auto yt = y.partition(tile<BK, BN>);
                                        auto sum = b.zeros<f32>(tile<BM, BN>);
                                        auto from = b.pid(2) * b.size(tile<STEPS>);
                                        for (auto k : range(from, min(from + b.size(tile<STEPS>), xt.tiles(1)))) {
                                          sum = mma(xt.load(b.pid(0), k, pad(0)), yt.load(k, b.pid(1), pad(0)), sum);
                                        }
                                        z.combine(sum);
                                      }).defaults(BK = 64, STEPS = 4);

// Rows of x [M, K] sorted by expert, of which expert e has those from ends[e - 1] (0 for the first) to before ends[e],
// times its weights [experts, K, N]; z [M, N] in pieces [BM, BN]. A piece may have rows of several experts, an expert
// none. Rows past the last end give 0. Whatever the ends are, nothing outside of a tensor is read.
template <class T>
inline constexpr auto expert_product = kernel<"expert_product">([](Block b, Out<T, BM, BN> z, In<T, dyn, dyn> x,
                                                                   In<T, dyn, dyn, dyn> weights, In<i32, dyn> ends) {
                                         require_equal(x.extent(0), z.extent(0));
                                         require_equal(weights.extent(0), ends.extent(0));
                                         require_equal(weights.extent(1), x.extent(1));
                                         require_equal(weights.extent(2), z.extent(1));
                                         auto xt = x.partition(tile<BM, BK>);
                                         auto wt = weights.partition(tile<1, BK, BN>);
                                         auto first = b.pid(0) * b.size(tile<BM>);
                                         auto row = b.iota<index_element>(tile<BM, 1>) + first;
                                         auto sum = b.zeros<f32>(tile<BM, BN>);
                                         auto begin = b.zeros<index_element>(tile<>);
                                         for (auto e : range(ends.extent(0))) {
                                           auto end = to_index(reshape(ends.load(tile<1>, e), tile<>));
                                           if_((begin < first + b.size(tile<BM>)) & (first < end), [&] {
                                             auto is_of_expert = (row >= begin) & (row < end);
                                             for (auto k : range(xt.tiles(1))) {
                                               auto left = select(is_of_expert, xt.load(b.pid(0), k, pad(0)), 0);
                                               sum = mma(left, reshape(wt.load(e, k, b.pid(1), pad(0)), tile<BK, BN>),
                                                         sum);
                                             }
                                           });
                                           begin = end;
                                         }
                                         z.store(cast<T>(sum));
                                       }).defaults(BK = 64);

// Of the tiles [BM, BK] of x and [BK, BN] of y only those are loaded and multiplied that `is_wanted` [rows, columns,
// depths of tiles] names by anything but 0.
template <class T>
inline constexpr auto block_sparse_product =
    kernel<"block_sparse_product">([](Block b, Out<T, BM, BN> z, In<T, dyn, dyn> x, In<T, dyn, dyn> y,
                                      In<u8, dyn, dyn, dyn> is_wanted) {
      require_equal(x.extent(0), z.extent(0));
      require_equal(x.extent(1), y.extent(0));
      require_equal(y.extent(1), z.extent(1));
      auto xt = x.partition(tile<BM, BK>);
      auto yt = y.partition(tile<BK, BN>);
      require_equal(is_wanted.extent(0), b.grid(0));
      require_equal(is_wanted.extent(1), b.grid(1));
      require_equal(is_wanted.extent(2), xt.tiles(1));
      auto sum = b.zeros<f32>(tile<BM, BN>);
      for (auto k : range(xt.tiles(1))) {
        auto wanted = reshape(is_wanted.load(tile<1, 1, 1>, b.pid(0), b.pid(1), k), tile<>);
        if_(wanted != 0, [&] { sum = mma(xt.load(b.pid(0), k, pad(0)), yt.load(k, b.pid(1), pad(0)), sum); });
      }
      z.store(cast<T>(sum));
    }).defaults(BK = 64);

// Of each piece of BN rows of weights [words, K] the one whose product with a row of x [M, K] is greatest, and that
// product; no other is stored. where and greatest are [M, pieces] in pieces [BM, 1]; kernels::argmax_join joins them.
template <class T>
inline constexpr auto argmax_of_product =
    kernel<"argmax_of_product">([](Block b, Out<i64, BM, 1> where, Out<f32, BM, 1> greatest, In<T, dyn, dyn> x,
                                   In<T, dyn, dyn> weights) {
      require_same_shape(where, greatest);
      require_equal(where.extent(0), x.extent(0));
      require_equal(weights.extent(1), x.extent(1));
      auto xt = x.partition(tile<BM, BK>);
      auto wt = weights.partition(tile<BN, BK>);
      require_equal(where.extent(1), wt.tiles(0));
      auto sum = b.zeros<f32>(tile<BM, BN>);
      for (auto k : range(xt.tiles(1)).reduction()) {
        sum = mma(xt.load(b.pid(0), k, pad(0)), transpose(wt.load(b.pid(1), k, pad(0))), sum);
      }
      auto first = b.pid(1) * b.size(tile<BN>);
      auto is_word = b.iota<index_element>(tile<1, BN>) + first < weights.extent(0);
      auto logits = select(is_word, sum, -inf);
      where.store(cast<i64>(argmax<1>(logits) + first));
      greatest.store(reduce_max<1>(logits));
    }).defaults(BN = 128, BK = 64);

}  // namespace tilewright::ports
