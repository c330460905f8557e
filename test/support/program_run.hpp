// SPDX-License-Identifier: Apache-2.0
// Runs a program on host arrays, on each back end of this build: the frame of tests that compare back ends.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <vector>

#include "support/element_bits.hpp"
#include "support/gpu_run.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {

// ---- Host arrays ---------------------------------------------------------------------------------------------------
// Elements in memory with any strides; views share the memory.
class host_array {
 public:
  // Row-major, every byte 0xa5 (so that an element nobody wrote shows).
  host_array(dtype element, const std::vector<index_t>& extents) : element_(element), extents_(extents) {
    index_t count = 1;
    strides_.resize(extents.size());
    for (std::size_t axis = extents.size(); axis-- > 0; count *= extents[axis]) strides_[axis] = count;
    size_bytes_ = static_cast<std::size_t>(count * info(element).size_bytes);
    memory_ = room_for(size_bytes_);
    std::memset(memory_.get(), element == dtype::boolean ? 0 : 0xa5, size_bytes_);
  }
  // Row-major, with these elements.
  template <class T>
  host_array(dtype element, const std::vector<index_t>& extents, const std::vector<T>& values)
      : host_array(element, extents) {
    for (std::size_t i = 0; i < values.size(); ++i) set(static_cast<index_t>(i), values[i]);
  }

  host_array view(const std::vector<index_t>& extents, const std::vector<index_t>& strides, index_t first) const {
    host_array made = *this;
    made.extents_ = extents;
    made.strides_ = strides;
    made.first_ = first_ + first;
    return made;
  }

  dtype element() const { return element_; }
  const std::vector<index_t>& extents() const { return extents_; }
  index_t size() const {
    index_t count = 1;
    for (const index_t extent : extents_) count *= extent;
    return count;
  }

  // Element i in row-major order.
  template <class T>
  T get(index_t i) const {
    if (is_floating(element_)) return static_cast<T>(decode_float(element_, bits(i)));
    return static_cast<T>(decode_integer(element_, bits(i)));
  }
  template <class T>
  void set(index_t i, T number) {
    set_bits(i, encode(element_, number));
  }
  std::uint64_t bits(index_t i) const {
    std::uint64_t word = 0;
    std::memcpy(&word, at(i), static_cast<std::size_t>(info(element_).size_bytes));
    return word;
  }
  void set_bits(index_t i, std::uint64_t word) {
    std::memcpy(at(i), &word, static_cast<std::size_t>(info(element_).size_bytes));
  }
  template <class T>
  std::vector<T> values() const {
    std::vector<T> all;
    for (index_t i = 0; i < size(); ++i) all.push_back(get<T>(i));
    return all;
  }
  host_array clone() const {
    host_array made = *this;
    made.memory_ = room_for(size_bytes_);
    std::memcpy(made.memory_.get(), memory_.get(), size_bytes_);
    return made;
  }

  compiler::argument argument() const {
    compiler::argument made;
    made.rank = static_cast<std::int8_t>(extents_.size());
    std::copy(extents_.begin(), extents_.end(), made.extents.begin());
    std::copy(strides_.begin(), strides_.end(), made.strides.begin());
    made.address = size_bytes_ == 0 ? nullptr : memory_.get() + first_ * info(element_).size_bytes;
    return made;
  }

 private:
  std::byte* at(index_t i) const {
    index_t offset = first_;
    for (std::size_t axis = extents_.size(); axis-- > 0; i /= extents_[axis]) {
      offset += i % extents_[axis] * strides_[axis];
    }
    return memory_.get() + offset * info(element_).size_bytes;
  }
  // As well aligned each time: the facts of a launch, and so its image, do not hang on the heap.
  static std::shared_ptr<std::byte> room_for(std::size_t size_bytes) {
    constexpr std::align_val_t alignment{128};
    return {static_cast<std::byte*>(::operator new(size_bytes, alignment)),
            [](std::byte* made) { ::operator delete (made, std::align_val_t{128}); }};
  }

  dtype element_;
  std::vector<index_t> extents_, strides_;
  index_t first_ = 0;
  std::size_t size_bytes_ = 0;
  std::shared_ptr<std::byte> memory_;
};

// A Scalar argument.
template <class T>
compiler::argument scalar_argument(T number) {
  compiler::argument made;
  std::memcpy(&made.scalar, &number, sizeof number);
  return made;
}

// ---- Back ends and runs --------------------------------------------------------------------------------------------
struct back_end {
  std::string name;
  compiler::target where;
};
inline void PrintTo(const back_end& printed, std::ostream* out) { *out << printed.name; }

inline back_end interp_back_end() { return {"interp", compiler::target::interp}; }

// Those of this build, the interpreter first.
inline std::vector<back_end> back_ends() {
  std::vector<back_end> all = {interp_back_end()};
  if (compiler::has_cpu_target()) all.push_back({"cpu", compiler::target::cpu});
  if (why_missing(test_back_end::gpu) == nullptr) all.push_back({"gpu", test_gpu().target()});
  return all;
}

inline void run_blocks(const compiler::image& made, const std::vector<std::uint64_t>& parameters,
                       std::vector<index_t> grid, compiler::fault_status* faults = nullptr) {
  std::int64_t blocks = 1;
  for (const index_t extent : grid) blocks *= extent;
  grid.resize(max_rank, 1);
  const compiler::host_image& compiled = compiler::host_of(made);
  struct alignas(64) line {
    std::byte bytes[64];
  };
  std::vector<line> scratch(compiled.scratch_bytes() / sizeof(line) + 1);
  compiled.run(parameters.data(), grid.data(), 0, blocks, scratch.data()->bytes, faults);
}

// False where a GPU refuses the program, or there is none and its image is only made: then the interpreter computes, so
// that a test goes on.
inline bool run(const compiler::program& source, const back_end& where,
                const std::vector<compiler::argument>& arguments, const std::vector<index_t>& grid,
                compiler::fault_status* faults = nullptr) {
  EXPECT_EQ(source.parameters.size(), arguments.size());
  const bool is_on_gpu = compiler::is_gpu(where.where);
  if (is_on_gpu && run_on_gpu(source, arguments, grid, faults)) return true;
  std::vector<std::uint64_t> parameters(compiler::parameter_block_words(source.parameters));
  compiler::write_parameter_block(source.parameters, arguments, parameters.data(), grid);
  const compiler::target here = is_on_gpu ? compiler::target::interp : where.where;
  run_blocks(*compiler::emit(source, here), parameters, grid, faults);
  return !is_on_gpu;
}

}  // namespace tilewright::test
