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

std::vector<library_group> shared_corpus() { return {classic(), with_data()}; }

std::vector<library_launch> corpus_launches() {
  std::vector<library_launch> all;
  for (const std::vector<library_group>& groups : {library_corpus(), shared_corpus()}) {
    for (const library_group& group : groups) all.insert(all.end(), group.launches.begin(), group.launches.end());
  }
  return all;
}

}  // namespace tilewright::test
