// SPDX-License-Identifier: Apache-2.0
// The one 64-bit word in which a program holds a constant.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tilewright/base/dtype.hpp"

namespace tilewright::compiler {

// From any word (f64 bits for a floating element, else an i64) to that of the element's nearest value: one rounding,
// ties to even; integers wrap, extended to 64 bits as the element's sign asks.
std::int64_t constant_word(std::int64_t word, dtype element);

// Elements of such words, one after the other as they lie in memory; a bool is a byte.
std::string element_bytes(std::span<const std::int64_t> words, dtype element);

}  // namespace tilewright::compiler
