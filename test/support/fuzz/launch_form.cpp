// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include "support/fuzz/tile_launch.hpp"

namespace tilewright::test {
namespace {

using compiler::program;
using compiler::program_parameter;

std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

class form_maker {
 public:
  form_maker(const program& source, std::uint32_t seed, strides kind) : random_(seed), strides_(kind) {
    form_.side = seed % 2 == 0 ? lies::before_guard : lies::after_guard;
    for (int axis = 0; axis < source.grid_rank; ++axis) form_.grid.push_back(1 + below(3));
    for (const program_parameter& parameter : source.parameters) give_whole_axes_one_block(parameter);
    for (std::size_t p = 0; p < source.parameters.size(); ++p) form_.tensors.push_back(tensor(source, p));
  }
  launch_form form_;

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }

  void give_whole_axes_one_block(const program_parameter& parameter) {
    if (!is_output(parameter.kind)) return;
    for (std::size_t axis = 0; axis < at(parameter.rank); ++axis) {
      if (parameter.has_whole(axis)) form_.grid[axis] = 1;
    }
  }

  tensor_form tensor(const program& source, std::size_t p) {
    const program_parameter& parameter = source.parameters[p];
    tensor_form made;
    made.data_seed = static_cast<std::uint32_t>(random_());
    if (parameter.kind == parameter_kind::scalar) return made;
    const bool is_input = parameter.kind == parameter_kind::in;
    for (std::size_t axis = 0; axis < at(parameter.rank); ++axis) {
      const bool is_whole = below(2) == 0;
      const index_t piece = is_input ? 1 + below(parameter.rank > 2 ? 12 : 40) : piece_of(source, p, axis);
      if (is_input) {
        made.extents[axis] = is_whole ? index_t{16} * (1 + below(parameter.rank > 2 ? 2 : 4)) : piece;
      } else if (parameter.has_whole(axis) && is_output(parameter.kind)) {
        made.extents[axis] = 1 + below(24);
      } else if (parameter.placed_by >= 0 && axis == 0) {
        made.extents[axis] = form_.tensors[at(parameter.placed_by)].extents[0] + below(5);
      } else {
        made.extents[axis] = piece * form_.grid[axis] - (is_whole ? 0 : below(static_cast<int>(piece)));
      }
    }
    place(made, parameter.rank, is_input);
    return made;
  }

  // Axes in random order in memory, with gaps, backwards, or (inputs only) repeated by a stride of 0.
  void place(tensor_form& made, int rank, bool is_input) {
    std::vector<std::size_t> order;
    for (int axis = 0; axis < rank; ++axis) order.insert(order.begin(), at(axis));
    if (below(3) == 0) std::shuffle(order.begin(), order.end(), random_);
    index_t step = below(6) == 0 ? 2 : 1;
    for (const std::size_t axis : order) {
      made.strides[axis] = step;
      const index_t span = made.extents[axis] * step + (below(3) == 0 ? below(7) : 0);
      step = below(4) == 0 ? (span + 15) / 16 * 16 : span;
      if (is_input && below(8) == 0 && strides_ == strides::any) made.strides[axis] = 0;
      made.count += (made.extents[axis] - 1) * made.strides[axis];
      if (below(6) != 0 || strides_ == strides::positive) continue;
      made.first += (made.extents[axis] - 1) * made.strides[axis];
      made.strides[axis] = -made.strides[axis];
    }
  }

  std::mt19937 random_;
  strides strides_;
};

}  // namespace

std::optional<std::size_t> placed_by(const program& source, std::size_t indices) {
  for (std::size_t p = 0; p < source.parameters.size(); ++p) {
    if (source.parameters[p].placed_by == static_cast<std::int32_t>(indices)) return p;
  }
  return {};
}

index_t piece_of(const program& source, std::size_t p, std::size_t axis) {
  const program_parameter& parameter = source.parameters[p];
  if (parameter.kind != parameter_kind::unique) return parameter.piece[axis];
  const std::optional<std::size_t> placed = placed_by(source, p);
  return placed ? source.parameters[*placed].piece[0] : 1;
}

launch_form random_launch(const program& source, std::uint32_t seed, strides kind) {
  return form_maker(source, seed, kind).form_;
}

void make_dense(tensor_form& tensor, int rank) {
  tensor.first = 0;
  tensor.count = 1;
  for (std::size_t axis = at(rank); axis-- > 0; tensor.count *= tensor.extents[axis]) {
    tensor.strides[axis] = tensor.count;
  }
}

}  // namespace tilewright::test
