// SPDX-License-Identifier: Apache-2.0
#include "unit/kernels/corpus.hpp"

#include "support/checked_launches.hpp"
#include "support/classic_launches.hpp"

namespace tilewright::test {
namespace {

using library::one, library::t;

library_group classic() {
  library_group all{"Classic", {}};
  for (const classic_launch& each : classic_launches())
    all.launches.push_back({each.module, each.arguments, each.dims});
  for (const classic_launch& each : {shared_launch(), scanning_launch(), combining_launch(), streaming_launch()}) {
    all.launches.push_back({each.module, each.arguments, each.dims});
  }
  return all;
}

// Kernels whose indices or divisors are data.
library_group with_data() {
  using namespace checked;
  const compiler::argument list = t({64}), whole = t({1024, 2048});
  return library_group{"WithData", {}}
      .add(pages, {t({64, 128}, {16, 128}), t({64, 128}), list})
      .add(pages, {t({60, 90}, {6, 30}), t({61, 97}), list})
      .add(rows, {t({64, 128}, {16, 128}), t({100, 128}), t({64, 1})})
      .add(quotients, {t({64, 128}, {16, 128}), t({64, 128}), t({64, 128})})
      .add(paged_gemm, {t({512, 512}, {128, 128}), t({512, 512}), t({512, 512}), list}, {{"BK", 64}})
      .add(nested, {t({64, 64}, {16, 16}), t({64, 64}), list})
      .add(scheduled_paged_attention<true>(), {t({1024, 2048}, {128, 128}), whole, whole, whole, one, t({1})},
           {{"BN", 128}})
      .add(scheduled_paged_attention<false>(), {t({1024, 2048}, {128, 128}), whole, whole, whole, one, t({1})},
           {{"BN", 128}});
}

// ---- Ways to reach a tensor that no other kernel here takes ---------------------------------------------------------
using kernels::BM, kernels::BN;

constexpr auto shifted = kernel<"shifted">(
    [](Block b, Out<f32, 4> z, In<f32, dyn> x) { z.store(x.windows(tile<4>, stride<3>).load(b.pid(0))); });
constexpr auto spaced = kernel<"spaced">(
    [](Block b, Out<f32, 4> z, In<f32, dyn> x) { z.store(x.windows(tile<4>, stride<6>).load(b.pid(0))); });
constexpr auto placed = kernel<"placed">(
    [](Scatter<i32, BM, BN> z, Unique<i32> rows, In<i32, dyn, dyn> x) { z.store(rows, load_like(x, z)); });
constexpr auto chosen = kernel<"chosen">([](Block b, Out<f32, BN> z, In<f32, dyn> x) {
  auto i = b.iota<i32>(tile<BN>) % 8;
  z.store(x.gather(min(to_index(i), x.extent(0) - 1)) + x.gather(i, where(i < 4)));
});
constexpr auto counted = kernel<"counted">([](Block b, Accum<u32, combiner::sum, dyn> bins, In<i32, dyn> x) {
  auto number = x.load(tile<BN>, b.pid(1), pad(0));
  bins.combine_at(1, number, where(number > 0));
});
constexpr auto copied_rows = kernel<"copied_rows">([](Block b, Out<f32, BM, dyn> z, In<f32, dyn, dyn> x) {
  auto zt = z.partition(tile<BM, BN>);
  for (auto k : range(zt.tiles(1))) zt.store(0, k, x.load(tile<BM, BN>, b.pid(0), k));
});
constexpr auto joined = kernel<"joined">([](Block b, Out<f32, 32> z, In<f32, dyn, dyn> x) {
  z.store(reshape(x.load(tile<4, 8>, b.pid(0), 0, pad(1)), tile<32>));
});
constexpr auto narrow_beside_wide = kernel<"narrow_beside_wide">(
    [](Block b, Out<f32, BN> z, In<f32, dyn> x) { z.store(x.load(tile<BN>, b.pid(0), pad(3)) + x.load(tile<1>, 0)); });
constexpr auto sixteens = kernel<"sixteens">([](Block b, Out<f32, 16> z, In<f32, dyn> x) {
  auto wide = x.load(tile<32>, b.pid(0) / 2, pad(0));
  z.store(x.load(tile<16>, b.pid(0), pad(2)) + reduce_sum<0>(wide));
});

compiler::argument checked_indices(index_t count, index_t rows) {
  compiler::argument indices = t({count});
  indices.index_bound = rows;
  return indices;
}

library_group each_access() {
  return library_group{"EachAccess", {}}
      .add(shifted, {t({16}, {4}), t({10})})
      .add(spaced, {t({16}, {4}), t({24})})
      .add(placed, {t({100, 64}, {8, 32}), checked_indices(32, 100), t({32, 64})})
      .add(placed, {t({100, 64}, {8, 32}), checked_indices(30, 100), t({30, 64})})
      .add(chosen, {t({64}, {16}), t({8})})
      .add(counted, {shared(t({64}, {64}), 4), t({500})}, {{"BN", 128}})
      .add(copied_rows, {t({64, 100}, {4, whole_axis}), t({64, 100})}, {{"BN", 8}})
      .add(joined, {t({128}, {32}), t({16, 8})})
      .add(narrow_beside_wide, {t({30}, {8}), t({30})})
      .add(sixteens, {t({48}, {16}), t({48})});
}

}  // namespace

std::vector<library_group> library_corpus() {
  using namespace library;
  std::vector<library_group> all = {element_wise<f32>(), library::rows<f32>(), products<f16>(),
                                    library::attention<f16>(), embedding_and_rotary<f16>()};
  all.insert(all.end(),
             {integers(), quantized_embedding(), rotary_of_all_heads(), dense_rows(), pieces_of_a_row(), eight_bits()});
  for (const library_group& each : four_bits()) all.push_back(each);
  return all;
}

std::vector<library_group> shared_corpus() { return {classic(), with_data(), each_access()}; }

std::vector<library_launch> corpus_launches() {
  std::vector<library_launch> all;
  for (const std::vector<library_group>& groups : {library_corpus(), shared_corpus()}) {
    for (const library_group& group : groups) all.insert(all.end(), group.launches.begin(), group.launches.end());
  }
  return all;
}

}  // namespace tilewright::test
