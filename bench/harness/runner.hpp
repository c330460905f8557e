// SPDX-License-Identifier: Apache-2.0
// Measures comparisons, prints each row as soon as it is there, and keeps all for the JSON file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/paired.hpp"
#include "harness/row.hpp"

namespace tilewright::bench {

struct comparison {
  std::string name;
  std::string shape;
  std::string dtype;
  bench::unit unit = gigabytes_per_second;
  double work = 0.0;  // bytes, operations or tokens of one repeat
  timed_work ours;
  timed_work peer;  // empty: then why_no_peer says why
  std::string peer_name;
  std::string why_no_peer;
  std::optional<limit> roof;
  bench::bar bar = no_bar;
  timing_plan plan;
  std::function<accuracy()> check;  // of what the last repeat of ours left behind; may be empty
};

class Runner {
 public:
  // In a smoke run each side runs once and no bar counts: the numbers mean nothing.
  Runner(std::string device, bool is_smoke) : device_(std::move(device)), is_smoke_(is_smoke) {}

  bool is_smoke() const { return is_smoke_; }
  void begin_suite(const std::string& name);
  void measure(comparison what);
  // A row that was measured otherwise; suite and device are filled in.
  void add(row result);

  const std::vector<row>& rows() const { return rows_; }

 private:
  std::string device_;
  bool is_smoke_;
  std::string suite_;
  std::vector<row> rows_;
};

}  // namespace tilewright::bench
