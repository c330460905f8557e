// SPDX-License-Identifier: Apache-2.0
// The worker pool over oneTBB: an arena of its own, so that a program's own oneTBB work and ours do not wait for each
// other.
#include "runtime/worker_pool.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <optional>

namespace tilewright::runtime {
class worker_pool::state {
 public:
  explicit state(int threads) : arena_(threads, 1) {
    // oneTBB keeps no more workers than cores unless told so; its own default is left alone otherwise.
    if (threads > tbb::this_task_arena::max_concurrency()) {
      limit_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    }
    arena_.initialize();
  }

  void run(shared_work& work, int helpers) {
    arena_.execute([&] {
      tbb::parallel_for(
          0, helpers + 1, [&](int) { work.run(); }, tbb::simple_partitioner());
    });
  }

 private:
  std::optional<tbb::global_control> limit_;
  tbb::task_arena arena_;
};

worker_pool::worker_pool(int threads) : threads_(threads), state_(std::make_unique<state>(threads)) {}

worker_pool::~worker_pool() = default;

void worker_pool::run(shared_work& work, int helpers) {
  if (helpers <= 0) return work.run();
  state_->run(work, helpers);
}

}  // namespace tilewright::runtime
