// SPDX-License-Identifier: Apache-2.0
// Copies that a stream orders: between memory of a GPU and of the host, or within the GPU, in rows of equal distance.
#pragma once

#include <vector>

#include "runtime/cuda/gpu_context.hpp"
#include "runtime/element_copy.hpp"

namespace tilewright::cuda {

// Throws usage_error for a copy that would take too many transfers.
void require_few_transfers(const detail::element_copy& copy);
// Throws driver_error. Work that was submitted before a failure goes on.
void submit(gpu_context& context, const detail::element_copy& copy, stream_handle stream);
// What submit() would submit, for a graph.
std::vector<rows_to_copy> transfers_of(const detail::element_copy& copy);

}  // namespace tilewright::cuda
