// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/program_outputs.hpp"

namespace tilewright::test {

void program_outputs::store(int p) {
  const value_type type = piece_type(p);
  typed total = exact(adapted(values_.back(), type));
  for (int n = 0; n < 2; ++n) total = mixed(total, exact(adapted(some(), type)));
  const bool is_read = parameter(p).kind == parameter_kind::in_out;
  if (is_read) total = mixed(total, piece(p, type));
  builder_.store(p, total.id);
  if (is_read && one_in(3)) builder_.store(p, mixed(piece(p, type), total).id);  // reads what was stored
}

void program_outputs::store_inexact() {
  int left = 2;
  for (std::size_t n = values_.size(); n-- > 0 && left > 0;) {
    const typed found = values_[n];
    if (found.facts.ulp == 0) continue;
    const int p = builder_.out(found.type.element, shape(grid_rank_));
    builder_.store(p, adapted(found, piece_type(p)).id);
    --left;
  }
}

void program_outputs::combine() {
  const dtype element = pick<dtype>({dtype::i32, dtype::u32, dtype::i64, dtype::u64, dtype::f32, dtype::f64});
  const combiner by = is_floating(element) ? pick<combiner>({combiner::min, combiner::max})
                                           : static_cast<combiner>(below(combiner_count));
  const int p = builder_.accum(element, shape(grid_rank_ - 1), by);
  for (int n = 1 + below(2); n > 0; --n) builder_.combine(p, exact(adapted(some(), piece_type(p))).id);
}

}  // namespace tilewright::test
