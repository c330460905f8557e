// SPDX-License-Identifier: Apache-2.0
// Misuse that only a destructor can see: an op that never ran, an owner destroyed while lent, a result that nobody
// waited for. Such a mistake cannot be thrown, so a handler is called; memory stays safe whatever it does.
#pragma once

#include "tilewright/base/config.hpp"

namespace tilewright {

// `text` says what happened and how to fix it.
using misuse_handler = void (*)(const char* text);

// Sets the handler of the process and returns the one before; nullptr brings back the default, which prints the text
// and aborts. Not called while an exception unwinds the stack: then the exception is the message.
TILEWRIGHT_API misuse_handler set_misuse_handler(misuse_handler handler) noexcept;

namespace detail {
TILEWRIGHT_API void report_misuse(const char* text) noexcept;
}

}  // namespace tilewright
