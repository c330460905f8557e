// layer: run time only: strides are values
// SPDX-License-Identifier: Apache-2.0
// expect: a strided view reaches outside its tensor|refuse_view_outside_its_tensor
// topic: slices
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) {
  auto s = ones(d).share();
  auto every_second = s.strided({33}, {2}, 0);
  (void)every_second.to_host();
}
