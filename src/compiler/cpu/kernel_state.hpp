// SPDX-License-Identifier: Apache-2.0
// What the parts of the code generator share while one kernel is made.
#pragma once

#include <array>
#include <vector>

#include "compiler/cpu/ir.hpp"
#include "compiler/cpu/plan.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

constexpr std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

// One axis of a place in a tile: lane l is at base + l * lane_step. The base is known to be a multiple of `divisor`.
struct coordinate {
  ir::value base;
  std::int64_t lane_step = 0;
  std::int64_t divisor = 1;  // 0 where the base is 0
  bool operator==(const coordinate& other) const {
    return base.raw() == other.base.raw() && lane_step == other.lane_step;
  }
};

// Where `lanes` elements of a tile are.
struct position {
  std::array<coordinate, max_rank> axes{};
  int lanes = 1;
  bool is_uniform(int rank) const {
    for (int axis = 0; axis < rank; ++axis) {
      if (axes[at(axis)].lane_step != 0) return false;
    }
    return true;
  }
};

// A part of a tensor that a tile covers, ready for access.
struct tensor_window {
  ir::value address;                        // of the tile's first element
  std::array<ir::value, max_rank> strides;  // bytes
  std::array<bool, max_rank> unit{};        // stride is one element
  std::array<ir::value, max_rank> limits;   // lanes that lie in the tensor; none where all do
  ir::memory kind = ir::memory::plain;      // input: nothing in the kernel writes it
};

struct remembered_element {
  value_id id;
  position place;
  ir::value element;
};

struct kernel_state {
  const program& source;
  const kernel_plan& plan;
  ir::module_builder& code;
  int vector_bytes;

  std::vector<ir::value> scalars;      // by value: rank-0 ones
  std::vector<std::int64_t> offsets;   // by value: as the plan's; loops let values share rooms
  std::vector<tensor_window> windows;  // by value: of load and gather_rows
  std::vector<ir::value> tables;       // by value: addresses of tables that were read
  std::array<ir::value, max_rank> block_ids{};
  std::vector<remembered_element> remembered;  // elements at hand at this point of the code
  std::int64_t scratch_bytes = 0;              // the plan's, and rooms that were needed on top

  const value_type& type(value_id id) const { return source.values[at(id)]; }
  value_home home(value_id id) const { return plan.home(id); }
  ir::value number(std::int64_t n) const { return code.integer({ir::scalar_type::i64, 1}, n); }
};

// Elements remembered inside are forgotten at its end: code after it is not dominated by code in it.
class remembering_scope {
 public:
  explicit remembering_scope(kernel_state& state) : state_(state), size_(state.remembered.size()) {}
  ~remembering_scope() { state_.remembered.resize(size_); }
  remembering_scope(const remembering_scope&) = delete;
  remembering_scope& operator=(const remembering_scope&) = delete;

 private:
  kernel_state& state_;
  std::size_t size_;
};

}  // namespace tilewright::compiler
