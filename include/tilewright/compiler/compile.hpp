// SPDX-License-Identifier: Apache-2.0
// The compiler's way in: module + specialisation -> program -> image. Stages can be called one by one (tests, tools,
// dumps); the runtime calls `front` once per key and `emit` or `load_image` for its device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tilewright/base/error.hpp"
#include "tilewright/compiler/bounds_report.hpp"
#include "tilewright/compiler/fault_status.hpp"
#include "tilewright/compiler/image.hpp"
#include "tilewright/compiler/masks_report.hpp"
#include "tilewright/compiler/program.hpp"
#include "tilewright/compiler/specialization.hpp"
#include "tilewright/compiler/target.hpp"

namespace tilewright::compiler {

// Module -> SSA program with concrete shapes. Throws compile_error naming the line: verifier rules, a reduce, scan,
// argmax or mma-K over an axis that may overhang and was not padded, reshape/cat/extract across such an axis, a
// .reduction() loop that does not only accumulate, Dims that make shapes differ.
TILEWRIGHT_API program bind(const ast::module_view& module, const specialization& special);

// Proves every tile and row index in bounds and every divisor nonzero, statically or by adding program.checks for the
// launch; what neither settles goes to program.residual_checks, and so do a loop's step and a requirement. A
// compile_error with line and advice: what never holds, and what no kernel can check, as of a tile that a loop gives
// with lanes past its tensor. A report gets an entry for each of them, in order.
TILEWRIGHT_API void check(program& source, bounds_report* report = nullptr);

// For kernel.with(deny_residual): a compile_error for each residual check, naming rule, line, reason and fix.
TILEWRIGHT_API void refuse_residual_checks(const program& source);

// Folds constants, merges equal values, drops dead code, marks narrow indices. Results stay bit for bit the same.
TILEWRIGHT_API void simplify(program& source);

// bind, check and simplify, with dumps and times per stage (TILEWRIGHT_DUMP=ast,program,checks,llvm,tileir; to stderr).
TILEWRIGHT_API program front(const ast::module_view& module, const specialization& special);

// Evaluates program.checks for one launch; throws usage_error. `grid` has one entry per grid axis.
TILEWRIGHT_API void verify_launch(const program& source, const std::vector<argument>& arguments,
                                  const std::vector<index_t>& grid);

// What a launch of the program wrote to its status, which must be written: kernel and line, rule, values. Throw it.
TILEWRIGHT_API device_fault fault_of(const program& source, const fault_status& status);

// program -> image. cpu throws runtime_error when the library was built without LLVM (see has_cpu_target); a GPU when
// NVIDIA's Tile IR assembler is not installed.
TILEWRIGHT_API std::shared_ptr<const image> emit(const program& source, target where);
TILEWRIGHT_API bool has_cpu_target() noexcept;

// An image from stored bytes of the same program and target, without any tools; throws runtime_error when they do not
// fit.
TILEWRIGHT_API std::shared_ptr<const image> load_image(const program& source, target where,
                                                       std::span<const std::byte> object);

// Two 64-bit words; equal keys mean interchangeable images. Covers the module without locations (but for those of the
// lines that it prints), the specialisation, the target with LLVM version and CPU features, or the version of the Tile
// IR tools that we build with (not whether they are installed) and gpu_options, the compiler's own sources, image
// format and parameter-block layout.
struct image_key {
  std::uint64_t words[2];
  bool operator==(const image_key&) const = default;
};
TILEWRIGHT_API image_key key_of(const ast::module_view& module, const specialization& special, target where);
TILEWRIGHT_API std::string to_text(const image_key& key);  // 32 hexadecimal digits

}  // namespace tilewright::compiler
