// SPDX-License-Identifier: Apache-2.0
// Processors without streaming stores: the plain loops are the best there is.
#include "peers/plain_loops.hpp"
#include "peers/roof_loops.hpp"

namespace tilewright::bench {

void streaming_copy(float* z, const float* x, std::size_t count) { plain_copy(z, x, count); }
void streaming_add(float* z, const float* x, const float* y, std::size_t count) { plain_add(z, x, y, count); }

}  // namespace tilewright::bench
