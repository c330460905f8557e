// SPDX-License-Identifier: Apache-2.0
// Where the bounds ladder settles what the kernels rely on: counts that may only get better.
#include <gtest/gtest.h>

#include <sstream>

#include "support/checked_launches.hpp"
#include "support/classic_launches.hpp"
#include "support/library_launches.hpp"

namespace tilewright::test {
namespace {

using compiler::rung;
using library::one, library::t;

// What a kernel relies on, by where it is settled, and the comparisons that a launch makes for those left to it.
struct bounds_counts {
  int proved, launch, hoisted, in_place, comparisons;
  bool operator==(const bounds_counts&) const = default;
};

bounds_counts counts_of(const library_launch& launch) {
  compiler::program made = compiler::bind(
      *launch.module, compiler::bind_arguments(*launch.module, launch.arguments, launch.dims, {}).special);
  compiler::bounds_report report;
  compiler::check(made, &report);
  const bounds_counts found = {report.count(rung::proved), report.count(rung::launch), report.count(rung::hoisted),
                               report.count(rung::in_place), static_cast<int>(made.checks.size())};
  EXPECT_EQ(static_cast<std::size_t>(found.hoisted + found.in_place), made.residual_checks.size());
  return found;
}

struct corpus_row {
  const char* kernel;
  bounds_counts counts;
};

// The row as it stands below.
std::string to_text(const corpus_row& row) {
  std::ostringstream text;
  text << "{\"" << row.kernel << "\", {" << row.counts.proved << ", " << row.counts.launch << ", " << row.counts.hoisted
       << ", " << row.counts.in_place << ", " << row.counts.comparisons << "}},";
  return text.str();
}

void expect_counts(const std::vector<library_group>& groups, const std::vector<corpus_row>& rows) {
  std::vector<library_launch> launches;
  for (const library_group& group : groups) {
    launches.insert(launches.end(), group.launches.begin(), group.launches.end());
  }
  EXPECT_EQ(launches.size(), rows.size()) << "each launch needs its row";
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const corpus_row found{launches[i].module->name, counts_of(launches[i])};
    const std::string line = i < rows.size() ? to_text(rows[i]) : "nothing";
    if (to_text(found) == line) continue;
    const bounds_counts known = i < rows.size() ? rows[i].counts : bounds_counts{};
    const auto by_the_kernel = [](const bounds_counts& counts) { return counts.hoisted + counts.in_place; };
    const bool is_worse = found.counts.in_place > known.in_place ||
                          by_the_kernel(found.counts) > by_the_kernel(known) || found.counts.launch > known.launch ||
                          found.counts.comparisons > known.comparisons;
    ADD_FAILURE() << (is_worse ? "worse: more is left to the launch or to the kernel than "
                               : "changed, nothing got worse: keep it by writing this row in place of ")
                  << line << "\nfound " << to_text(found);
  }
}

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

std::vector<library_group> one_of_each_library_group() {
  using namespace library;
  std::vector<library_group> all = {element_wise<f32>(), library::rows<f32>(), products<f16>(),
                                    library::attention<f16>(), embedding_and_rotary<f16>()};
  all.insert(all.end(),
             {integers(), quantized_embedding(), rotary_of_all_heads(), dense_rows(), pieces_of_a_row(), eight_bits()});
  for (const library_group& each : four_bits()) all.push_back(each);
  return all;
}

// Static, launch, hoisted, in place; comparisons of a launch.
const std::vector<corpus_row> library_rows = {
    // clang-format off
    {"add", {0, 4, 0, 0, 6}},
    {"saxpy", {0, 4, 0, 0, 6}},
    {"silu_mul", {0, 8, 0, 0, 12}},
    {"softmax", {2, 3, 0, 0, 5}},
    {"softmax_twice", {2, 3, 0, 0, 5}},
    {"rms_norm", {3, 4, 0, 0, 7}},
    {"layer_norm", {4, 5, 0, 0, 9}},
    {"argmax_row", {2, 4, 0, 0, 4}},
    {"argmax_row_value", {2, 5, 0, 0, 6}},
    {"gemm", {2, 6, 0, 0, 9}},
    {"gemm", {2, 6, 0, 0, 9}},
    {"gemv", {2, 4, 0, 0, 6}},
    {"attention", {8, 13, 0, 0, 18}},
    {"attention_full", {10, 9, 0, 0, 14}},
    {"attention_lse", {8, 14, 0, 0, 20}},
    {"attention_decode", {4, 9, 0, 0, 13}},
    {"attention_split", {4, 8, 0, 0, 12}},
    {"attention_merge", {2, 5, 0, 0, 7}},
    {"embedding", {1, 4, 0, 0, 6}},
    {"rotary", {2, 8, 0, 0, 11}},
    {"argmax_row", {2, 4, 0, 0, 4}},
    {"gemm", {2, 6, 0, 0, 9}},
    {"gemv", {2, 4, 0, 0, 6}},
    {"embedding_q8_0", {3, 5, 0, 0, 7}},
    {"embedding_q8_0", {3, 5, 0, 0, 7}},
    {"embedding_q4", {10, 9, 0, 0, 10}},
    {"rotary_qkv", {8, 16, 0, 0, 24}},
    {"norm_rotary_qkv", {12, 16, 0, 0, 24}},
    {"dense", {3, 5, 0, 0, 8}},
    {"dense_row", {3, 5, 0, 0, 8}},
    {"dense_norm", {5, 7, 0, 0, 11}},
    {"dense_norm_row", {5, 7, 0, 0, 11}},
    {"dense_norm_silu_mul", {5, 7, 0, 0, 11}},
    {"dense_norm_silu_mul_row", {8, 11, 0, 0, 16}},
    {"dense_add", {4, 13, 0, 0, 22}},
    {"dense_add_row", {4, 13, 0, 0, 22}},
    {"embedding_prepared", {2, 8, 0, 0, 14}},
    {"attention_group", {5, 10, 0, 0, 16}},
    {"argmax_pieces", {1, 5, 0, 0, 9}},
    {"argmax_join", {4, 4, 0, 0, 7}},
    {"q8_row", {5, 6, 0, 0, 9}},
    {"q8_row_norm", {7, 6, 0, 0, 9}},
    {"q8_row_add", {5, 10, 0, 0, 15}},
    {"q8_row_norm_silu_mul", {10, 11, 0, 0, 15}},
    {"q8_tile", {4, 8, 0, 0, 12}},
    {"q8_tile_add", {4, 12, 0, 0, 18}},
    {"q8_tile_silu_mul", {8, 16, 0, 0, 18}},
    {"q4_row", {16, 11, 0, 0, 12}},
    {"q4_row_norm", {22, 11, 0, 0, 12}},
    {"q4_row_add", {16, 15, 0, 0, 18}},
    {"q4_row_silu_mul", {26, 20, 0, 0, 21}},
    {"q4_row_norm_silu_mul", {32, 20, 0, 0, 21}},
    {"q4_tile", {11, 14, 0, 0, 16}},
    {"q4_tile_add", {11, 18, 0, 0, 22}},
    {"q4_tile_silu_mul", {22, 28, 0, 0, 25}}
    // clang-format on
};
const std::vector<corpus_row> shared_rows = {
    // clang-format off
    {"add", {0, 2, 0, 0, 2}},
    {"softmax", {1, 1, 0, 0, 1}},
    {"gemm", {2, 3, 0, 0, 3}},
    {"attention", {5, 2, 0, 0, 2}},
    {"column_sums", {0, 2, 0, 0, 2}},
    {"greatest_from_here", {2, 2, 0, 0, 1}},
    {"states_from_here", {1, 1, 0, 0, 1}},
    {"long_scan", {2, 2, 0, 0, 2}},
    {"pages", {1, 1, 0, 1, 1}},
    {"pages", {0, 2, 0, 1, 2}},
    {"rows", {2, 1, 0, 1, 1}},
    {"quotients", {2, 2, 0, 1, 2}},
    {"paged_gemm", {2, 3, 0, 1, 3}},
    {"nested", {3, 0, 4, 1, 0}},
    {"paged_attention", {2, 9, 2, 0, 14}},
    {"paged_attention", {3, 10, 0, 0, 15}}
    // clang-format on
};

TEST(BoundsCorpus, OfTheLibraryOnlyGetsBetter) { expect_counts(one_of_each_library_group(), library_rows); }

TEST(BoundsCorpus, OfTheKernelsThatTestsShareOnlyGetsBetter) { expect_counts({classic(), with_data()}, shared_rows); }

TEST(BoundsCorpus, NothingIsLeftToTheKernelsOfTheLibrary) {
  for (const library_group& group : one_of_each_library_group()) {
    for (const library_launch& each : group.launches) {
      const bounds_counts found = counts_of(each);
      EXPECT_EQ(found.hoisted + found.in_place, 0) << each.module->name;
    }
  }
}

}  // namespace
}  // namespace tilewright::test
