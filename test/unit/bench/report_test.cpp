// SPDX-License-Identifier: Apache-2.0
#include "harness/report.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "tilewright/base/error.hpp"

namespace tilewright::bench {
namespace {

row full_row() {
  row result;
  result.suite = "elementwise";
  result.name = "add_f32_2^26";
  result.device = "cpu";
  result.shape = "67108864";
  result.dtype = "f32";
  set_times(result, 1e9, {{0.1, 0.1}, {0.2, 0.2}});
  result.peer_name = "plain C++ loop";
  result.roof = {20.0, "streaming add"};
  result.error = {0.5, 1.0};
  result.bar = at_least(0.9);
  return result;
}

row row_without_peer() {
  row result = full_row();
  result.peer.reset();
  result.ratio.reset();
  result.why_no_peer = "not installed";
  return result;
}

nlohmann::json parsed(const row& result) { return nlohmann::json::parse(json_of({result}, {"a processor", 2})).at(0); }

TEST(Json, HasEveryFieldOfTheSchema) {
  const auto json = parsed(full_row());
  const std::set<std::string> names = {"suite",     "name",        "device", "shape", "dtype", "ours",
                                       "peer",      "peer_name",   "unit",   "ratio", "limit", "percent_of_limit",
                                       "max_error", "error_bound", "repeats"};
  for (const std::string& name : names) EXPECT_TRUE(json.contains(name)) << name;
  EXPECT_EQ(json["ours"], 10.0);
  EXPECT_EQ(json["peer"], 5.0);
  EXPECT_EQ(json["unit"], "GB/s");
  EXPECT_EQ(json["ratio"], 2.0);
  EXPECT_EQ(json["limit"], 20.0);
  EXPECT_EQ(json["percent_of_limit"], 50.0);
  EXPECT_EQ(json["max_error"], 0.5);
  EXPECT_EQ(json["error_bound"], 1.0);
  EXPECT_EQ(json["repeats"], 2);
  EXPECT_EQ(json["bar"]["verdict"], "met");
  EXPECT_EQ(json["threads"], 2);
}

TEST(Json, NullPeerSaysWhy) {
  const auto json = parsed(row_without_peer());
  EXPECT_TRUE(json["peer"].is_null());
  EXPECT_TRUE(json["ratio"].is_null());
  EXPECT_EQ(json["why_no_peer"], "not installed");
  EXPECT_EQ(json["bar"]["verdict"], "not shown");
}

TEST(Json, NumbersThatDoNotExistAreNull) {
  row result = full_row();
  result.ours = std::numeric_limits<double>::quiet_NaN();
  result.roof.reset();
  result.error.reset();
  result.bar = no_bar;
  const auto json = parsed(result);
  for (const char* name : {"ours", "limit", "percent_of_limit", "max_error", "error_bound", "bar"}) {
    EXPECT_TRUE(json[name].is_null()) << name;
  }
}

TEST(Json, OfNoRowIsAnEmptyArray) { EXPECT_EQ(nlohmann::json::parse(json_of({}, {})), nlohmann::json::array()); }

TEST(Json, ThatCannotBeWrittenIsAnIoError) {
  EXPECT_THROW(write_json("/no/such/folder/rows.json", {full_row()}, {}), io_error);
}

TEST(Table, ShowsValueRatioAndVerdict) {
  const std::string line = table_line(full_row());
  for (const char* part : {"add_f32_2^26", "10.0", "5.00", "2.00", "20.0", ">= 0.90: met", "plain C++ loop"}) {
    EXPECT_NE(line.find(part), std::string::npos) << part << " in " << line;
  }
}

TEST(Table, SaysThatABarWithoutPeerIsNotShownAndWhy) {
  const std::string line = table_line(row_without_peer());
  EXPECT_NE(line.find(">= 0.90: not shown"), std::string::npos) << line;
  EXPECT_NE(line.find("plain C++ loop: not installed"), std::string::npos) << line;
}

TEST(Table, MarksAWrongResult) {
  row result = full_row();
  result.error = {2.0, 1.0};
  EXPECT_NE(table_line(result).find("WRONG"), std::string::npos);
  EXPECT_EQ(summary_of({result}), "bars: 1 met, 0 missed, 0 not shown; 1 of 1 results are WRONG");
}

TEST(Summary, CountsEachVerdict) {
  row slow = full_row();
  slow.ratio = 0.1;
  EXPECT_EQ(summary_of({full_row(), slow, row_without_peer()}), "bars: 1 met, 1 missed, 1 not shown");
}

}  // namespace
}  // namespace tilewright::bench
