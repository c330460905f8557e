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

int program_outputs::some_accum(const std::vector<std::int32_t>& piece) {
  const dtype element = pick<dtype>({dtype::i32, dtype::u32, dtype::i64, dtype::u64, dtype::f32, dtype::f64});
  const combiner by = is_floating(element) ? pick<combiner>({combiner::min, combiner::max})
                                           : static_cast<combiner>(below(combiner_count));
  return builder_.accum(element, piece, by);
}

void program_outputs::combine() {
  const int p = some_accum(shape(grid_rank_ - 1));
  for (int n = 1 + below(2); n > 0; --n) builder_.combine(p, exact(adapted(some(), piece_type(p))).id);
}

void program_outputs::combine_elements() {
  const int p = some_accum(std::vector<std::int32_t>(static_cast<std::size_t>(grid_rank_) - 1, 0));
  const typed chosen = exact(some_tile());
  const typed tile = cast(chosen, parameter(p).element);
  const bool is_masked = one_in(2);
  ids operands;
  for (const typed& each : chosen_elements(p, tile.type, is_masked)) operands.push_back(each.id);
  builder_.combine_at(p, tile.id, operands, is_masked);
}

void program_outputs::scatter() {
  const int indices = builder_.unique(pick<dtype>({dtype::i32, dtype::i64}));
  const dtype stored = element();
  const int p = builder_.scatter(stored, shape(2), indices);
  builder_.store_rows(p, exact(adapted(some(), piece_type(p))).id, indices);
}

void program_outputs::store_tiles() {
  const dtype stored = element();
  const value_type tile = type_of(stored, shape(grid_rank_));
  std::vector<std::int32_t> piece(tile.extents.begin(), tile.extents.begin() + tile.rank);
  piece[static_cast<std::size_t>(below(tile.rank))] = 0;
  if (one_in(3)) piece[static_cast<std::size_t>(below(tile.rank))] = 0;
  ids indices;
  store_tiles(builder_.out(stored, piece), tile, indices);
}

void program_outputs::store_tiles(int p, const value_type& tile, ids& indices) {
  std::vector<int> whole;
  for (int axis = 0; axis < tile.rank; ++axis) {
    if (parameter(p).has_whole(static_cast<std::size_t>(axis))) whole.push_back(axis);
  }
  if (indices.size() == whole.size()) {
    typed total = exact(adapted(some(), tile));
    total = mixed(total, exact(adapted(some(), tile)));
    return builder_.store_tile(p, total.id, indices);
  }
  const int axis = whole[indices.size()];
  const std::int32_t extent = tile.extents[static_cast<std::size_t>(axis)];
  const typed count = made(op::tiles, type_of(dtype::index), {}, {p, axis, extent});
  const typed from = index(0), step = index(1);
  const std::size_t outside = values_.size();
  builder_.loop(from.id, count.id, step.id, {}, [&](value_id variable, const ids&) {
    values_.push_back({variable, type_of(dtype::index)});
    values_.push_back(one_in(2) ? load(pick(inputs_)) : element_wise());
    indices.push_back(variable);
    store_tiles(p, tile, indices);
    values_.resize(outside);
    return ids{};
  });
}

void program_outputs::print() {
  constexpr std::int64_t most = 32;
  ids shown;
  for (int n = below(3); n > 0; --n) {
    const typed found = exact(some());
    const bool is_large = found.type.elements() > most;
    shown.push_back(is_large ? adapted(found, type_of(found.type.element, {2, 3})).id : found.id);
  }
  builder_.print(shown);
}

// Of numbers that stay what they are where they are compared, so that the kernel can tell which of them are real.
void program_outputs::assertion() {
  if (one_in(6)) return builder_.require(condition().id);
  const typed found = number(exact(some()));
  const typed a = is_floating(found.type.element) ? cast(found, dtype::i32) : found;
  const typed limit = some_constant(type_of(a.type.element));
  const typed low = made(op::minimum, a.type, {a, limit}), high = made(op::maximum, a.type, {a, limit});
  builder_.require(made(op::less_equal, with_element(a.type, dtype::boolean), {low, high}).id);
}

}  // namespace tilewright::test
