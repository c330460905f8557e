// SPDX-License-Identifier: Apache-2.0
// Runs the blocks of one launch on all cores. Apart from streams: an executor knows no order between launches and
// owns no queue; a stream's thread calls it and takes part in the work.
#pragma once

#include <cstdint>

#include "runtime/worker_pool.hpp"
#include "tilewright/compiler/image.hpp"

namespace tilewright::runtime {

class executor {
 public:
  // `threads` >= 1 counts the calling thread.
  explicit executor(int threads);

  // Runs the blocks 0 <= n < `blocks` and returns when all are done; the others as image.run wants them.
  // Any thread may call, several at once too. Which thread runs which block is open; blocks are independent, so
  // results do not depend on it. Where they are not, `in_turn` of them each, of which `blocks` is a multiple, are run
  // by one thread in their order. Allocates nothing once each thread has met the image's scratch size.
  // Throws out_of_memory, before any block has run.
  void run(const compiler::host_image& image, const std::uint64_t* parameters, const std::int64_t* grid,
           std::int64_t blocks, compiler::fault_status* faults = nullptr, std::int64_t in_turn = 1);

  int threads() const noexcept { return pool_.threads(); }

  // The one of this process, made at the first call and never destroyed. Throws usage_error for a bad
  // TILEWRIGHT_THREADS, so a device calls it before anything is enqueued.
  static executor& shared();

 private:
  worker_pool pool_;
};

// TILEWRIGHT_THREADS, or as many as there are cores that this process may use. Throws usage_error for a bad value.
int configured_threads();

// executor::shared().run(...)
void parallel_blocks(const compiler::host_image& image, const std::uint64_t* parameters, const std::int64_t* grid,
                     std::int64_t blocks, compiler::fault_status* faults = nullptr, std::int64_t in_turn = 1);

}  // namespace tilewright::runtime
