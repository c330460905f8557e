// SPDX-License-Identifier: Apache-2.0
// What the sanitizers' runtimes ask a test binary at its start. Without a sanitizer nobody asks.
#include "tilewright/base/config.hpp"

// Tests that ask for more memory than there is want none, instead of the end of the process.
extern "C" TILEWRIGHT_API const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" TILEWRIGHT_API const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

// Half of LLVM's reference counts are inline and seen, half are in its library and not: ThreadSanitizer takes that for
// a race. Nothing of ours is named llvm.
extern "C" TILEWRIGHT_API const char* __tsan_default_suppressions() { return "race:llvm::\n"; }
