// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "tilewright/base/error.hpp"
#include "tilewright/lang/schedule.hpp"

using namespace tilewright;

namespace {

[[noreturn]] void refuse(std::string what, std::string where, std::string expected, std::string got) {
  throw usage_error({.what = std::move(what),
                     .where = std::move(where),
                     .expected = std::move(expected),
                     .got = std::move(got),
                     .fix = "see --help of the command"});
}

std::optional<index_t> number_in(const std::string& text) {
  index_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, value);
  if (fault != std::errc() || end != last) return {};
  return value;
}

// "name=number".
std::pair<std::string, index_t> assignment(const std::string& text, const std::string& where) {
  const std::size_t equals = text.find('=');
  const auto value = equals == std::string::npos ? std::nullopt : number_in(text.substr(equals + 1));
  if (!value) refuse("a size is not understood", where, "NAME=NUMBER", text);
  return {text.substr(0, equals), *value};
}

struct schedule_word {
  const char* name;
  lang::schedule_option::word which;
  bool is_flag, is_of_parameters;
  index_t least, greatest;
  bool is_power_of_two = false;
};
using word = lang::schedule_option::word;
constexpr schedule_word schedule_words[] = {{"persistent", word::persistent, true, false, 0, 1},
                                            {"reversed", word::reversed, true, false, 0, 1},
                                            {"programmatic", word::programmatic, true, false, 0, 1},
                                            {"fast_math", word::fast_math, true, false, 0, 1},
                                            {"deny_residual", word::deny_residual, true, false, 0, 1},
                                            {"deterministic", word::deterministic, true, false, 0, 1},
                                            {"swizzle", word::swizzle, false, false, 1, 1 << 20},
                                            {"num_ctas", word::num_ctas, false, false, 1, 16, true},
                                            {"occupancy", word::occupancy, false, false, 1, 32},
                                            {"workers", word::workers, false, false, 4, 8, true},
                                            {"split_epilogue", word::epilogue_parts, false, false, 1, 64, true},
                                            {"latency", word::latency, false, true, 1, 10},
                                            {"tma", word::tma, false, true, 0, 1}};

lang::schedule_option parse_option(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string left = text.substr(0, equals);
  const std::size_t point = std::min(left.find('.'), left.size());
  const auto* const found = std::find_if(std::begin(schedule_words), std::end(schedule_words),
                                         [&](const schedule_word& each) { return left.substr(0, point) == each.name; });
  if (found == std::end(schedule_words)) {
    std::string names;
    for (const schedule_word& each : schedule_words) names += std::string(names.empty() ? "" : ", ") + each.name;
    refuse("an option of a schedule is not known", "--with", names, text);
  }
  const auto value = equals < text.size() ? number_in(text.substr(equals + 1))
                                          : (found->is_flag ? std::optional<index_t>(1) : std::nullopt);
  const bool is_in_range = value && *value >= found->least && *value <= found->greatest;
  if (!is_in_range || (found->is_power_of_two && (*value & (*value - 1)) != 0)) {
    refuse("a value of a schedule is not possible", std::string("--with ") + found->name,
           fmt::format("{} to {}{}", found->least, found->greatest, found->is_power_of_two ? ", a power of two" : ""),
           text);
  }
  int parameter = lang::schedule_option::every_parameter;
  if (point < left.size()) {
    const auto place = number_in(left.substr(point + 1));
    if (!found->is_of_parameters || !place || *place < 0 || *place >= max_scheduled_parameters) {
      refuse("a parameter of a schedule is not understood", std::string("--with ") + found->name,
             "latency.N or tma.N, N counting the kernel's parameters from 0", text);
    }
    parameter = static_cast<int>(*place);
  }
  return {found->which, static_cast<int>(*value), parameter};
}

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Sizes::Sizes(const std::string& kernel, const std::string& defaults, const std::string& given) {
  const std::string where = "the shape of " + kernel;
  for (const std::string& each : split(defaults, ',')) values_.insert(assignment(each, where));
  for (const std::string& each : split(given, ',')) {
    const auto [name, value] = assignment(each, where);
    const auto found = values_.find(name);
    if (found == values_.end()) refuse("a size is not one of the kernel's", where, defaults, each);
    found->second = value;
  }
  for (const auto& [name, value] : values_) {
    if (value < 1) refuse("a size is missing", where, name + " of 1 or more", given);
  }
}

index_t Sizes::operator[](const std::string& name) const {
  const auto found = values_.find(name);
  require_internal(found != values_.end(), "a kernel of the library asks for a size that it does not list");
  return found->second;
}

dtype parse_dtype(const std::string& name) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto each = static_cast<dtype>(i);
    if (name == info(each).name) return each;
  }
  refuse("an element type is not known", "--dtype", "f32, f16, bf16 or i8", name);
}

compiler::target parse_target(const std::string& name) {
  if (const auto found = compiler::target_named(name); found && *found != compiler::target::interp) return *found;
  std::string names;
  for (const compiler::target each : compiler::all_targets) {
    if (each != compiler::target::interp) names += std::string(names.empty() ? "" : ", ") + compiler::name_of(each);
  }
  refuse("a target is not known", "--target", names, name);
}

schedule parse_schedule(const std::string& words) {
  schedule result;
  for (const std::string& each : split(words, ',')) lang::apply(result, parse_option(each));
  return result;
}
