// SPDX-License-Identifier: Apache-2.0
#include "harness/row.hpp"

namespace tilewright::bench {

double value_in(const unit& shown, double work, double seconds) {
  return shown.is_time ? shown.scale * seconds : shown.scale * work / seconds;
}

void set_times(row& result, double work, const paired_times& times) {
  result.ours = value_in(result.unit, work, median(times.ours));
  result.repeats = static_cast<int>(times.ours.size());
  if (times.peer.empty()) return;
  result.peer = value_in(result.unit, work, median(times.peer));
  result.ratio = paired_ratio(times);
}

std::optional<double> percent_of_limit(const row& result) {
  if (!result.roof) return std::nullopt;
  const double part = result.unit.is_time ? result.roof->value / result.ours : result.ours / result.roof->value;
  return 100.0 * part;
}

verdict judge(const row& result) {
  switch (result.bar.what) {
    case bar::kind::none:
      return verdict::none;
    case bar::kind::value_below:
      return result.ours < result.bar.value ? verdict::met : verdict::missed;
    case bar::kind::ratio_at_least:
      if (!result.ratio) return verdict::not_shown;
      return *result.ratio >= result.bar.value ? verdict::met : verdict::missed;
  }
  return verdict::none;
}

const char* text_of(verdict value) {
  switch (value) {
    case verdict::none:
      return "";
    case verdict::met:
      return "met";
    case verdict::missed:
      return "missed";
    case verdict::not_shown:
      return "not shown";
  }
  return "";
}

bool is_right(const row& result) { return !result.error || result.error->max_error <= result.error->error_bound; }

}  // namespace tilewright::bench
