// SPDX-License-Identifier: Apache-2.0
// Random tensors for a program: ragged extents, strides of every sign, data next to pages that may not be touched, and
// the facts that a launch would derive from them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "numeric/expect_close.hpp"
#include "support/guarded_memory.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {

class tile_launch {
 public:
  // Which strides there are: a GPU takes none below 1.
  enum class strides { any, positive };

  // The same seed gives the same extents, strides and data, wherever the memory lies.
  tile_launch(const compiler::program& source, std::uint32_t seed, lies where, strides kind = strides::any)
      : random_(seed), where_(where), strides_(kind) {
    for (index_t& blocks : grid_) blocks = 1 + below(3);
    for (const compiler::program_parameter& parameter : source.parameters) add(parameter);
  }

  const std::vector<compiler::argument>& arguments() const { return arguments_; }
  std::vector<index_t> grid() const { return {grid_[0], grid_[1]}; }
  index_t blocks() const { return grid_[0] * grid_[1]; }

  // Runs the blocks in random ranges, the last first, each with other garbage in the scratch memory.
  void run(const compiler::image& made, const compiler::program& source, std::uint32_t seed) const {
    const compiler::host_image& compiled = compiler::host_of(made);
    std::mt19937 ranges(seed);
    std::vector<std::uint64_t> words(compiler::parameter_block_words(source.parameters));
    compiler::write_parameter_block(source.parameters, arguments_, words.data());
    std::vector<std::int64_t> all(max_rank, 1);
    all[0] = grid_[0];
    all[1] = grid_[1];
    // As far as an image may rely on: a multiple of 64 in size and place, and not a byte more.
    const guarded_memory scratch((compiled.scratch_bytes() + 63) / 64 * 64);
    for (index_t last = blocks(); last > 0;) {
      const index_t first = std::max<index_t>(0, last - 1 - static_cast<index_t>(ranges() % 4));
      scratch.fill(static_cast<std::uint8_t>(ranges() % 2 == 0 ? 0xff : ranges()));
      compiled.run(words.data(), all.data(), first, last, scratch.data(), nullptr);
      last = first;
    }
  }

  // What every element of every tensor, and every gap between them, holds now.
  std::vector<std::vector<std::byte>> memory() const {
    std::vector<std::vector<std::byte>> all;
    for (const auto& tensor : tensors_) all.emplace_back(tensor->data(), tensor->data() + tensor->size());
    return all;
  }
  void expect_memory(const compiler::program& source, const std::vector<std::vector<std::byte>>& expected) const {
    std::size_t tensor = 0;
    for (std::size_t p = 0; p < source.parameters.size(); ++p) {
      const dtype element = source.parameters[p].element;
      if (source.parameters[p].kind == parameter_kind::scalar) continue;
      const auto size = static_cast<std::size_t>(info(element).size_bytes);
      for (std::size_t at = 0; at < expected[tensor].size(); at += size) {
        std::uint64_t got = 0, wanted = 0;
        std::memcpy(&got, tensors_[tensor]->data() + at, size);
        std::memcpy(&wanted, expected[tensor].data() + at, size);
        ASSERT_TRUE(is_same(element, got, wanted)) << "parameter " << p << ", element " << at / size << " of memory";
      }
      ++tensor;
    }
  }

  // As bind_arguments derives them, from the tiles that the program uses.
  std::vector<compiler::tensor_facts> facts(const compiler::program& source) const {
    std::vector<compiler::tensor_facts> all;
    for (std::size_t p = 0; p < arguments_.size(); ++p) all.push_back(form_of(arguments_[p]));
    for (std::size_t p = 0; p < arguments_.size(); ++p) {
      const compiler::program_parameter& parameter = source.parameters[p];
      if (parameter.kind == parameter_kind::in || parameter.kind == parameter_kind::scalar) continue;
      for (std::size_t axis = 0; axis < at(parameter.rank); ++axis) meet(all[p], p, axis, parameter.piece[axis]);
    }
    meet_tiles(source, source.entry, all);
    return all;
  }

 private:
  static std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }

  void add(const compiler::program_parameter& parameter) {
    compiler::argument made;
    made.rank = parameter.rank;
    if (parameter.kind == parameter_kind::scalar) {
      made.scalar = random_() >> (32 - std::min(32, info(parameter.element).bits));
      arguments_.push_back(made);
      return;
    }
    const bool is_output = parameter.kind != parameter_kind::in;
    for (std::size_t axis = 0; axis < at(parameter.rank); ++axis) {
      const index_t piece = is_output ? parameter.piece[axis] : 1 + below(40);
      const bool is_whole = below(2) == 0;
      made.extents[axis] = is_output  ? piece * grid_[axis] - (is_whole ? 0 : below(static_cast<int>(piece)))
                           : is_whole ? index_t{16} * (1 + below(4))
                                      : piece;
      made.piece[axis] = is_output ? piece : 0;
    }
    place(made, parameter.element, is_output);
    arguments_.push_back(made);
  }

  // Axes in random order in memory, with gaps, backwards, or (inputs only) repeated by a stride of 0.
  void place(compiler::argument& made, dtype element, bool is_output) {
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < at(made.rank); ++axis) order.insert(order.begin(), axis);
    if (below(3) == 0) std::shuffle(order.begin(), order.end(), random_);
    index_t step = below(6) == 0 ? 2 : 1, first = 0, count = 1;
    for (const std::size_t axis : order) {
      made.strides[axis] = step;
      const index_t span = made.extents[axis] * step + (below(3) == 0 ? below(7) : 0);
      step = below(4) == 0 ? (span + 15) / 16 * 16 : span;
      if (!is_output && below(8) == 0 && strides_ == strides::any) made.strides[axis] = 0;
      count += (made.extents[axis] - 1) * made.strides[axis];
      if (below(6) != 0 || strides_ == strides::positive) continue;
      first += (made.extents[axis] - 1) * made.strides[axis];
      made.strides[axis] = -made.strides[axis];
    }
    const int size = info(element).size_bytes;
    tensors_.push_back(std::make_unique<guarded_memory>(at(count * size), where_));
    std::byte* data = tensors_.back()->data();
    for (index_t i = 0; i < count; ++i) {
      const std::uint64_t word = element_bits(element);
      std::memcpy(data + i * size, &word, at(size));
    }
    made.address = data + first * size;
  }
  std::uint64_t element_bits(dtype element) {
    const std::uint64_t wild = std::uint64_t{random_()} << 32 | random_();
    if (element == dtype::boolean) return wild & 1;
    if (below(8) == 0) return low_bits(element, wild);
    return encode(element, static_cast<int>(wild % 200) - (is_unsigned(element) ? 0 : 100));
  }

  static std::int32_t power_of_two_in(std::uint64_t number, std::int32_t most) {
    std::int32_t power = 1;
    while (power < most && number % (2 * static_cast<std::uint64_t>(power)) == 0) power *= 2;
    return power;
  }
  static compiler::tensor_facts form_of(const compiler::argument& tensor) {
    compiler::tensor_facts facts;
    if (tensor.address == nullptr) return facts;
    facts.alignment_bytes = power_of_two_in(reinterpret_cast<std::uintptr_t>(tensor.address), 128);
    for (std::size_t axis = 0; axis < at(tensor.rank); ++axis) {
      facts.stride_divisor[axis] = power_of_two_in(static_cast<std::uint64_t>(tensor.strides[axis]), 16);
      facts.unit_stride[axis] = tensor.strides[axis] == 1;
      facts.divides[axis] = facts.single_tile[axis] = true;
    }
    facts.fits_31_bits = true;
    return facts;
  }
  void meet(compiler::tensor_facts& facts, std::size_t parameter, std::size_t axis, std::int64_t tile) const {
    const index_t extent = arguments_[parameter].extents[axis];
    if (extent % tile != 0) facts.divides[axis] = false;
    if (extent > tile) facts.single_tile[axis] = false;
  }
  void meet_tiles(const compiler::program& source, const compiler::block& body,
                  std::vector<compiler::tensor_facts>& all) const {
    for (const compiler::instruction& i : body.body) {
      for (const compiler::block& inner : i.blocks) meet_tiles(source, inner, all);
      if (i.op != ast::op::load && i.op != ast::op::gather_rows) continue;
      const compiler::value_type& tile = source.values[at(i.results[0])];
      const std::size_t p = at(i.attributes[0]);
      for (std::size_t axis = i.op == ast::op::load ? 0 : 1; axis < at(tile.rank); ++axis) {
        meet(all[p], p, axis, tile.extents[axis]);
      }
    }
  }

  std::mt19937 random_;
  lies where_;
  strides strides_;
  std::array<index_t, 2> grid_{};
  std::vector<compiler::argument> arguments_;
  std::vector<std::unique_ptr<guarded_memory>> tensors_;
};

}  // namespace tilewright::test
