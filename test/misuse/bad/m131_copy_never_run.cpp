// layer: types: the value of a call is dropped
// SPDX-License-Identifier: Apache-2.0
// expect: {unrun}
// topic: host memory
// needs: tilewright/runtime/copy.hpp
#include "misuse.hpp"

void misuse(Device d) { copy(zeros(d), ones(d)); }
