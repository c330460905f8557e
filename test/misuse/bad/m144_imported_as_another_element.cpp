// layer: run time only: a foreign tensor carries its element type as a value
// SPDX-License-Identifier: Apache-2.0
// expect: element
// topic: exchange
// needs: tilewright/runtime/dlpack.hpp
#include "misuse.hpp"

void misuse(Device d) { (void)from_dlpack<i32>(to_dlpack(zeros(d))).shape(); }
