// SPDX-License-Identifier: Apache-2.0
// The device benchmark's library as C functions, so that Python can time our launches beside PyTorch's in one process.
// One thread only. Functions that give an int give 0 for success; else tilewright_bench_error() says why.
#pragma once

#include <cstdint>

#include "tilewright/base/config.hpp"

extern "C" {

struct tilewright_bench_buffer_view {
  const char* name;     // valid as long as the row
  const char* element;  // "f16"
  void* address;        // in the device's memory
  int rank;
  std::int64_t extents[6];
};

TILEWRIGHT_API const char* tilewright_bench_error();
// The rows there are: names until a null.
TILEWRIGHT_API const char* tilewright_bench_row_name(int position);

// "cuda", "cpu" or "interp"; the last two with small shapes, to check the rows themselves.
TILEWRIGHT_API int tilewright_bench_use_device(const char* name);
// A pack of images that another process has baked.
TILEWRIGHT_API int tilewright_bench_load_images(const char* file);
// Compiles the rows of these names (with spaces between) for a target that need not be present ("sm_90"), and writes
// the images to a file.
TILEWRIGHT_API int tilewright_bench_bake(const char* target, const char* names, const char* file);

// The driver's handle of the stream that rows run on; null on a device that has none.
TILEWRIGHT_API int tilewright_bench_stream(void** handle);
TILEWRIGHT_API int tilewright_bench_synchronize();

// A prepared row, or null. Its inputs are uninitialised: fill them through their views.
TILEWRIGHT_API void* tilewright_bench_open(const char* name);
TILEWRIGHT_API void tilewright_bench_close(void* row);
TILEWRIGHT_API int tilewright_bench_buffer(void* row, int position, tilewright_bench_buffer_view* view);
// Side 0 is ours, side 1 a peer that the row brings itself.
TILEWRIGHT_API int tilewright_bench_enqueue(void* row, int side, int times);
// Seconds of one of `times` runs by the host's clock, for rows that time themselves; negative on failure.
TILEWRIGHT_API double tilewright_bench_host_seconds(void* row, int side, int times);
// Whether what the last runs left behind is right, for rows that can say so themselves.
TILEWRIGHT_API int tilewright_bench_check(void* row);
}
