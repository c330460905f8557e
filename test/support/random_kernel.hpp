// SPDX-License-Identifier: Apache-2.0
// Random kernels around index arithmetic: expressions over block ids, loop variables, extents, scalars and numbers,
// in loops and branches, used as tile indices, divisors and data. The same seed gives the same kernel everywhere.
#pragma once

#include <random>

#include "support/arguments.hpp"
#include "support/module_builder.hpp"

namespace tilewright::test {

// Parameters: 0 z Out index (4, 2), 1 x In index (any, any), 2 y InOut index (4, 2), 3 s Scalar i32, 4 t Scalar i64.
class random_kernel {
 public:
  explicit random_kernel(std::uint32_t seed) : random_(seed), module_("random") {
    module_.out(dtype::index, {4, 2});
    module_.in(dtype::index, {ast::dynamic_extent, ast::dynamic_extent});
    module_.in_out(dtype::index, {4, 2});
    module_.scalar(dtype::i32);
    module_.scalar(dtype::i64);
    indices_ = {module_.block_id(0),
                module_.block_id(1),
                module_.extent(x_, 0),
                module_.tiles(x_, 0, 4),
                module_.tiles(x_, 1, 2),
                module_.cast(dtype::index, module_.scalar_value({3})),
                module_.cast(dtype::index, module_.scalar_value({4}))};
    data_ = {module_.load_piece({2}), module_.constant(dtype::index, {4, 2}, number())};
    sum_ = module_.copy(data_[1]);
    count_ = module_.copy(module_.index(number()));
    region(0);
    module_.store({2}, sum_);
    module_.store({0}, module_.binary(op::add, sum_, any(data_)));
  }

  module_builder& module() { return module_; }

  std::vector<compiler::argument> arguments() {
    const index_t rows = below(20), columns = below(5);
    return {dense({rows, columns}, {4, 2}), dense({below(40), below(12)}), dense({rows, columns}, {4, 2}),
            scalar_bits(static_cast<std::uint32_t>(number())), scalar_bits(static_cast<std::uint64_t>(wild_number()))};
  }

 private:
  void region(int depth) {
    const std::size_t indices = indices_.size(), data = data_.size();
    for (int i = 0, steps = 2 + below(5); i < steps; ++i) step(depth);
    indices_.resize(indices);
    data_.resize(data);
  }

  void step(int depth) {
    switch (below(depth < 2 ? 11 : 9)) {
      case 0:
      case 1:
      case 2:
      case 3:
        indices_.push_back(expression());
        break;
      case 4:
      case 5:
        data_.push_back(load());
        break;
      case 6:
        data_.push_back(tile());
        break;
      case 7:
        module_.assign(sum_, module_.binary(op::add, sum_, any(data_)));
        break;
      case 8:
        if (below(2) == 0) module_.store({2}, any(data_));
        data_.push_back(module_.load_piece({2}));
        break;
      case 9:
        loop(depth);
        break;
      default:
        branch(depth);
        break;
    }
  }

  void loop(int depth) {
    const auto from = below(2) == 0 ? module_.index(0) : any(indices_);
    const auto to = bounded(any(indices_), 6);
    const auto step = module_.index(1 + below(3));
    indices_.push_back(module_.for_begin(from, to, step));
    if (below(2) == 0) module_.assign(count_, module_.binary(op::add, count_, any(indices_)));
    region(depth + 1);
    module_.for_end();
    indices_.pop_back();
    indices_.push_back(count_);
  }

  void branch(int depth) {
    static constexpr op comparisons[] = {op::less, op::less_equal, op::greater, op::greater_equal, op::equal};
    const auto a = any(indices_), b = any(indices_);
    module_.if_begin(module_.compare(comparisons[below(5)], a, b));
    region(depth + 1);
    module_.if_else();
    if (below(2) == 0) region(depth + 1);
    module_.if_end();
  }

  tile_value expression() {
    static constexpr op binaries[] = {op::add,    op::subtract,  op::multiply,  op::minimum,  op::maximum,
                                      op::divide, op::floor_div, op::remainder, op::floor_mod};
    const op which = binaries[below(9)];
    const bool divides =
        which == op::divide || which == op::floor_div || which == op::remainder || which == op::floor_mod;
    const auto a = any(indices_);
    const auto b = below(2) == 0 ? module_.index(divides ? 1 + below(5) : literal()) : any(indices_);
    if (below(12) == 0) return module_.select(module_.compare(op::less, a, b), b, a);
    return module_.binary(which, a, divides && below(3) != 0 ? bounded_below(b) : b);
  }

  tile_value load() {
    const auto row = index_for(0), column = index_for(1);
    return module_.load(x_, {4, 2}, {row, column});
  }

  // Often clamped, so that many kernels pass the checks.
  tile_value index_for(int axis) {
    const auto last = module_.binary(op::subtract, module_.tiles(x_, axis, axis == 0 ? 4 : 2), module_.index(1));
    const auto index = any(indices_);
    switch (below(4)) {
      case 0:
        return index;
      case 1:
        return module_.binary(op::minimum, index, last);
      default:
        return module_.binary(op::minimum, module_.binary(op::maximum, index, module_.index(0)), last);
    }
  }

  tile_value tile() {
    static constexpr op binaries[] = {op::add, op::subtract, op::multiply, op::minimum, op::bit_and, op::shift_right};
    const auto a = any(data_);
    const auto b = below(3) == 0 ? any(indices_) : any(data_);
    if (below(6) == 0) return module_.binary(op::add, a, module_.iota(dtype::index, {4, 1}, 0));
    if (below(6) == 0) return module_.select(module_.compare(op::less, a, b), a, any(data_));
    return module_.binary(binaries[below(6)], a, b);
  }

  tile_value bounded(tile_value value, int limit) { return module_.binary(op::minimum, value, module_.index(limit)); }
  tile_value bounded_below(tile_value value) { return module_.binary(op::maximum, value, module_.index(1)); }
  tile_value any(const std::vector<tile_value>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  int number() { return below(24) - 4; }
  std::int64_t literal() {
    static constexpr std::int64_t extremes[] = {INT64_MIN, INT64_MAX, std::int64_t{1} << 62, -(std::int64_t{1} << 33)};
    return below(15) == 0 ? extremes[below(4)] : number();
  }
  std::int64_t wild_number() {
    const auto wide = static_cast<std::int64_t>(std::uint64_t{random_()} << 32 | random_());
    return below(3) == 0 ? wide : number();
  }

  std::mt19937 random_;
  module_builder module_;
  parameter_index x_{1};
  std::vector<tile_value> indices_, data_;
  tile_value sum_, count_;
};

}  // namespace tilewright::test
