// SPDX-License-Identifier: Apache-2.0
// A device that is not there: ordinary host code run on it compiles what it would launch on a real one, on any machine.
#pragma once

#include "tilewright/compiler/target.hpp"
#include "tilewright/runtime/device.hpp"

namespace tilewright {

// Launches are checked and compiled for `where`, and not run. Tensors have addresses, shapes and owners as on a real
// device, but no values: what is written to them is dropped, and everything that is read is 0. So host code whose
// launches depend on values that it reads takes the way that zeros take.
// Images go where those of all launches go (see TILEWRIGHT_CACHE_DIR); bake() packs them into a file.
// Throws what launches throw; compiling for a GPU needs the Tile IR tools (./dev setup --tileir).
TILEWRIGHT_API Device offline_device(compiler::target where);

}  // namespace tilewright
