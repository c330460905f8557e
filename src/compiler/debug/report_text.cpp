// SPDX-License-Identifier: Apache-2.0
// The printer of what a debugger found.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/debug/lanes.hpp"
#include "tilewright/compiler/debug_report.hpp"

namespace tilewright {
namespace {

std::string line_text(const debug_place& place) {
  if (place.line == 0) return {};
  return fmt::format("{}:{}", place.file.empty() ? "line" : place.file, place.line);
}

std::string head_of(const debug_place& place) {
  std::string text = fmt::format("kernel '{}'", place.kernel);
  if (place.line != 0) text += " at " + line_text(place);
  return place.block.empty() ? text : text + fmt::format(", block [{}]", fmt::join(place.block, ", "));
}

const char* what_of(debug_fault what) {
  switch (what) {
    case debug_fault::nan:
      return "NaN begins here and reaches an output";
    case debug_fault::infinity:
      return "an infinity begins here and reaches an output";
    case debug_fault::uninitialised:
      return "uninitialised memory is read";
    case debug_fault::unwritten:
      return "an output is left partly unwritten";
    case debug_fault::race:
      return "blocks are in each other's way";
  }
  return "";
}

std::string value_text(const debug_tile& tile, std::size_t n) {
  return tile.outside[n] ? "." : compiler::debug::number_text(tile.values[n], tile.element);
}

// Rows of a table, as wide as their widest number.
std::string table_text(const debug_tile& tile) {
  const auto columns = static_cast<std::size_t>(tile.extents.empty() ? 1 : tile.extents.back());
  std::vector<std::string> words;
  std::size_t width = 0;
  for (std::size_t n = 0; n < tile.values.size(); ++n) {
    words.push_back(value_text(tile, n));
    width = std::max(width, words.back().size());
  }
  std::string text;
  for (std::size_t n = 0; n < words.size(); ++n) {
    text += fmt::format("{}{:>{}}", n % columns == 0 ? "    " : " ", words[n], width);
    if ((n + 1) % columns == 0) text += "\n";
  }
  return text;
}

std::string ends_text(const debug_tile& tile) {
  const std::size_t half = tile.values.size() / 2;
  std::string text = "   ";
  for (std::size_t n = 0; n < tile.values.size(); ++n) text += (n == half ? " ... " : " ") + value_text(tile, n);
  return text + "\n";
}

std::string statistics_text(const debug_tile& tile) {
  std::vector<std::string> words;
  if (tile.nans + tile.outsides < tile.size()) {
    words.push_back(fmt::format("from {} to {}", compiler::debug::number_text(tile.least, tile.element),
                                compiler::debug::number_text(tile.greatest, tile.element)));
  }
  if (tile.nans > 0) words.push_back(fmt::format("{} NaN", tile.nans));
  if (tile.infinities > 0) words.push_back(fmt::format("{} infinite", tile.infinities));
  if (tile.outsides > 0) words.push_back(fmt::format("{} outside", tile.outsides));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string to_text(const debug_tile& tile) {
  const std::string round = tile.round > 0 ? fmt::format(" round {}", tile.round) : "";
  const std::string extents = tile.extents.empty() ? "" : fmt::format("[{}]", fmt::join(tile.extents, ", "));
  std::string text = fmt::format("  {} {}{} {}{}", line_text(tile.place), tile.place.operation, round,
                                 info(tile.element).name, extents);
  if (tile.size() == 1) return text + ": " + value_text(tile, 0) + "\n";
  text += ": " + statistics_text(tile) + "\n";
  return text + (static_cast<std::int64_t>(tile.values.size()) == tile.size() ? table_text(tile) : ends_text(tile));
}

std::string to_text(const debug_finding& finding) {
  std::string text = fmt::format("{}: {}; got {}", head_of(finding.place), what_of(finding.what), finding.got);
  const bool is_stored = finding.what == debug_fault::nan || finding.what == debug_fault::infinity;
  text += fmt::format("{} parameter {} at [{}]", is_stored ? "; stored to" : ", of", finding.parameter,
                      fmt::join(finding.element, ", "));
  if (finding.count > 1) text += fmt::format(" and {} more", finding.count - 1);
  return text + "; " + finding.fix + "\n";
}

std::string to_text(const debug_report& report) {
  std::string text;
  const debug_place* before = nullptr;
  for (const debug_tile& tile : report.tiles) {
    if (before == nullptr || before->block != tile.place.block || before->kernel != tile.place.kernel) {
      text += fmt::format("block [{}] of '{}'\n", fmt::join(tile.place.block, ", "), tile.place.kernel);
    }
    before = &tile.place;
    text += to_text(tile);
  }
  if (report.later_rounds > 0) text += fmt::format("{} values of later rounds not kept\n", report.later_rounds);
  const std::size_t count = report.findings.size();
  text += count == 0 ? "no findings\n" : fmt::format("{} finding{}\n", count, count == 1 ? "" : "s");
  for (const debug_finding& finding : report.findings) text += "  " + to_text(finding);
  return text;
}

}  // namespace tilewright
