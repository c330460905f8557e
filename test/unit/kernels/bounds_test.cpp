// SPDX-License-Identifier: Apache-2.0
// Where the bounds ladder settles what the kernels rely on, and which masks they place: counts that may only improve.
#include <gtest/gtest.h>

#include <sstream>

#include "unit/kernels/corpus.hpp"

namespace tilewright::test {
namespace {

using compiler::rung;

// What a kernel relies on, by where it is settled, the comparisons that a launch makes for those left to it, and the
// masks on the host and on a GPU.
struct bounds_counts {
  int proved, launch, hoisted, in_place, comparisons, masks, gpu_masks;
  bool operator==(const bounds_counts&) const = default;
};

bounds_counts counts_of(const library_launch& launch) {
  compiler::program made = compiler::bind(
      *launch.module, compiler::bind_arguments(*launch.module, launch.arguments, launch.dims, {}).special);
  compiler::bounds_report report;
  compiler::check(made, &report);
  EXPECT_EQ(static_cast<std::size_t>(report.count(rung::hoisted) + report.count(rung::in_place)),
            made.residual_checks.size());
  const int comparisons = static_cast<int>(made.checks.size());
  compiler::simplify(made);
  const compiler::masks_report masks = compiler::masks_of(made);
  return {report.count(rung::proved),
          report.count(rung::launch),
          report.count(rung::hoisted),
          report.count(rung::in_place),
          comparisons,
          masks.on_host(),
          masks.on_gpu()};
}

struct corpus_row {
  const char* kernel;
  bounds_counts counts;
};

// The row as it stands below.
std::string to_text(const corpus_row& row) {
  std::ostringstream text;
  text << "{\"" << row.kernel << "\", {" << row.counts.proved << ", " << row.counts.launch << ", " << row.counts.hoisted
       << ", " << row.counts.in_place << ", " << row.counts.comparisons << ", " << row.counts.masks << ", "
       << row.counts.gpu_masks << "}},";
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
                          found.counts.comparisons > known.comparisons || found.counts.masks > known.masks ||
                          found.counts.gpu_masks > known.gpu_masks;
    ADD_FAILURE() << (is_worse ? "worse: more is left to the launch, to the kernel or to masks than "
                               : "changed, nothing got worse: keep it by writing this row in place of ")
                  << line << "\nfound " << to_text(found);
  }
}

// Static, launch, hoisted, in place; comparisons of a launch; masks on the host, on a GPU.
const std::vector<corpus_row> library_rows = {
    // clang-format off
    {"add", {0, 4, 0, 0, 6, 0, 0}},
    {"saxpy", {0, 4, 0, 0, 6, 0, 3}},
    {"silu_mul", {0, 8, 0, 0, 12, 6, 6}},
    {"softmax", {2, 3, 0, 0, 5, 0, 2}},
    {"softmax_twice", {2, 3, 0, 0, 5, 0, 0}},
    {"rms_norm", {3, 4, 0, 0, 7, 0, 3}},
    {"layer_norm", {4, 5, 0, 0, 9, 0, 0}},
    {"argmax_row", {2, 4, 0, 0, 4, 2, 2}},
    {"argmax_row_value", {2, 5, 0, 0, 6, 2, 2}},
    {"gemm", {2, 6, 0, 0, 9, 0, 0}},
    {"gemm", {2, 6, 0, 0, 9, 6, 6}},
    {"gemv", {2, 4, 0, 0, 6, 0, 0}},
    {"attention", {8, 13, 0, 0, 18, 0, 0}},
    {"attention_full", {10, 9, 0, 0, 14, 0, 0}},
    {"attention_lse", {8, 14, 0, 0, 20, 0, 0}},
    {"attention_decode", {4, 9, 0, 0, 13, 0, 0}},
    {"attention_split", {4, 8, 0, 0, 12, 0, 0}},
    {"attention_merge", {2, 5, 0, 0, 7, 0, 0}},
    {"embedding", {1, 4, 0, 0, 6, 0, 0}},
    {"rotary", {2, 8, 0, 0, 11, 0, 0}},
    {"argmax_row", {2, 4, 0, 0, 4, 2, 2}},
    {"gemm", {2, 6, 0, 0, 9, 0, 0}},
    {"gemv", {2, 4, 0, 0, 6, 0, 0}},
    {"embedding_q8_0", {3, 5, 0, 0, 7, 0, 0}},
    {"embedding_q8_0", {3, 5, 0, 0, 7, 0, 3}},
    {"embedding_q4", {10, 9, 0, 0, 10, 0, 6}},
    {"rotary_qkv", {8, 16, 0, 0, 24, 0, 0}},
    {"norm_rotary_qkv", {12, 16, 0, 0, 24, 0, 0}},
    {"dense", {3, 5, 0, 0, 8, 2, 2}},
    {"dense_row", {3, 5, 0, 0, 8, 2, 2}},
    {"dense_norm", {5, 7, 0, 0, 11, 4, 4}},
    {"dense_norm_row", {5, 7, 0, 0, 11, 3, 3}},
    {"dense_norm_silu_mul", {5, 7, 0, 0, 11, 4, 4}},
    {"dense_norm_silu_mul_row", {8, 11, 0, 0, 16, 4, 4}},
    {"dense_add", {4, 13, 0, 0, 22, 5, 5}},
    {"dense_add_row", {4, 13, 0, 0, 22, 2, 2}},
    {"embedding_prepared", {2, 8, 0, 0, 14, 0, 0}},
    {"attention_group", {5, 10, 0, 0, 16, 3, 3}},
    {"argmax_pieces", {1, 5, 0, 0, 9, 1, 1}},
    {"argmax_join", {4, 4, 0, 0, 7, 2, 2}},
    {"q8_row", {5, 6, 0, 0, 9, 0, 3}},
    {"q8_row_norm", {7, 6, 0, 0, 9, 0, 4}},
    {"q8_row_add", {5, 10, 0, 0, 15, 0, 3}},
    {"q8_row_norm_silu_mul", {10, 11, 0, 0, 15, 0, 6}},
    {"q8_tile", {4, 8, 0, 0, 12, 0, 2}},
    {"q8_tile_add", {4, 12, 0, 0, 18, 0, 2}},
    {"q8_tile_silu_mul", {8, 16, 0, 0, 18, 0, 4}},
    {"q4_row", {16, 11, 0, 0, 12, 0, 7}},
    {"q4_row_norm", {22, 11, 0, 0, 12, 0, 9}},
    {"q4_row_add", {16, 15, 0, 0, 18, 0, 7}},
    {"q4_row_silu_mul", {26, 20, 0, 0, 21, 0, 12}},
    {"q4_row_norm_silu_mul", {32, 20, 0, 0, 21, 0, 14}},
    {"q4_tile", {11, 14, 0, 0, 16, 0, 5}},
    {"q4_tile_add", {11, 18, 0, 0, 22, 0, 5}},
    {"q4_tile_silu_mul", {22, 28, 0, 0, 25, 0, 10}}
    // clang-format on
};
const std::vector<corpus_row> shared_rows = {
    // clang-format off
    {"add", {0, 2, 0, 0, 2, 0, 0}},
    {"softmax", {1, 1, 0, 0, 1, 0, 0}},
    {"gemm", {2, 3, 0, 0, 3, 0, 0}},
    {"attention", {5, 2, 0, 0, 2, 0, 0}},
    {"column_sums", {0, 2, 0, 0, 2, 0, 0}},
    {"greatest_from_here", {2, 2, 0, 0, 1, 0, 2}},
    {"states_from_here", {1, 1, 0, 0, 1, 0, 2}},
    {"long_scan", {2, 2, 0, 0, 2, 2, 2}},
    {"pages", {1, 1, 0, 1, 1, 0, 0}},
    {"pages", {0, 2, 0, 1, 2, 2, 4}},
    {"rows", {2, 1, 0, 1, 1, 1, 1}},
    {"quotients", {2, 2, 0, 1, 2, 0, 0}},
    {"paged_gemm", {2, 3, 0, 1, 3, 0, 0}},
    {"nested", {3, 0, 4, 1, 0, 0, 0}},
    {"paged_attention", {2, 9, 2, 0, 14, 0, 0}},
    {"paged_attention", {3, 10, 0, 0, 15, 0, 0}},
    {"shifted", {0, 1, 0, 0, 1, 1, 1}},
    {"spaced", {0, 1, 0, 0, 1, 0, 1}},
    {"placed", {0, 3, 0, 0, 3, 0, 0}},
    {"placed", {0, 3, 0, 0, 3, 3, 3}},
    {"chosen", {2, 1, 0, 0, 1, 1, 1}},
    {"counted", {0, 1, 0, 1, 1, 3, 3}},
    {"copied_rows", {2, 2, 0, 0, 2, 2, 2}},
    {"joined", {1, 1, 0, 0, 1, 0, 2}},
    {"narrow_beside_wide", {0, 2, 0, 0, 2, 2, 2}},
    {"sixteens", {1, 2, 0, 0, 2, 2, 1}}
    // clang-format on
};

TEST(BoundsCorpus, OfTheLibraryOnlyGetsBetter) { expect_counts(library_corpus(), library_rows); }

TEST(BoundsCorpus, OfTheKernelsThatTestsShareOnlyGetsBetter) { expect_counts(shared_corpus(), shared_rows); }

TEST(BoundsCorpus, NothingIsLeftToTheKernelsOfTheLibrary) {
  for (const library_group& group : library_corpus()) {
    for (const library_launch& each : group.launches) {
      const bounds_counts found = counts_of(each);
      EXPECT_EQ(found.hoisted + found.in_place, 0) << each.module->name;
    }
  }
}

}  // namespace
}  // namespace tilewright::test
