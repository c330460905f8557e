// SPDX-License-Identifier: Apache-2.0
// Which compiler this is: images of another one are never found under the keys of this one.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/base/config.hpp"

namespace tilewright::compiler {

struct compiler_identity {
  std::string sources;  // hash of the compiler's sources, 64 hexadecimal digits
  std::uint32_t version = 0, image_format = 0, parameter_block_format = 0;  // greater is newer
  bool operator==(const compiler_identity&) const = default;
};
TILEWRIGHT_API compiler_identity this_compiler();

}  // namespace tilewright::compiler
