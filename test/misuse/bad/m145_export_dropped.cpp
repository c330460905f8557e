// layer: types: the value of a call is dropped
// SPDX-License-Identifier: Apache-2.0
// expect: nodiscard|an exported tensor was dropped|\[twcheck-never-run\]
// topic: exchange
// needs: tilewright/runtime/dlpack.hpp
#include "misuse.hpp"

void misuse(Device d) { to_dlpack(zeros(d)); }
