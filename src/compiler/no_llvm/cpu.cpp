// SPDX-License-Identifier: Apache-2.0
// Stands in for the cpu back end in a build without LLVM.
#include "compiler/cpu/cpu.hpp"

#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

[[noreturn]] void refuse() {
  throw runtime_error({.what = "this build has no cpu back end",
                       .where = {},
                       .expected = "a build with LLVM",
                       .got = "one without",
                       .fix = "use the interpreter, or build with -DTILEWRIGHT_LLVM=ON"});
}

}  // namespace

bool has_cpu() noexcept { return false; }
std::shared_ptr<const image> emit_cpu(const program&) { refuse(); }
std::shared_ptr<const image> load_cpu(const program&, std::span<const std::byte>) { refuse(); }
std::string cpu_fingerprint() { return "no llvm"; }

}  // namespace tilewright::compiler
