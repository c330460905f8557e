// SPDX-License-Identifier: Apache-2.0
// One logical block of a launch, run from its first instruction to its last. Each value of the program has a fixed
// place in the scratch memory; a loop writes the same places again.
#pragma once

#include <span>
#include <vector>

#include "compiler/interp/chosen_lanes.hpp"
#include "compiler/interp/observer.hpp"
#include "compiler/interp/tensor_access.hpp"
#include "tilewright/compiler/fault_status.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler::interp {

// What is the same for all blocks.
struct memory_plan {
  std::vector<std::size_t> value_at;      // byte offset by value
  std::vector<std::size_t> parameter_at;  // word of the parameter block by parameter
  std::size_t operand_scratch_at = 0;     // for ops that need room of their own
  std::size_t bytes = 0;
};
memory_plan plan_memory(const program& source);

class block_run {
 public:
  block_run(const program& source, const memory_plan& plan, const std::uint64_t* parameters, const std::int64_t* grid,
            std::byte* scratch, fault_status* faults, observer* watching = nullptr)
      : source_(source),
        plan_(plan),
        parameters_(parameters),
        grid_(grid),
        scratch_(scratch),
        faults_(faults),
        observer_(watching) {}

  void run(std::int64_t block);  // row-major over the grid

  // ---- For what observes it
  const steps& block_id() const { return block_id_; }
  const std::int64_t* grid() const { return grid_; }  // max_rank words
  tile value(value_id id) const;
  tensor tensor_of(std::int64_t parameter) const;
  // Where an instruction reads or writes its tensor, in tiles; of a gather, not the row.
  steps place_of(const instruction& i) const;
  covered covered_by(const instruction& i) const;   // of a load or store of a tile
  chosen_lanes choose(const instruction& i) const;  // of a gather or combine_at

 private:
  void execute(std::span<const instruction> body);
  void execute(const instruction& i);
  void loop(const instruction& i);
  void while_loop(const instruction& i);
  void branch(const instruction& i);
  void combine_lines(const instruction& i);
  void copy_values(std::span<const value_id> to, std::span<const value_id> from);

  void element_wise(const instruction& i);
  void load_tile(const instruction& i);
  void gather_row_tiles(const instruction& i);
  void gather(const instruction& i);
  void combine_at(const instruction& i);

  // Makes the checks of an instruction; false when one fails.
  bool passes(const instruction& i) const;
  bool holds(const instruction& i, std::int32_t check) const;
  bool holds_everywhere(const instruction& i, std::int32_t check) const;  // of an assertion
  bool has_chosen(const instruction& i, std::int32_t check) const;
  bool is_within(std::int32_t check, std::int64_t got, std::int64_t count) const;
  void print(const instruction& i) const;
  void table(const instruction& i);
  void iota(const instruction& i);
  static void splat(std::int64_t word, const tile& into);
  void move(const instruction& i);

  tile operand(const instruction& i, std::size_t n) const { return value(i.operands[n]); }
  tile result(const instruction& i) const { return value(i.results[0]); }
  std::byte* operand_scratch() const { return scratch_ + plan_.operand_scratch_at; }
  std::int64_t index(value_id id) const { return value(id).as<std::int64_t>()[0]; }
  void set_index(const instruction& i, std::int64_t number) { result(i).as<std::int64_t>()[0] = number; }
  const std::uint64_t* words(std::int64_t parameter) const;

  const program& source_;
  const memory_plan& plan_;
  const std::uint64_t* parameters_;
  const std::int64_t* grid_;
  std::byte* scratch_;
  fault_status* faults_;
  observer* observer_;
  steps block_id_{};
};

}  // namespace tilewright::compiler::interp
