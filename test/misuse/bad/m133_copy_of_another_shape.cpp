// layer: run time only: extents are values
// SPDX-License-Identifier: Apache-2.0
// expect: shape|refuse_copy_between_different_shapes
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) { (void)copy(zeros(d), d.zeros<f32>({32})).sync(); }
