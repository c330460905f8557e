// SPDX-License-Identifier: Apache-2.0
// Forks of this process: threads, and contexts of GPUs, do not come along, so a device is of the process that made it.
#pragma once

#include <atomic>

namespace tilewright::detail {

inline std::atomic<unsigned> forks{0};  // between the first process and this one, since somebody counts

unsigned counted_forks();  // counts from the first call on

}  // namespace tilewright::detail
