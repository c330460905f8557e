// A round trip through host buffers, in flight
// SPDX-License-Identifier: Apache-2.0
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

REHEARSABLE bool correct(Device d) {
  auto b = d.host_buffer<f32>({64});
  for (auto& value : b.span()) value = 3.0f;
  auto f = copy(zeros(d), std::move(b)).start();
  auto [z, from] = std::move(f).wait();
  auto [back, same] = copy(std::move(from), std::move(z)).sync();
  return back.span()[0] == 3.0f && all_are(same, 3.0f);
}
