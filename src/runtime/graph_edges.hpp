// SPDX-License-Identifier: Apache-2.0
// The order that the launches of a graph need: for devices that can run several at once.
#pragma once

#include <vector>

#include "runtime/graph_recorder.hpp"

namespace tilewright::detail {

// Whether it does anything: a launch without blocks, or a copy of no elements, does not.
bool has_work(const compiled_launch& launch) noexcept;

// By node: the nodes it has to come after, latest first, since it touches what they write or writes what they touch.
// None that others of them come after anyway. Launches without work have no edges.
using graph_edges = std::vector<std::vector<int>>;
graph_edges edges_of(const graph_nodes& nodes);

}  // namespace tilewright::detail
