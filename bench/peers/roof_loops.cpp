// SPDX-License-Identifier: Apache-2.0
#include "peers/roof_loops.hpp"

namespace tilewright::bench {
namespace {

// One register of this machine.
constexpr std::size_t lanes = __BIGGEST_ALIGNMENT__ / sizeof(float);
typedef float floats __attribute__((vector_size(__BIGGEST_ALIGNMENT__)));

constexpr int chains = 12;  // more than latency times multiply-adds a cycle of any x86-64 or Arm core

float sum_of(const floats* values, int count) {
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sum += values[i][lane];
  }
  return sum;
}

}  // namespace

double multiply_add_loop(long rounds, float& sink) {
  const floats factor = floats{} + (0.5f + sink * 1e-30f);
  const floats summand = floats{} + 0.25f;
  floats values[chains];
  for (int i = 0; i < chains; ++i) values[i] = floats{} + static_cast<float>(i);  // equal chains would become one
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) values[i] = values[i] * factor + summand;
  }
  sink = sum_of(values, chains);
  return 2.0 * chains * static_cast<double>(lanes) * static_cast<double>(rounds);
}

float read_loop(const float* x, std::size_t count) {
  constexpr int streams = 8;
  floats sums[streams] = {};
  const auto* from = reinterpret_cast<const floats*>(x);
  for (std::size_t i = 0; i + streams <= count / lanes; i += streams) {
#pragma GCC unroll 8
    for (int j = 0; j < streams; ++j) sums[j] += from[i + static_cast<std::size_t>(j)];
  }
  return sum_of(sums, streams);
}

}  // namespace tilewright::bench
