// layer: run time only: a stream carries its device as a value
// SPDX-License-Identifier: Apache-2.0
// expect: work of one device on a stream of another
// topic: streams
#include "misuse.hpp"

REHEARSABLE void misuse(Device d) { (void)increment(zeros(d).partition({16})).sync_on(other_device().stream()); }
