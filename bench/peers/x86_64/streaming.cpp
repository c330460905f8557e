// SPDX-License-Identifier: Apache-2.0
#include <xmmintrin.h>

#include "peers/roof_loops.hpp"

namespace tilewright::bench {

void streaming_copy(float* z, const float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 4) _mm_stream_ps(z + i, _mm_load_ps(x + i));
  _mm_sfence();
}

void streaming_add(float* z, const float* x, const float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 4) {
    _mm_stream_ps(z + i, _mm_add_ps(_mm_load_ps(x + i), _mm_load_ps(y + i)));
  }
  _mm_sfence();
}

}  // namespace tilewright::bench
