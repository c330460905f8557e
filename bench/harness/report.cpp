// SPDX-License-Identifier: Apache-2.0
#include "harness/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/threads.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::bench {
namespace {

using nlohmann::ordered_json;

// JSON has no NaN: a number that does not exist is null, as one that was not taken.
ordered_json number_or_null(double value) {
  ordered_json number;
  if (std::isfinite(value)) number = value;
  return number;
}

constexpr double none = std::numeric_limits<double>::quiet_NaN();

ordered_json bar_of(const row& result) {
  if (result.bar.what == bar::kind::none) return nullptr;
  const bool is_ratio = result.bar.what == bar::kind::ratio_at_least;
  return {{is_ratio ? "ratio_at_least" : "value_below", result.bar.value}, {"verdict", text_of(judge(result))}};
}

ordered_json json_row(const row& result, const machine& where) {
  return {
      {"suite", result.suite},
      {"name", result.name},
      {"device", result.device},
      {"shape", result.shape},
      {"dtype", result.dtype},
      {"ours", number_or_null(result.ours)},
      {"peer", number_or_null(result.peer.value_or(none))},
      {"peer_name", result.peer_name},
      {"unit", result.unit.name},
      {"ratio", number_or_null(result.ratio.value_or(none))},
      {"limit", number_or_null(result.roof ? result.roof->value : none)},
      {"percent_of_limit", number_or_null(percent_of_limit(result).value_or(none))},
      {"max_error", number_or_null(result.error ? result.error->max_error : none)},
      {"error_bound", number_or_null(result.error ? result.error->error_bound : none)},
      {"repeats", result.repeats},
      {"why_no_peer", result.why_no_peer},
      {"limit_name", result.roof ? result.roof->what : ""},
      {"bar", bar_of(result)},
      {"processor", where.processor},
      {"threads", where.threads},
  };
}

std::string cell(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  return fmt::format("{:.{}f}", value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4);
}

std::string error_cell(const row& result) {
  if (!result.error) return "-";
  return fmt::format("{:.1e} of {:.1e}{}", result.error->max_error, result.error->error_bound,
                     is_right(result) ? "" : " WRONG");
}

std::string bar_cell(const row& result) {
  if (result.bar.what == bar::kind::none) return "";
  const bool is_ratio = result.bar.what == bar::kind::ratio_at_least;
  return fmt::format("{} {:.2f}: {}", is_ratio ? ">=" : "<", result.bar.value, text_of(judge(result)));
}

constexpr const char* line_format = "{:<26} {:>9} {:>9} {:<8} {:>6} {:>9} {:>6}  {:<20} {:<18} {}\n";

}  // namespace

machine this_machine() {
  machine where{"unknown processor", thread_count()};
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    where.processor = line.substr(line.find(':') + 2);
    break;
  }
  return where;
}

std::string json_of(const std::vector<row>& rows, const machine& where) {
  ordered_json all = ordered_json::array();
  for (const row& result : rows) all.push_back(json_row(result, where));
  return all.dump(1) + '\n';
}

void write_json(const std::filesystem::path& file, const std::vector<row>& rows, const machine& where) {
  std::ofstream out(file);
  out << json_of(rows, where) << std::flush;
  if (!out) {
    throw io_error({.what = "the results cannot be written",
                    .where = file.string(),
                    .expected = "a file in a folder that exists and may be written",
                    .got = "",
                    .fix = "name another file after --json"});
  }
}

std::string table_head() {
  return fmt::format(line_format, "name", "ours", "peer", "unit", "ratio", "limit", "%", "max error", "bar",
                     "peer; limit");
}

std::string table_line(const row& result) {
  std::string remark = result.peer_name;
  if (!result.why_no_peer.empty()) remark += (remark.empty() ? "" : ": ") + result.why_no_peer;
  if (result.roof) remark += (remark.empty() ? "" : "; ") + result.roof->what;
  return fmt::format(line_format, result.name, cell(result.ours), cell(result.peer.value_or(none)), result.unit.name,
                     cell(result.ratio.value_or(none)), cell(result.roof ? result.roof->value : none),
                     cell(percent_of_limit(result).value_or(none)), error_cell(result), bar_cell(result), remark);
}

std::string summary_of(const std::vector<row>& rows) {
  int met = 0, missed = 0, not_shown = 0, wrong = 0;
  for (const row& result : rows) {
    met += judge(result) == verdict::met;
    missed += judge(result) == verdict::missed;
    not_shown += judge(result) == verdict::not_shown;
    wrong += !is_right(result);
  }
  std::string text = fmt::format("bars: {} met, {} missed, {} not shown", met, missed, not_shown);
  if (wrong > 0) text += fmt::format("; {} of {} results are WRONG", wrong, rows.size());
  return text;
}

}  // namespace tilewright::bench
