// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/modules.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "tilewright/base/error.hpp"

namespace tilewright::cuda {

modules::~modules() {
  for (const auto& [image, entry] : loaded_) unload(entry);
}

void modules::unload(const loaded& gone) noexcept {
  (void)context_.try_call(context_.driver().module_unload, gone.module);
}

// Images that died: nothing in flight uses them, for what is in flight holds its image.
void modules::drop_dead() {
  std::erase_if(loaded_, [this](const auto& entry) {
    if (!entry.second.image.expired()) return false;
    unload(entry.second);
    return true;
  });
}

function_handle modules::function_of(const std::shared_ptr<const compiler::image>& image, std::size_t parameters) {
  const std::lock_guard lock(mutex_);
  auto found = loaded_.find(image.get());
  if (found == loaded_.end() || found->second.image.expired()) {
    drop_dead();
    const loaded made = load(image);
    try {
      found = loaded_.emplace(image.get(), made).first;
    } catch (...) {
      unload(made);
      throw;
    }
  }
  if (found->second.parameters == parameters) return found->second.function;
  throw runtime_error({.what = "an image does not fit its kernel",
                       .where = "kernel function '" + image->gpu()->symbol() + "'",
                       .expected = std::to_string(parameters) + " parameters",
                       .got = std::to_string(found->second.parameters),
                       .fix = "clear the image cache, or bake the image with this version"});
}

modules::loaded modules::load(const std::shared_ptr<const compiler::image>& image) {
  const compiler::gpu_image& code = *image->gpu();
  // The driver reads its length from the code itself, and wants it aligned.
  std::vector<std::uint64_t> aligned(code.cubin().size() / sizeof(std::uint64_t) + 1);
  std::memcpy(aligned.data(), code.cubin().data(), code.cubin().size());
  loaded made;
  made.image = image;
  context_.call(context_.driver().module_load, &made.module, aligned.data());
  try {
    context_.call(context_.driver().module_function, &made.function, made.module, code.symbol().c_str());
    made.parameters = parameters_of(made.function);
  } catch (...) {
    unload(made);
    throw;
  }
  return made;
}

std::size_t modules::parameters_of(function_handle function) {
  const driver_table& driver = context_.driver();
  for (std::size_t i = 0;; ++i) {
    std::size_t offset = 0, size = 0;
    const result code = context_.try_call(driver.function_parameter, function, i, &offset, &size);
    if (code == result::invalid_value) return i;  // past the last one
    if (code != result::success) refuse(driver, driver.function_parameter.name, code);
  }
}

}  // namespace tilewright::cuda
