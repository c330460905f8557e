// SPDX-License-Identifier: Apache-2.0
// Gives types, strings and constants their ids, in the order of first use: equal ones get one entry, so that the same
// kernel gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "compiler/tileir/bytecode.hpp"

namespace tilewright::compiler::tileir {

using tile_shape = std::vector<std::int64_t>;

class tables {
 public:
  explicit tables(bytecode& into) : into_(into) {}
  bytecode& into() { return into_; }
  const type& operator[](type_id id) const { return into_.types[id]; }

  type_id number(type_tag tag);
  type_id token();
  type_id pointer(type_tag pointee);
  type_id tile(type_tag element, const tile_shape& shape = {});
  type_id pointer_tile(type_tag pointee, const tile_shape& shape = {});
  type_id tensor_view(type_tag element, const tile_shape& extents, const tile_shape& strides);
  // Tiles of a tensor view side by side; with `steps`, each starts a step after the one before.
  type_id view(type_id tensor, const tile_shape& tile, const tile_shape& steps, std::optional<padding> pad);
  type_id function(const std::vector<type_id>& parameters);

  string_id string(const std::string& text);
  std::uint32_t constant(const std::string& bytes);

 private:
  type_id add(type made);
  bytecode& into_;
};

}  // namespace tilewright::compiler::tileir
