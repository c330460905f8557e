// SPDX-License-Identifier: Apache-2.0
// Hands a program to the back end of a target.
#include "compiler/cpu/cpu.hpp"
#include "compiler/interp/interp.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::compiler {

bool has_cpu_target() noexcept { return has_cpu(); }

std::shared_ptr<const image> emit(const program& source, target where) {
  switch (where) {
    case target::interp:
      return emit_interp(source);
    case target::cpu:
      return emit_cpu(source);
  }
  require_internal(false, "a target has no back end");
  return nullptr;
}

std::shared_ptr<const image> load_image(const program& source, target where, std::span<const std::byte> object) {
  if (where == target::cpu) return load_cpu(source, object);
  throw runtime_error({.what = "the interpreter has no stored images",
                       .where = describe_location(*source.module, {}),
                       .expected = "a target that compiles",
                       .got = std::to_string(object.size()) + " bytes",
                       .fix = "emit the program again"});
}

}  // namespace tilewright::compiler
