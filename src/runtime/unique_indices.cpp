// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/unique_indices.hpp"

#include <unordered_map>

#include "runtime/device_engine.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::detail {
namespace {

constexpr index_t greatest_bound = index_t{1} << 48;  // of extents

[[noreturn]] void refuse(std::string what, std::string expected, std::string got, std::string fix) {
  throw usage_error({.what = std::move(what),
                     .where = "unique_indices()",
                     .expected = std::move(expected),
                     .got = std::move(got),
                     .fix = std::move(fix)});
}

void require_form(const Shape& shape, index_t rows) {
  if (shape.rank() != 1) {
    refuse("unique indices have one axis", "shape [n]", to_text(shape), "give a tensor or view of rank 1");
  }
  if (rows < 0 || rows > greatest_bound) {
    refuse("an impossible number of rows", "0 to 2^48", std::to_string(rows), "give the extent of the output");
  }
}

}  // namespace

bool require_unique(const Device& device, const Shape& shape, const std::vector<index_t>& indices, index_t rows) {
  require_form(shape, rows);
  if (!device.engine().keeps_values()) return false;
  std::unordered_map<index_t, std::size_t> places;
  places.reserve(indices.size());
  for (std::size_t place = 0; place < indices.size(); ++place) {
    const index_t index = indices[place];
    if (index < 0 || index >= rows) {
      refuse("an index names no row", "0 to " + std::to_string(rows - 1),
             std::to_string(index) + " at position " + std::to_string(place),
             "leave it out, or state more rows: unique_indices(t, rows)");
    }
    const auto [first, is_new] = places.try_emplace(index, place);
    if (is_new) continue;
    refuse("an index stands twice", "indices that all differ",
           std::to_string(index) + " at positions " + std::to_string(first->second) + " and " + std::to_string(place),
           "combine such rows into an Accum, or leave one of them out");
  }
  return true;
}

}  // namespace tilewright::detail
