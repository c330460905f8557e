// SPDX-License-Identifier: Apache-2.0
#include "runtime/aliases.hpp"

#include <string>

#include "runtime/planned_launch.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::detail {

region region_of(const launch_argument& given) {
  const auto size = static_cast<index_t>(info(given.memory->element).size_bytes);
  const index_t first = (static_cast<const std::byte*>(given.value.address) - given.memory->address) / size;
  return {first, given.value.rank, given.value.extents.data(), given.value.strides.data()};
}

std::string describe(const ast::module_view* module, std::size_t parameter, const launch_argument& given) {
  const region seen = region_of(given);
  const auto list = [&](const index_t* values) {
    return to_text(Shape(std::span<const index_t>(values, static_cast<std::size_t>(seen.rank))));
  };
  return "parameter " + std::to_string(parameter) + " (" + parameter_kind_name(kind_of(module, parameter)) +
         "): elements " + std::to_string(seen.least()) + " to " + std::to_string(seen.greatest()) + ", extents " +
         list(seen.extents) + ", strides " + list(seen.strides) + " of a tensor of shape " +
         to_text(given.memory->shape);
}

void require_no_alias(const ast::module_view* module, std::span<const launch_argument> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      const launch_argument &a = arguments[i], &b = arguments[j];
      if (a.memory == nullptr || a.memory != b.memory) continue;
      const bool first_is_written = is_output(kind_of(module, i));
      if (!first_is_written && !is_output(kind_of(module, j))) continue;
      if (!overlap(region_of(a), region_of(b))) continue;
      throw usage_error(
          {.what = "an output overlaps another argument",
           .where = text_of(module),
           .expected = "no element shared with " + (first_is_written ? describe(module, i, a) : describe(module, j, b)),
           .got = first_is_written ? describe(module, j, b) : describe(module, i, a),
           .fix = "write into a tensor or a slice that shares no element with the others"});
    }
  }
}

}  // namespace tilewright::detail
