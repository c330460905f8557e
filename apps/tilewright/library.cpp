// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <algorithm>

using namespace tilewright;

std::vector<LibraryKernel> library_kernels() {
  std::vector<LibraryKernel> all = product_kernels();
  for (const LibraryKernel& each : row_kernels()) all.push_back(each);
  for (const LibraryKernel& each : attention_kernels()) all.push_back(each);
  return all;
}

LibraryKernel find_kernel(const std::string& name) {
  std::string names;
  for (const LibraryKernel& each : library_kernels()) {
    if (each.name == name) return each;
    names += (names.empty() ? "" : ", ") + each.name;
  }
  throw usage_error({.what = "the library has no such kernel",
                     .where = "a name of a kernel",
                     .expected = names,
                     .got = name,
                     .fix = "for kernels of your own, call tilewright::bake() or use tilewright_bake() of CMake"});
}

void require_element(const LibraryKernel& kernel, dtype element) {
  const std::vector<std::string> possible = split(kernel.elements, ' ');
  if (std::find(possible.begin(), possible.end(), info(element).name) != possible.end()) return;
  throw usage_error({.what = "the kernel has no form for an element type",
                     .where = "kernel " + kernel.name,
                     .expected = kernel.elements,
                     .got = info(element).name,
                     .fix = "name another --dtype"});
}

compiler::argument described(const bake_input& given) {
  compiler::argument made;
  made.rank = static_cast<std::int8_t>(given.shape.rank());
  index_t stride = 1;
  for (int axis = given.shape.rank() - 1; axis >= 0; --axis) {
    made.extents[static_cast<std::size_t>(axis)] = given.shape[axis];
    made.strides[static_cast<std::size_t>(axis)] = stride;
    stride *= given.shape[axis];
  }
  return made;
}

compiler::argument described(const bake_output& given) {
  compiler::argument made = described(bake_input{given.shape});
  for (int axis = 0; axis < given.piece.rank(); ++axis) {
    made.piece[static_cast<std::size_t>(axis)] = given.piece[axis];
  }
  return made;
}

std::vector<compiler::named_extent> named(const dim_bindings& bindings) {
  std::vector<compiler::named_extent> all;
  for (int i = 0; i < bindings.count; ++i) all.push_back({bindings.items[i].name, bindings.items[i].extent});
  return all;
}

bool LaunchInputs::is_empty(std::size_t parameter) const {
  return std::find(empty.begin(), empty.end(), parameter) != empty.end();
}

void LaunchInputs::set_elements(std::size_t parameter, const Shape& shape, std::vector<double>& numbers) const {
  for (const element& each : elements) {
    if (each.parameter != parameter) continue;
    bool is_inside = each.place.size() == static_cast<std::size_t>(shape.rank());
    index_t position = 0;
    for (int axis = 0; is_inside && axis < shape.rank(); ++axis) {
      const index_t at = each.place[static_cast<std::size_t>(axis)];
      is_inside = at >= 0 && at < shape[axis];
      position = position * shape[axis] + at;
    }
    if (is_inside) {
      numbers[static_cast<std::size_t>(position)] = each.value;
      continue;
    }
    throw usage_error({.what = "an element is not inside its tensor",
                       .where = "parameter " + std::to_string(parameter),
                       .expected = "a place in a tensor of shape " + to_text(shape),
                       .got = to_text(Shape(std::span<const index_t>(each.place))),
                       .fix = "count from 0, one number for each axis"});
  }
}

std::vector<double> input_numbers(const Shape& shape, bool is_floating, std::uint64_t seed) {
  std::vector<double> numbers;
  if (is_floating) {
    const std::vector<f64> values = interp_device().randn<f64>(shape, seed).to_host();
    numbers.assign(values.begin(), values.end());
  }
  for (index_t n = static_cast<index_t>(numbers.size()); n < shape.elements(); ++n) {
    numbers.push_back(static_cast<double>(n % 4));
  }
  return numbers;
}
