// SPDX-License-Identifier: Apache-2.0
// Finds the CUDA driver and its functions; explains its codes.
#include "runtime/cuda/driver.hpp"

#include <dlfcn.h>

#include <exception>
#include <memory>
#include <string>

#include "tilewright/base/error.hpp"

namespace tilewright::cuda {
namespace {

constexpr const char* library_name = "libcuda.so.1";
// Images come from the assembler of CUDA 13, which drivers of CUDA 12 do not load.
constexpr int least_version = 13'000;
// The version whose function signatures driver_table declares.
constexpr int signature_version = 12'040;
constexpr const char* wanted = "NVIDIA driver 580 or later (CUDA 13.0)";

std::string version_text(int version) {
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

[[noreturn]] void refuse_driver(const char* what, std::string got) {
  throw runtime_error({.what = what,
                       .where = library_name,
                       .expected = wanted,
                       .got = std::move(got),
                       .fix = "install or update the driver, or use cpu_device()"});
}

template <class Function>
Function* symbol(void* library, const char* name) {
  // SAFETY: the name fixes the signature, which is part of the driver's C interface.
  auto* found = reinterpret_cast<Function*>(dlsym(library, name));
  if (found == nullptr) refuse_driver("the CUDA driver is too old", std::string("one without ") + name);
  return found;
}

using find_function = result(const char*, void**, int, std::uint64_t, int*);

std::unique_ptr<driver_table> load() {
  // Never closed: streams may be in use until the process ends.
  void* library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse_driver("no CUDA driver", dlerror());
  int version = 0;
  if (symbol<result(int*)>(library, "cuDriverGetVersion")(&version) != result::success) version = 0;
  if (version < least_version) refuse_driver("the CUDA driver is too old", version_text(version));

  auto* find = symbol<find_function>(library, "cuGetProcAddress_v2");
  auto table = std::make_unique<driver_table>();
  each_call(*table, [&](auto& entry) {
    void* found = nullptr;
    const result code = find(entry.name, &found, signature_version, 0, nullptr);
    if (code != result::success || found == nullptr) {
      refuse_driver("the CUDA driver lacks a function", version_text(version) + " without " + entry.name);
    }
    // SAFETY: the name and the version fix the signature.
    entry.function = reinterpret_cast<decltype(entry.function)>(found);
  });
  call(*table, table->init, 0u);
  return table;
}

const char* fix_for(result code) {
  switch (code) {
    case result::no_device:
      return "check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it";
    case result::not_initialized:
      return "after a fork, use the GPU in the process that began with it, or before any use of it";
    case result::no_binary_for_gpu:
    case result::invalid_image:
    case result::unsupported_ptx_version:
      return "bake the image for this GPU's architecture, or clear the image cache";
    case result::system_not_ready:
    case result::system_driver_mismatch:
      return "restart the machine's driver services (nvidia-smi shows whether they agree)";
    default:
      break;
  }
  if (is_fatal(code)) return "the GPU's context is lost: end this process and start it again";
  return "see the driver's documentation of this code; nothing was changed";
}

}  // namespace

bool is_fatal(result code) noexcept {
  switch (code) {
    case result::deinitialized:
    case result::ecc_uncorrectable:
    case result::nvlink_uncorrectable:
    case result::illegal_address:
    case result::launch_timeout:
    case result::context_is_destroyed:
    case result::assertion:
    case result::hardware_stack_error:
    case result::illegal_instruction:
    case result::misaligned_address:
    case result::invalid_address_space:
    case result::invalid_pc:
    case result::launch_failed:
      return true;
    default:
      return false;
  }
}

void refuse(const driver_table& driver, const char* call_name, result code) {
  const char *name = nullptr, *text = nullptr;
  if (driver.error_name.function(code, &name) != result::success || name == nullptr) name = "a code without a name";
  if (driver.error_text.function(code, &text) != result::success || text == nullptr) text = "no description";
  report parts{.what = is_fatal(code) ? "the GPU's context is lost" : "a call of the CUDA driver failed",
               .where = call_name,
               .expected = "CUDA_SUCCESS",
               .got = std::string(name) + " (" + std::to_string(static_cast<int>(code)) + "): " + text,
               .fix = fix_for(code)};
  if (code != result::out_of_memory) throw driver_error(std::move(parts));
  parts.what = "no memory on the GPU";
  parts.fix = "free tensors, use smaller ones, or end other programs on this GPU";
  throw out_of_memory(std::move(parts));
}

const driver_table& loaded_driver() {
  struct outcome {
    std::unique_ptr<driver_table> table;
    std::exception_ptr failure;
  };
  // Never destroyed: used until the process ends.
  static const outcome* const once = [] {
    auto* made = new outcome;
    try {
      made->table = load();
    } catch (...) {
      made->failure = std::current_exception();
    }
    return made;
  }();
  if (once->failure) std::rethrow_exception(once->failure);
  return *once->table;
}

}  // namespace tilewright::cuda
