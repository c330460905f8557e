// SPDX-License-Identifier: Apache-2.0
#include "device/driver_peer.hpp"

namespace tilewright::bench {

void* driver_stream(const Device&) { return nullptr; }
std::unique_ptr<DriverPeer> driver_peer(const Device&, const detail::compiled_launch&) { return nullptr; }
std::unique_ptr<DriverStreams> driver_streams(const Device&, int) { return nullptr; }

}  // namespace tilewright::bench
