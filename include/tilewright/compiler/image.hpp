// SPDX-License-Identifier: Apache-2.0
// An image: a compiled kernel. Made by a back end, kept by the runtime's cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tilewright/base/config.hpp"
#include "tilewright/compiler/fault_status.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// The parameter block: 64-bit words, parameter after parameter.
//   tensor of rank r: address, r extents, r strides (elements)        scalar: its bits, zero-extended
//   an Accum has one word more: the grid's extent on axis r, as a GPU has no other word of it
constexpr std::size_t parameter_block_words(const program_parameter& parameter) {
  if (parameter.kind == parameter_kind::scalar) return 1;
  return 1 + 2 * static_cast<std::size_t>(parameter.rank) + (parameter.kind == parameter_kind::accum ? 1 : 0);
}
TILEWRIGHT_API std::size_t parameter_block_words(const std::vector<program_parameter>& parameters);
// `grid`: the launch's; 1 past its end.
TILEWRIGHT_API void write_parameter_block(const std::vector<program_parameter>& parameters,
                                          const std::vector<argument>& arguments, std::uint64_t* words,
                                          std::span<const index_t> grid = {});

class host_image;
class gpu_image;

// Immutable and safe for any number of threads at once. One of the two below.
class TILEWRIGHT_API image {
 public:
  virtual ~image() = default;
  image() = default;
  image(const image&) = delete;
  image& operator=(const image&) = delete;

  virtual const host_image* host() const noexcept { return nullptr; }
  virtual const gpu_image* gpu() const noexcept { return nullptr; }

  // What a cache may store and `load_image` takes back; empty when the back end has nothing worth storing (interp).
  virtual const std::vector<std::byte>& object() const noexcept = 0;
};

// Runs on the processor.
class TILEWRIGHT_API host_image : public image {
 public:
  // Runs the logical blocks first <= n < last, n counting row-major over the grid (the last axis fastest).
  // `grid` has max_rank words (1 past the rank). `scratch` has scratch_bytes(), aligned to 64, this call's alone.
  // Never throws; every access was proved in bounds before the launch, or is checked: the first check that fails writes
  // to `faults`, which is the launch's alone, and may be null when the program has no residual checks.
  virtual void run(const std::uint64_t* parameters, const std::int64_t* grid, std::int64_t first, std::int64_t last,
                   std::byte* scratch, fault_status* faults) const noexcept = 0;
  virtual std::size_t scratch_bytes() const noexcept = 0;
  const host_image* host() const noexcept final { return this; }
};

// The image as one of the host; it must be one.
TILEWRIGHT_API const host_image& host_of(const image& made);

}  // namespace tilewright::compiler
