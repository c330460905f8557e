// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace tilewright::bench {

// Floats of a peer, on a page boundary like the runtime's own buffers; written once, so that the pages are there.
class AlignedArray {
 public:
  AlignedArray(std::size_t count, float value)
      : floats_(static_cast<float*>(std::aligned_alloc(4096, (count * sizeof(float) + 4095) / 4096 * 4096))) {
    if (floats_ == nullptr) throw std::bad_alloc();
    for (std::size_t i = 0; i < count; ++i) floats_.get()[i] = value;
  }
  float* data() { return floats_.get(); }

 private:
  struct release {
    void operator()(float* memory) const { std::free(memory); }
  };
  std::unique_ptr<float, release> floats_;
};

}  // namespace tilewright::bench
