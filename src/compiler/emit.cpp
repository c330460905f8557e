// SPDX-License-Identifier: Apache-2.0
// Hands a program to the back end of a target.
#include "compiler/cpu/cpu.hpp"
#include "compiler/interp/interp.hpp"
#include "compiler/tileir/gpu.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/compiler/gpu_image.hpp"

namespace tilewright::compiler {

bool has_cpu_target() noexcept { return has_cpu(); }

const host_image& host_of(const image& made) {
  require_internal(made.host() != nullptr, "an image of a GPU was taken for one of the host");
  return *made.host();
}

std::shared_ptr<const image> emit(const program& source, target where) {
  if (is_gpu(where)) return emit_gpu(source, where);
  if (where == target::cpu) return emit_cpu(source);
  return emit_interp(source);
}

std::shared_ptr<const image> load_image(const program& source, target where, std::span<const std::byte> object) {
  if (is_gpu(where)) return gpu_image::load(object, where, describe_location(*source.module, {}));
  if (where == target::cpu) return load_cpu(source, object);
  throw runtime_error({.what = "the interpreter has no stored images",
                       .where = describe_location(*source.module, {}),
                       .expected = "a target that compiles",
                       .got = std::to_string(object.size()) + " bytes",
                       .fix = "emit the program again"});
}

}  // namespace tilewright::compiler
