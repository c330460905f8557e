// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compiler/identity.hpp"

#include "compiler/formats.hpp"

namespace tilewright::compiler {

compiler_identity this_compiler() {
  constexpr std::uint32_t version =
      (TILEWRIGHT_VERSION_MAJOR << 20) + (TILEWRIGHT_VERSION_MINOR << 10) + TILEWRIGHT_VERSION_PATCH;
  return {compiler_source_hash, version, image_format, parameter_block_format};
}

}  // namespace tilewright::compiler
