// SPDX-License-Identifier: Apache-2.0
// Images that were compiled elsewhere (see bake.hpp): launches find them before they look into the cache on disk, so
// that a program runs where no compiler for its GPU exists.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tilewright/base/config.hpp"

namespace tilewright {

// Adds the images of a pack to this process. Any thread, any time; launches that follow see them. Throws io_error for a
// file that cannot be read or whose bytes are not those that bake() wrote. Images of another build of this library are
// never taken: that is said once on stderr, and they count as missing. The environment variable TILEWRIGHT_IMAGES lists
// files (with ':' between) that the first launch loads so.
TILEWRIGHT_API void load_images(const std::string& pack);
// The same for bytes, which must stay where they are until the program ends.
TILEWRIGHT_API void load_images(std::span<const std::byte> pack);

namespace detail {

// For images that are linked into a program, before main(): checked when a launch first looks for an image. What is
// wrong with them is said on stderr.
struct linked_images {
  TILEWRIGHT_API linked_images(const unsigned char* first, const unsigned char* last) noexcept;
};

}  // namespace detail

}  // namespace tilewright
