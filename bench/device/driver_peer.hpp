// SPDX-License-Identifier: Apache-2.0
// The driver's own interface as the peer of our launches: the same machine code with the same parameters, launched by
// cuLaunchKernel and by graphs built by hand. In cuda/; without CUDA, no_cuda/ refuses.
#pragma once

#include <memory>
#include <span>

#include "runtime/device_engine.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::bench {

// The driver's handle of the calling thread's stream; null where there is no such thing.
void* driver_stream(const Device& device);

class DriverPeer {
 public:
  virtual ~DriverPeer() = default;
  // On the calling thread's stream, `times` launches, each after the one before.
  virtual void launch(int times) = 0;
  // One graph of `nodes` dependent nodes; with programmatic edges the kernel has to wait by itself.
  virtual void build_graph(int nodes, bool has_programmatic_edges) = 0;
  virtual void launch_graph() = 0;
  virtual void wait() = 0;
};

// Null on a device that is not a GPU. The launch must stay where it is.
std::unique_ptr<DriverPeer> driver_peer(const Device& device, const detail::compiled_launch& launch);

// Several streams of the driver's, beside ours.
class DriverStreams {
 public:
  virtual ~DriverStreams() = default;
  virtual void launch(const detail::compiled_launch& launch, std::size_t stream) = 0;
  virtual void wait() = 0;  // for all of them
};

// Null on a device that is not a GPU.
std::unique_ptr<DriverStreams> driver_streams(const Device& device, int count);

}  // namespace tilewright::bench
