// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/tables.hpp"

#include <algorithm>

namespace tilewright::compiler::tileir {
namespace {

// A kernel has some dozens of each, so a walk is as fast as a hash and needs no order of its own.
template <class Item>
std::uint32_t place_in(std::vector<Item>& all, Item item) {
  const auto found = std::find(all.begin(), all.end(), item);
  if (found == all.end()) {
    all.push_back(std::move(item));
    return static_cast<std::uint32_t>(all.size() - 1);
  }
  return static_cast<std::uint32_t>(found - all.begin());
}

type of_tag(type_tag tag) {
  type made;
  made.tag = tag;
  return made;
}

}  // namespace

type_id tables::add(type made) { return place_in(into_.types, std::move(made)); }

type_id tables::number(type_tag tag) { return add(of_tag(tag)); }
type_id tables::token() { return add(of_tag(type_tag::token)); }

type_id tables::pointer(type_tag pointee) {
  type made = of_tag(type_tag::pointer);
  made.element = number(pointee);
  return add(std::move(made));
}

type_id tables::tile(type_tag element, const tile_shape& shape) {
  type made = of_tag(type_tag::tile);
  made.element = number(element);
  made.shape = shape;
  return add(std::move(made));
}

type_id tables::pointer_tile(type_tag pointee, const tile_shape& shape) {
  type made = of_tag(type_tag::tile);
  made.element = pointer(pointee);
  made.shape = shape;
  return add(std::move(made));
}

type_id tables::tensor_view(type_tag element, const tile_shape& extents, const tile_shape& strides) {
  type made = of_tag(type_tag::tensor_view);
  made.element = number(element);
  made.shape = extents;
  made.strides = strides;
  return add(std::move(made));
}

type_id tables::view(type_id tensor, const tile_shape& tile, const tile_shape& steps, std::optional<padding> pad) {
  type made = of_tag(steps.empty() ? type_tag::partition_view : type_tag::strided_view);
  made.element = tensor;
  made.shape = tile;
  made.strides = steps;
  for (std::size_t axis = 0; axis < tile.size(); ++axis) made.axes.push_back(static_cast<std::int32_t>(axis));
  made.pad = pad;
  return add(std::move(made));
}

type_id tables::function(const std::vector<type_id>& parameters) {
  type made = of_tag(type_tag::function);
  made.parameters = parameters;
  return add(std::move(made));
}

string_id tables::string(const std::string& text) { return place_in(into_.strings, text); }
std::uint32_t tables::constant(const std::string& bytes) { return place_in(into_.constants, bytes); }

}  // namespace tilewright::compiler::tileir
