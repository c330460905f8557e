// SPDX-License-Identifier: Apache-2.0
// The cpu back end's way in. Implemented here with LLVM, in no_llvm/ without.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "tilewright/compiler/image.hpp"

namespace tilewright::compiler {

// Whether this build has the back end. Without it the functions that make images throw runtime_error.
bool has_cpu() noexcept;

std::shared_ptr<const image> emit_cpu(const program& source);
std::shared_ptr<const image> load_cpu(const program& source, std::span<const std::byte> object);

// LLVM version and the features of this machine's processor; images of different ones do not mix.
std::string cpu_fingerprint();

}  // namespace tilewright::compiler
