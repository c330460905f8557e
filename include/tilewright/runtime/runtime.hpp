// SPDX-License-Identifier: Apache-2.0
// Everything a program needs to make tensors and launch kernels.
#pragma once

#include "tilewright/base/error.hpp"
#include "tilewright/runtime/copy.hpp"
#include "tilewright/runtime/device.hpp"
#include "tilewright/runtime/dlpack.hpp"
#include "tilewright/runtime/graph.hpp"
#include "tilewright/runtime/host_buffer.hpp"
#include "tilewright/runtime/images.hpp"
#include "tilewright/runtime/launch.hpp"
#include "tilewright/runtime/lent.hpp"
#include "tilewright/runtime/misuse.hpp"
#include "tilewright/runtime/offline.hpp"
#include "tilewright/runtime/op.hpp"
#include "tilewright/runtime/prepared.hpp"
#include "tilewright/runtime/rehearsal.hpp"
#include "tilewright/runtime/scope.hpp"
#include "tilewright/runtime/shape.hpp"
#include "tilewright/runtime/shared.hpp"
#include "tilewright/runtime/split.hpp"
#include "tilewright/runtime/stream.hpp"
#include "tilewright/runtime/tensor.hpp"
