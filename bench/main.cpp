// SPDX-License-Identifier: Apache-2.0
// `./dev bench`: measures suites of rows, prints them as a table and writes them as JSON. Ends with 1 when a result is
// beyond its error bound: fast, but wrong.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/report.hpp"
#include "suites/suites.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::bench {
namespace {

struct options {
  std::vector<std::string> suite_names;  // empty: all
  std::string device = "cpu";
  std::filesystem::path json;
  bool is_smoke = false;
};

std::vector<std::string> names_of_suites() {
  std::vector<std::string> names;
  for (const suite& each : suites) names.emplace_back(each.name);
  return names;
}

std::string list_of_suites() {
  std::string text = "Suites:\n";
  for (const suite& each : suites) text += fmt::format("  {:<12} {}\n", each.name, each.what);
  return text;
}

Device find_device(const std::string& name) {
  if (name == "cpu") return cpu_device();
  if (name == "interp") return interp_device();
  throw usage_error({.what = "this release has no such device",
                     .where = "--device",
                     .expected = "cpu or interp",
                     .got = name,
                     .fix = "run the benchmarks with --device cpu"});
}

bool is_wanted(const options& chosen, const char* name) {
  return chosen.suite_names.empty() || std::count(chosen.suite_names.begin(), chosen.suite_names.end(), name) > 0;
}

int run(const options& chosen) {
  const machine where = this_machine();
  fmt::print("{}, {} threads{}\n", where.processor, where.threads,
             chosen.is_smoke ? "; a smoke run: the numbers mean nothing" : "");
  const Device device = find_device(chosen.device);
  if (!chosen.json.empty()) write_json(chosen.json, {}, where);  // a file that cannot be written fails now, not later
  PinnedThreads threads;
  Roofs roofs(threads, chosen.is_smoke);
  Runner runner(chosen.device, chosen.is_smoke);
  bench_context context{device, runner, threads, roofs};
  for (const suite& each : suites) {
    if (!is_wanted(chosen, each.name)) continue;
    runner.begin_suite(each.name);
    each.run(context);
  }
  fmt::print("{}\n", summary_of(runner.rows()));
  if (!chosen.json.empty()) write_json(chosen.json, runner.rows(), where);
  const auto is_wrong = [](const row& result) { return !is_right(result); };
  return std::any_of(runner.rows().begin(), runner.rows().end(), is_wrong) ? 1 : 0;
}

}  // namespace
}  // namespace tilewright::bench

int main(int argument_count, char** arguments) {
  tilewright::bench::options chosen;
  CLI::App app("Measures Tilewright beside its peers and the limits of the machine. A ratio above 1: we are ahead.");
  app.footer(tilewright::bench::list_of_suites());
  app.add_option("--suite", chosen.suite_names, "only this suite (may be repeated)")
      ->check(CLI::IsMember(tilewright::bench::names_of_suites()));
  app.add_option("--device", chosen.device, "cpu, or interp; ./dev bench --device cuda is another program")
      ->check(CLI::IsMember({"cpu", "interp"}));
  app.add_option("--json", chosen.json, "write the rows here as well");
  app.add_flag("--smoke", chosen.is_smoke, "tiny sizes, one repeat: checks that the benchmarks run");
  CLI11_PARSE(app, argument_count, arguments);
  try {
    return tilewright::bench::run(chosen);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "bench: {}\n", failure.what());
    return 2;
  }
}
