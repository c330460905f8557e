// SPDX-License-Identifier: Apache-2.0
// One line of a benchmark's result, and the arithmetic that makes it from timings.
#pragma once

#include <optional>
#include <string>

#include "harness/statistics.hpp"

namespace tilewright::bench {

// How a number is shown. A rate is work per second, more is better; a time is shown as it is, less is better.
struct unit {
  const char* name;
  double scale;  // from work per second, or from seconds
  bool is_time;
};
inline constexpr unit gigabytes_per_second{"GB/s", 1e-9, false};
inline constexpr unit gigaflops{"GFLOP/s", 1e-9, false};
inline constexpr unit tokens_per_second{"tok/s", 1.0, false};
inline constexpr unit milliseconds{"ms", 1e3, true};
inline constexpr unit microseconds{"us", 1e6, true};

// What a row must reach: this many times the peer, or (for a row without a peer) at most this value.
struct bar {
  enum class kind { none, ratio_at_least, value_below } what = kind::none;
  double value = 0.0;
};
inline constexpr bar no_bar{};
constexpr bar at_least(double ratio) { return {bar::kind::ratio_at_least, ratio}; }
constexpr bar below(double value) { return {bar::kind::value_below, value}; }

// The physical limit: the value of a perfect program in the row's unit, and what sets it.
struct limit {
  double value;
  std::string what;
};

// The largest error against f64, and the bound of that element: the one that uses most of its bound is shown.
struct accuracy {
  double max_error = 0.0;
  double error_bound = 0.0;
};

struct row {
  std::string suite;
  std::string name;
  std::string device;
  std::string shape;
  std::string dtype;
  bench::unit unit = gigabytes_per_second;
  double ours = 0.0;
  std::optional<double> peer;
  std::string peer_name;
  std::string why_no_peer;      // not empty exactly if there is no peer
  std::optional<double> ratio;  // above 1: we are ahead
  std::optional<limit> roof;
  std::optional<accuracy> error;
  bench::bar bar;
  int repeats = 0;
};

// seconds, and the work done in them (bytes, operations, tokens), in a unit.
double value_in(const unit& shown, double work, double seconds);

// Fills ours, peer, ratio and repeats of a row whose unit is set.
void set_times(row& result, double work, const paired_times& times);

// 100 = at the limit, for rates and times alike.
std::optional<double> percent_of_limit(const row& result);

enum class verdict { none, met, missed, not_shown };
verdict judge(const row& result);
const char* text_of(verdict value);

// False for a result beyond its bound (or NaN): fast, but wrong.
bool is_right(const row& result);

}  // namespace tilewright::bench
