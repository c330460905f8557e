// SPDX-License-Identifier: Apache-2.0
// Workers stay on one core each, so that two of them never share a core while another is idle.
#pragma once

namespace tilewright::runtime {

// Only a pool that has a thread for every core this process may use is pinned: pools of several processes with fewer
// threads would all sit on the same first cores.
bool is_pinning_useful(int threads) noexcept;

// Ties the calling thread to the n-th core that it may use, counting round. A failure leaves it where it was.
void pin_to_core(int n) noexcept;

}  // namespace tilewright::runtime
