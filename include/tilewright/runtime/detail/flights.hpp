// SPDX-License-Identifier: Apache-2.0
// The runs of one prepared launch or graph that nobody has waited for. Each comes after the one before, wherever that
// was.
#pragma once

#include <exception>
#include <vector>

#include "tilewright/runtime/detail/launch_plan.hpp"

namespace tilewright::detail {

class TILEWRIGHT_API flights {
 public:
  // The last one, waited for or not; no stream before the first.
  const event& last() const noexcept { return last_; }
  // `context`: of its entry in the stream; null for any. Once warm, allocates nothing.
  void add(const event& made, const void* context = nullptr);
  // Throws what failed first in them. All are asked, so that a stream does not tell of one again.
  void wait();

 private:
  void look(enqueued_range& range) noexcept;

  event last_;
  std::vector<enqueued_range> ranges_;  // by stream and context
  owned<std::exception_ptr> failure_;
};

}  // namespace tilewright::detail
