// SPDX-License-Identifier: Apache-2.0
// The classic kernels with arguments of real sizes, bound: what back ends compile in tests and goldens.
#pragma once

#include <string>
#include <vector>

#include "support/arguments.hpp"
#include "support/classic_kernels.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {

struct classic_launch {
  std::string name;
  const ast::module_view* module;
  std::vector<compiler::argument> arguments;
  std::vector<compiler::named_extent> dims;
  tilewright::schedule schedule = {};
};
inline void PrintTo(const classic_launch& printed, std::ostream* out) { *out << printed.name; }

// The four whose speed on a GPU is measured.
inline std::vector<classic_launch> classic_launches() {
  const compiler::argument scale = scalar_bits(0x3db504f3), past = scalar_bits(0);
  return {{"add", add.reference().module, {dense({1 << 22}, {1024}), dense({1 << 22}), dense({1 << 22})}, {}},
          {"softmax", softmax.reference().module, {dense({4096, 1024}, {8, 1024}), dense({4096, 1024})}, {}},
          {"gemm",
           gemm.reference().module,
           {dense({4096, 4096}, {128, 256}), dense({4096, 4096}), dense({4096, 4096})},
           {{"BK", 32}}},
          {"attention",
           attention.reference().module,
           {dense({4096, 128}, {128, 128}), dense({4096, 128}), dense({4096, 128}), dense({4096, 128}), scale, past},
           {{"BN", 128}}}};
}

// Two of them as a GPU runs them best, or nearly: what schedules write.
inline std::vector<classic_launch> scheduled_launches() {
  classic_launch product = classic_launches()[2], causal = classic_launches()[3];
  product.name = "gemm_persistent";
  product.schedule = {.persistent = true, .swizzle = 16, .occupancy = 1, .workers = 8, .epilogue_parts = 2};
  product.schedule.all.latency = 6;
  causal.name = "attention_reversed";
  causal.schedule = {.reversed = true, .workers = 8, .programmatic = true, .fast_math = true};
  causal.schedule.of[2] = {.latency = 2};
  causal.schedule.of[3] = {.latency = 4, .tma = 1};
  return {product, causal};
}

// Blocks that share pieces of an output.
inline classic_launch shared_launch() {
  return {"column_sums",
          column_sums.reference().module,
          {shared(dense({4096}, {128}), 64), dense({4096, 4096})},
          {{"BM", 64}}};
}

// The same as one block for each piece, whose sharers take turns.
inline classic_launch deterministic_launch() {
  classic_launch sums = shared_launch();
  sums.name = "column_sums_in_turn";
  sums.schedule.deterministic = true;
  return sums;
}

// Scans from both ends, of rows that are no power of two.
inline classic_launch scanning_launch() {
  return {
      "greatest_from_here", greatest_from_here.reference().module, {dense({4096, 24}, {8, 24}), dense({4096, 24})}, {}};
}

inline classic_launch combining_launch() {
  return {"states_from_here", states_from_here.reference().module, {dense({4096, 24}, {8, 24}), dense({4096, 24})}, {}};
}

// Whole rows, in tiles whose last one ends past them.
inline classic_launch streaming_launch() {
  return {"long_scan",
          long_scan.reference().module,
          {dense({4096, 100'004}, {16, whole_axis}), dense({4096, 100'004})},
          {{"BK", 64}}};
}

// Two tensors as one of half rows.
inline classic_launch halving_launch() {
  return {"half_rows",
          half_rows.reference().module,
          {dense({4096, 32}, {64, 32}), dense({1024, 64}), dense({1024, 64})},
          {{"BM", 16}, {"BN", 64}}};
}

inline std::vector<classic_launch> plain_and_scheduled_launches() {
  std::vector<classic_launch> all = classic_launches();
  for (classic_launch& next : scheduled_launches()) all.push_back(std::move(next));
  all.push_back(shared_launch());
  all.push_back(deterministic_launch());
  all.push_back(scanning_launch());
  all.push_back(combining_launch());
  all.push_back(streaming_launch());
  all.push_back(halving_launch());
  return all;
}

inline compiler::program bound(const classic_launch& launch) {
  compiler::bound_arguments made = compiler::bind_arguments(*launch.module, launch.arguments, launch.dims, {});
  made.special.schedule = launch.schedule;
  return compiler::front(*launch.module, made.special);
}

}  // namespace tilewright::test
