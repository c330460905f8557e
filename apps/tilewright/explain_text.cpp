// SPDX-License-Identifier: Apache-2.0
#include "explain_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "compiler/element_access.hpp"
#include "tilewright/compiler/masks_report.hpp"

using namespace tilewright;
using namespace tilewright::compiler;
using ast::op;

namespace {

std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

// "gemm.hpp:23": what describe_location() says behind the kernel.
std::string line_of(const program& source, source_location location) {
  const std::string text = describe_location(*source.module, location);
  const std::size_t place = text.rfind(" at ");
  return place == std::string::npos ? "-" : text.substr(place + 4);
}

std::string amount(double number, const char* unit, double step) {
  constexpr const char* prefixes[] = {"", "K", "M", "G", "T", "P"};
  std::size_t power = 0;
  while (number >= step && power + 1 < std::size(prefixes)) {
    number /= step;
    ++power;
  }
  const std::string binary = power > 0 && step == 1024 ? "i" : "";
  return fmt::format("{:.{}f} {}{}{}", number, power == 0 ? 0 : 2, prefixes[power], binary, unit);
}
std::string bytes_text(double bytes) { return amount(bytes, "B", 1024); }

std::string parameter_text(const program& source, std::size_t position) {
  return fmt::format("{} {}", position, parameter_kind_name(source.parameters[position].kind));
}

void add_access(std::vector<std::string>& words, const access_options& access, const std::string& place) {
  if (access.latency != 0) words.push_back(fmt::format("latency{} {}", place, access.latency));
  if (access.tma != -1) words.push_back(fmt::format("tma{} {}", place, access.tma != 0 ? "on" : "off"));
}

}  // namespace

std::string schedule_text(const schedule& given) {
  std::vector<std::string> words;
  const auto flag = [&](const char* name, bool is_on) {
    if (is_on) words.emplace_back(name);
  };
  const auto number = [&](const char* name, int value, int unset) {
    if (value != unset) words.push_back(fmt::format("{} {}", name, value));
  };
  flag("persistent", given.persistent);
  number("swizzle", given.swizzle, 0);
  flag("reversed", given.reversed);
  number("num_ctas", given.num_ctas, 0);
  number("occupancy", given.occupancy, 0);
  number("workers", given.workers, 0);
  number("split_epilogue", given.epilogue_parts, 1);
  flag("programmatic", given.programmatic);
  flag("fast_math", given.fast_math);
  flag("deny_residual", given.deny_residual);
  flag("deterministic", given.deterministic);
  add_access(words, given.all, "");
  for (int p = 0; p < max_scheduled_parameters; ++p) add_access(words, given.of[p], fmt::format("({})", p));
  return words.empty() ? "left to the compiler" : fmt::format("{}", fmt::join(words, ", "));
}

namespace {

using entries = std::vector<bounds_entry>::const_iterator;

// What stands at one line with the same words, up to `last`.
std::string entry_text(const program& source, entries first, entries last, std::size_t width, bool has_details) {
  const std::string times = last - first > 1 ? fmt::format(" ({} times)", last - first) : "";
  std::string text = fmt::format("  {:8}  {:{}}  {}{}\n", name_of(first->where), line_of(source, first->location),
                                 width, first->rule, times);
  const bool is_checked = first->where == rung::hoisted || first->where == rung::in_place;
  if (!is_checked && !has_details) return text;
  const auto add = [&](const char* what, const std::string& said) {
    if (!said.empty()) text += fmt::format("  {:8}  {:{}}    {}: {}\n", "", "", width, what, said);
  };
  add(first->where == rung::launch ? "compares" : "because", first->reason);
  add("static with", first->fix);
  return text;
}

}  // namespace

std::string bounds_text(const program& source, const bounds_report& report, bool has_details) {
  std::string text = fmt::format("Bounds: {} static, {} by the launch ({} comparisons), {} hoisted, {} in place\n",
                                 report.count(rung::proved), report.count(rung::launch), source.checks.size(),
                                 report.count(rung::hoisted), report.count(rung::in_place));
  std::size_t width = 0;
  for (const bounds_entry& each : report.entries) width = std::max(width, line_of(source, each.location).size());
  const auto end = report.entries.end();
  for (auto first = report.entries.begin(); first != end;) {
    const auto last = std::find_if_not(first, end, [&](const bounds_entry& next) {
      return next.where == first->where && next.rule == first->rule && next.reason == first->reason &&
             line_of(source, next.location) == line_of(source, first->location);
    });
    text += entry_text(source, first, last, width, has_details);
    first = last;
  }
  return text;
}

namespace {

struct access_row {
  std::string line, access, parameter, tile, axes;
  std::vector<const mask_entry*> masks = {};
};

// "1, filled with the pad", "0 on a GPU"
std::string mask_text(const mask_entry& mask) {
  std::string text = mask.axis == mask_entry::all_lanes ? "single lanes" : fmt::format("{}", mask.axis);
  if (!mask.on_host) text += " on a GPU";
  if (!mask.on_gpu) text += " on the host";
  return text;
}

access_row row_of(const program& source, const instruction& access, std::vector<const mask_entry*> masks) {
  const bool is_written = access.results.empty(), is_chosen = ast::chooses_elements(access.op);
  const value_type tile =
      is_chosen ? lanes_of(source, access) : source.values[at(is_written ? access.operands[0] : access.results[0])];
  std::vector<int> extents(tile.extents.begin(), tile.extents.begin() + tile.rank);
  std::vector<std::string> axes;
  for (const mask_entry* mask : masks) axes.push_back(mask_text(*mask));
  if (masks.empty()) axes.emplace_back("none");
  if (!masks.empty() && masks[0]->is_padded) axes.emplace_back("filled with the pad");
  return {line_of(source, access.location),
          ast::info(access.op).name,
          parameter_text(source, at(access.attributes[0])),
          fmt::format("[{}]", fmt::join(extents, ", ")),
          fmt::format("{}", fmt::join(axes, ", ")),
          std::move(masks)};
}

class access_rows {
 public:
  access_rows(const program& source, const masks_report& report) : source_(source), report_(report) {
    add(source.entry);
  }
  std::vector<access_row> take() { return std::move(rows_); }

 private:
  void add(const block& code) {
    for (const instruction& next : code.body) {
      for (const block& inner : next.blocks) add(inner);
      if (ast::info(next.op).category != ast::op_category::memory) continue;
      std::vector<const mask_entry*> masks;
      for (const mask_entry& mask : report_.entries) {
        if (mask.site == site_) masks.push_back(&mask);
      }
      rows_.push_back(row_of(source_, next, std::move(masks)));
      ++site_;
    }
  }

  const program& source_;
  const masks_report& report_;
  std::vector<access_row> rows_ = {{"line", "access", "parameter", "tile", "masked axes"}};
  int site_ = 0;
};

}  // namespace

std::string masks_text(const program& source) {
  const masks_report report = masks_of(source);
  const std::vector<access_row> rows = access_rows(source, report).take();
  std::size_t line = 0, tile = 0;
  for (const access_row& row : rows) {
    line = std::max(line, row.line.size());
    tile = std::max(tile, row.tile.size());
  }
  std::string text =
      fmt::format("Masks: {} on the host, {} on a GPU, of axes on which lanes may lie outside the tensor\n",
                  report.on_host(), report.on_gpu());
  for (const access_row& row : rows) {
    text += fmt::format("  {:{}}  {:11}  {:10} {:{}}  {}\n", row.line, line, row.access, row.parameter, row.tile, tile,
                        row.axes);
    for (const mask_entry* mask : row.masks) {
      text += fmt::format("  {:{}}    because: {}\n", "", line, mask->reason);
      if (!mask->fix.empty()) text += fmt::format("  {:{}}    none with: {}\n", "", line, mask->fix);
    }
  }
  return text;
}

std::string traffic_text(const program& source, const traffic_estimate& estimate) {
  std::string text =
      "Traffic of one launch, estimated: all that its blocks load and store inside the tensors; caches are not "
      "modelled\n";
  text += fmt::format("  {:16} {:>12} {:>12} {:>12}\n", "parameter", "loaded", "stored", "its size");
  double moved = 0, least = 0;
  for (std::size_t p = 0; p < source.parameters.size(); ++p) {
    if (source.parameters[p].kind == parameter_kind::scalar) continue;
    moved += estimate.loaded_bytes[p] + estimate.stored_bytes[p];
    least += estimate.tensor_bytes[p];
    text +=
        fmt::format("  {:16} {:>12} {:>12} {:>12}\n", parameter_text(source, p), bytes_text(estimate.loaded_bytes[p]),
                    bytes_text(estimate.stored_bytes[p]), bytes_text(estimate.tensor_bytes[p]));
  }
  text += fmt::format("  {} in all; all tensors once are {}\n", bytes_text(moved), bytes_text(least));
  const double operations = estimate.mma_operations + estimate.element_operations;
  text += fmt::format(
      "  {} in mma (a product and a sum are two), {} on elements, lanes past edges included: {:.2f} a byte\n",
      amount(estimate.mma_operations, "op", 1000), amount(estimate.element_operations, "op", 1000),
      moved > 0 ? operations / moved : 0.0);
  if (estimate.loops_that_depend_on_data > 0) {
    text += fmt::format("  too low: {} loops have bounds that are not followed, each counts one round\n",
                        estimate.loops_that_depend_on_data);
  }
  if (estimate.branches_that_depend_on_data > 0) {
    text += fmt::format("  inexact: {} branches are not followed, each counts its first side\n",
                        estimate.branches_that_depend_on_data);
  }
  return text;
}
