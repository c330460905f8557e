// SPDX-License-Identifier: Apache-2.0
// The words with which kernel.with(...) says how a GPU runs the kernel. They change its speed, never what it computes
// (but fast_math and deterministic: how it rounds), and devices of the host ignore them. What each means stands in
// base/schedule.hpp. Two are for every device. deny_residual: a launch in which the kernel would have to check an
// index, a row, a divisor, a step or a requirement itself is a compile_error that says why and how to do without.
// deterministic: blocks that share a piece of a sum of floats run one after the other, in the order of their ids, so
// that a launch gives the same bits each time, whatever the number of threads; what can run at once is one block for
// each such piece.
//   kernel.with(persistent, swizzle(8), num_ctas = 2, latency = 6, latency(2) = 4, tma(0) = false, BK = 64)
// A parameter is named by its place in the kernel, the Block not counted.
#pragma once

#include "tilewright/base/schedule.hpp"
#include "tilewright/lang/sequence.hpp"

namespace tilewright {

namespace lang {

// One word with its value, for one parameter or for all of the kernel.
struct schedule_option {
  enum class word : std::uint8_t {
    persistent,
    swizzle,
    reversed,
    num_ctas,
    occupancy,
    workers,
    epilogue_parts,
    programmatic,
    fast_math,
    deny_residual,
    deterministic,
    latency,
    tma
  };
  static constexpr int every_parameter = -0x7fffffff;

  word which = word::persistent;
  int value = 0;
  int parameter = every_parameter;
};

// Written alone, or with true or false to take back what was said before.
struct schedule_flag : schedule_option {
  constexpr explicit schedule_flag(word named) : schedule_option{named, 1, every_parameter} {}
  constexpr schedule_option operator=(bool on) const { return {which, on ? 1 : 0, every_parameter}; }
};

template <class Value>
struct schedule_word {
  schedule_option::word which;
  int parameter = schedule_option::every_parameter;
  constexpr schedule_option operator=(Value value) const { return {which, static_cast<int>(value), parameter}; }
};

// A word for all parameters; with a place, for one.
template <class Value>
struct access_word : schedule_word<Value> {
  constexpr explicit access_word(schedule_option::word named) : schedule_word<Value>{named} {}
  using schedule_word<Value>::operator=;
  constexpr schedule_word<Value> operator()(int place) const { return {this->which, place}; }
};

constexpr void apply(schedule& target, const schedule_option& given) {
  using word = schedule_option::word;
  access_options& access =
      given.parameter == schedule_option::every_parameter ? target.all : target.of[given.parameter];
  switch (given.which) {
    case word::persistent:
      target.persistent = given.value != 0;
      return;
    case word::swizzle:
      target.swizzle = given.value;
      return;
    case word::reversed:
      target.reversed = given.value != 0;
      return;
    case word::num_ctas:
      target.num_ctas = given.value;
      return;
    case word::occupancy:
      target.occupancy = given.value;
      return;
    case word::workers:
      target.workers = given.value;
      return;
    case word::epilogue_parts:
      target.epilogue_parts = given.value;
      return;
    case word::programmatic:
      target.programmatic = given.value != 0;
      return;
    case word::fast_math:
      target.fast_math = given.value != 0;
      return;
    case word::deny_residual:
      target.deny_residual = given.value != 0;
      return;
    case word::deterministic:
      target.deterministic = given.value != 0;
      return;
    case word::latency:
      access.latency = static_cast<std::int8_t>(given.value);
      return;
    case word::tma:
      access.tma = static_cast<std::int8_t>(given.value);
      return;
  }
}

}  // namespace lang

inline constexpr lang::schedule_flag persistent{lang::schedule_option::word::persistent};
inline constexpr lang::schedule_flag reversed{lang::schedule_option::word::reversed};
inline constexpr lang::schedule_flag programmatic{lang::schedule_option::word::programmatic};
inline constexpr lang::schedule_flag fast_math{lang::schedule_option::word::fast_math};
inline constexpr lang::schedule_flag deny_residual{lang::schedule_option::word::deny_residual};
inline constexpr lang::schedule_flag deterministic{lang::schedule_option::word::deterministic};
inline constexpr lang::schedule_word<int> num_ctas{lang::schedule_option::word::num_ctas};
inline constexpr lang::schedule_word<int> occupancy{lang::schedule_option::word::occupancy};
inline constexpr lang::schedule_word<int> workers{lang::schedule_option::word::workers};
inline constexpr lang::access_word<int> latency{lang::schedule_option::word::latency};
inline constexpr lang::access_word<bool> tma{lang::schedule_option::word::tma};

// Groups of so many rows of blocks.
constexpr lang::schedule_option swizzle(int rows) { return {lang::schedule_option::word::swizzle, rows}; }
// A product's result is stored in so many parts.
constexpr lang::schedule_option split_epilogue(int parts) {
  return {lang::schedule_option::word::epilogue_parts, parts};
}

}  // namespace tilewright

// Not constexpr and without a body: that constant evaluation reaches one is the message.
namespace tilewright::diagnostics {
void error_this_kernel_has_no_tensor_parameter_at(int place);
void error_latency_is_1_to_10_but_is(int given);
void error_num_ctas_is_1_2_4_8_or_16_but_is(int given);
void error_occupancy_is_1_to_32_but_is(int given);
void error_workers_is_4_or_8_but_is(int given);
void error_swizzle_is_at_least_1_but_is(int given);
void error_split_epilogue_is_a_power_of_two_but_is(int given);
void error_deterministic_cannot_order_a_sum_of_floats_by_combine_at_in_parameter(int place);
}  // namespace tilewright::diagnostics

namespace tilewright::lang {

constexpr void check_value(const schedule_option& given) {
  using word = schedule_option::word;
  const int value = given.value;
  if (given.which == word::latency && (value < 1 || value > 10)) diagnostics::error_latency_is_1_to_10_but_is(value);
  if (given.which == word::num_ctas && (!is_power_of_two(value) || value > 16)) {
    diagnostics::error_num_ctas_is_1_2_4_8_or_16_but_is(value);
  }
  if (given.which == word::occupancy && (value < 1 || value > 32)) {
    diagnostics::error_occupancy_is_1_to_32_but_is(value);
  }
  if (given.which == word::workers && value != 4 && value != 8) diagnostics::error_workers_is_4_or_8_but_is(value);
  if (given.which == word::swizzle && value < 1) diagnostics::error_swizzle_is_at_least_1_but_is(value);
  if (given.which == word::epilogue_parts && !is_power_of_two(value)) {
    diagnostics::error_split_epilogue_is_a_power_of_two_but_is(value);
  }
}

}  // namespace tilewright::lang
