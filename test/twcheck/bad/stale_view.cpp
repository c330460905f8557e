// SPDX-License-Identifier: Apache-2.0
// expect-error: 'values' looks into what was given away before.*twcheck-stale-view
// expect-error: 'outside' looks into what was given away before
#include <utility>

#include "tilewright/base/config.hpp"

// A buffer of somebody else: attributes alone say what it is.
struct Values {
  const int* first;
  int operator[](int i) const { return first[i]; }
};
class TILEWRIGHT_CAN_BE_SPENT Buffer {
 public:
  Buffer();
  Buffer(Buffer&&);
  Buffer& operator=(Buffer&&);
  ~Buffer();
  Values values() const TILEWRIGHT_LIFETIME_BOUND;
};
void take(Buffer&& buffer);

int given() {
  Buffer buffer;
  auto values = buffer.values();
  const int before = values[0];
  take(std::move(buffer));
#ifndef TILEWRIGHT_FIXED
  return before + values[1];
#else
  buffer = Buffer();
  values = buffer.values();
  return before + values[1];
#endif
}

int ended() {
  Values outside{nullptr};
  {
    Buffer buffer;
    outside = buffer.values();
    if (outside[0] != 0) return outside[0];
  }
#ifndef TILEWRIGHT_FIXED
  return outside[1];
#else
  return 0;
#endif
}
