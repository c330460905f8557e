// SPDX-License-Identifier: Apache-2.0
// Tensors for a program: ragged extents, strides of every sign, special values, data next to pages that may not be
// touched, and the facts that a launch would derive from them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/guarded_memory.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {

// What a launch is made of; the same form gives the same data, wherever the memory lies.
struct tensor_form {
  std::array<index_t, max_rank> extents{}, strides{};
  index_t first = 0, count = 1;  // where element 0 lies, and how many elements of memory there are
  std::uint32_t data_seed = 0;   // of a scalar: of its value
};
struct launch_form {
  std::vector<index_t> grid;
  std::vector<tensor_form> tensors;  // by parameter
  lies side = lies::before_guard;
};

// Which strides there are: a GPU takes none below 1.
enum class strides { any, positive };
// The parameter whose rows unique indices place.
std::optional<std::size_t> placed_by(const compiler::program& source, std::size_t indices);
// The extent of a block's piece of an output, or of its tile of unique indices.
index_t piece_of(const compiler::program& source, std::size_t p, std::size_t axis);

launch_form random_launch(const compiler::program& source, std::uint32_t seed, strides kind = strides::any);

// Strides without gaps, and the count that follows.
void make_dense(tensor_form& tensor, int rank);

// An element that is not what it should be.
struct difference {
  int parameter = -1;
  std::string place;  // "[3, 0]", or a place in memory that belongs to no element
  std::string expected, got;
};
std::string to_text(const difference& found);

class tile_launch {
 public:
  tile_launch(const compiler::program& source, const launch_form& form);

  const std::vector<compiler::argument>& arguments() const { return arguments_; }
  const std::vector<index_t>& grid() const { return form_.grid; }
  index_t blocks() const;

  // Runs the blocks in random ranges, the last first, each with other garbage in the scratch memory.
  void run(const compiler::image& made, const compiler::program& source, std::uint32_t seed,
           compiler::fault_status* faults = nullptr) const;

  // What every element of every tensor, and every gap between them, holds now.
  using contents = std::vector<std::vector<std::byte>>;
  contents memory() const;

  // The first element that differs from `expected` by more than `ulp[parameter]` units of the last place (bits, where
  // that is 0 or missing; all NaNs are alike).
  std::optional<difference> first_difference(const compiler::program& source, const contents& expected,
                                             const std::vector<double>& ulp = {}) const;

  // As bind_arguments derives them, from the tiles that the program uses.
  std::vector<compiler::tensor_facts> facts(const compiler::program& source) const;

 private:
  void add(const compiler::program_parameter& parameter, const tensor_form& form);
  void write_unique(const compiler::program& source, std::size_t p);
  void meet(compiler::tensor_facts& facts, std::size_t parameter, std::size_t axis, std::int64_t tile,
            std::int64_t step) const;
  void meet_tiles(const compiler::program& source, const compiler::block& body,
                  std::vector<compiler::tensor_facts>& all) const;
  std::string place_of(std::size_t parameter, index_t memory_position) const;

  launch_form form_;
  std::vector<compiler::argument> arguments_;
  std::vector<std::unique_ptr<guarded_memory>> tensors_;  // by parameter; none for a scalar
};

}  // namespace tilewright::test
