// SPDX-License-Identifier: Apache-2.0
// Everything a kernel author writes with. Reaches no standard header but <cstdint>.
#pragma once

#include "tilewright/lang/combiner.hpp"
#include "tilewright/lang/functions.hpp"
#include "tilewright/lang/kernel.hpp"
#include "tilewright/lang/math.hpp"
#include "tilewright/lang/matrix.hpp"
#include "tilewright/lang/packed.hpp"
#include "tilewright/lang/random.hpp"
#include "tilewright/lang/rearrange.hpp"
#include "tilewright/lang/reduce.hpp"
#include "tilewright/lang/requirement.hpp"
#include "tilewright/lang/rounding.hpp"
#include "tilewright/lang/scatter.hpp"
#include "tilewright/lang/sort.hpp"
