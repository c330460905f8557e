// SPDX-License-Identifier: Apache-2.0
// Rows that no tile holds, in order, and their greatest elements, by several launches: pieces that a tile holds come
// first, then what was found in them is joined. Functions of the host below start the launches.
// Peers: Triton's and TileLang's sort and top-k, whose rows fit in one block.
#pragma once

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "tilewright/kernels/argmax.hpp"
#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright::ports {

using namespace kernels;

// What a lane past the row holds: it comes last, as equal elements keep their order.
template <class T>
inline constexpr auto last_in_order = std::numeric_limits<f32>::quiet_NaN();
template <>
inline constexpr auto last_in_order<i32> = std::numeric_limits<i32>::max();

// Each piece of Columns elements of a row of x [M, N] in order, and where in its row each element stood; z and places
// [M, N] in pieces [BM, Columns]. Columns is a power of two, and need not divide N.
template <class T, int Columns>
inline constexpr auto sort_pieces = kernel<"sort_pieces">([](Block b, Out<T, BM, Columns> z,
                                                             Out<i32, BM, Columns> places, In<T, dyn, dyn> x) {
  require_same_shape(z, x);
  require_same_shape(places, x);
  auto sorted = sort_with_positions<1>(x.load(tile<BM, Columns>, b.pid(0), b.pid(1), pad(last_in_order<T>)));
  z.store(sorted.values);
  places.store(sorted.positions + cast<i32>(b.pid(1)) * Columns);
});

// Two neighbours of `run` elements that are in order, or fewer at the end of the row, become one. Each element of z
// finds its own source: of the elements before it, how many come from the first run? That is a search by halves between
// `low` and `high`.
template <class T>
inline constexpr auto merge_runs = kernel<"merge_runs">([](Block b, Out<T, BM, BN> z, Out<i32, BM, BN> places,
                                                           In<T, dyn, dyn> x, In<i32, dyn, dyn> x_places,
                                                           Scalar<i32> run) {
  require_same_shape(z, x);
  require_same_shape(places, x);
  require_same_shape(x_places, x);
  requires_(run > 0);
  auto row = min(b.iota<index_element>(tile<BM, 1>) + b.pid(0) * b.size(tile<BM>), x.extent(0) - 1);
  auto column = b.iota<index_element>(tile<1, BN>) + b.pid(1) * b.size(tile<BN>);
  auto length = to_index(run);
  auto begin = column / (2 * length) * (2 * length);
  auto middle = min(begin + length, x.extent(1));
  auto end = min(middle + length, x.extent(1));
  auto inside = [&](const auto& at) { return max(min(at, x.extent(1) - 1), 0); };
  // Not behind the other, if it stands before it; NaN comes last.
  auto comes_first = [](const auto& left, const auto& right) { return (left <= right) | (right != right); };

  auto before = column - begin;
  auto low = b.zeros<index_element>(tile<BM, BN>) + max(before - (end - middle), 0);
  auto high = b.zeros<index_element>(tile<BM, BN>) + min(before, middle - begin);
  b.while_([&] { return reshape(reduce_max<1>(reduce_max<0>(high - low)), tile<>) > 0; },
           [&] {
             auto guess = (low + high) / 2;
             auto left = x.gather(row, inside(begin + guess));
             auto right = x.gather(row, inside(middle + before - 1 - guess));
             auto is_open = low < high;
             auto is_of_first = comes_first(left, right);
             low = select(is_open & is_of_first, guess + 1, low);
             high = select(is_open & !is_of_first, guess, high);
           });
  auto first = begin + low, second = middle + before - low;
  auto is_first =
      (first < middle) & ((second >= end) | comes_first(x.gather(row, inside(first)), x.gather(row, inside(second))));
  auto source = inside(select(is_first, first, second));
  z.store(x.gather(row, source));
  places.store(x_places.gather(row, source));
});

// The Count greatest of each piece of Columns elements of x [M, N], the greatest first, and where in the row they
// stood: z and places [M, pieces * Count] in pieces [BM, Count]. NaN is greatest; of equal elements the first.
template <class T, int Columns, int Count>
inline constexpr auto top_of_pieces = kernel<"top_of_pieces">([](Block b, Out<T, BM, Count> z,
                                                                 Out<i32, BM, Count> places, In<T, dyn, dyn> x) {
  require_same_shape(z, places);
  require_equal(z.extent(0), x.extent(0));
  require_equal(b.grid(1), x.partition(tile<BM, Columns>).tiles(1));
  requires_(x.extent(1) >= Count);
  auto top = top_k<1, Count>(x.load(tile<BM, Columns>, b.pid(0), b.pid(1), pad(least<T>)));
  z.store(top.values);
  places.store(top.positions + cast<i32>(b.pid(1)) * Columns);
});

// The same of elements that such a launch chose, x with x_places.
template <class T, int Columns, int Count>
inline constexpr auto top_of_chosen = kernel<"top_of_chosen">([](Block b, Out<T, BM, Count> z,
                                                                 Out<i32, BM, Count> places, In<T, dyn, dyn> x,
                                                                 In<i32, dyn, dyn> x_places) {
  require_same_shape(z, places);
  require_same_shape(x_places, x);
  require_equal(z.extent(0), x.extent(0));
  require_equal(b.grid(1), x.partition(tile<BM, Columns>).tiles(1));
  auto top = top_k<1, Count>(x.load(tile<BM, Columns>, b.pid(0), b.pid(1), pad(least<T>)));
  auto row = min(b.iota<index_element>(tile<BM, 1>) + b.pid(0) * b.size(tile<BM>), x.extent(0) - 1);
  auto column = to_index(top.positions) + b.pid(1) * Columns;
  z.store(top.values);
  places.store(x_places.gather(row, max(min(column, x.extent(1) - 1), 0)));
});

// Elements of rows, and where in their row they stood.
template <class T>
struct found_elements {
  Shared<T> values;
  Shared<i32> places;
};

// What a launch of one of these kernels stored.
template <class T, class Launch>
found_elements<T> outputs_of(Launch launch) {
  auto made = std::move(launch).sync();
  return {std::get<0>(std::move(made)).share(), std::get<1>(std::move(made)).share()};
}

// Each row of x in order. Equal elements keep theirs, but that in a piece -0 comes before +0.
template <class T, int Columns = 1024>
found_elements<T> sort_long_rows(const Shared<T>& x) {
  const auto values = [&](index_t width) { return x.device().template empty<T>(x.shape()).partition({1, width}); };
  const auto places = [&](index_t width) { return x.device().template empty<i32>(x.shape()).partition({1, width}); };
  auto sorted = outputs_of<T>(sort_pieces<T, Columns>(values(Columns), places(Columns), x));
  for (index_t run = Columns; run < x.shape()[1]; run *= 2) {
    sorted =
        outputs_of<T>(merge_runs<T>(values(256), places(256), sorted.values, sorted.places, static_cast<i32>(run)));
  }
  return sorted;
}

// The Count greatest elements of each row of x, which has so many, the greatest first.
template <class T, int Count, int Columns = 1024>
found_elements<T> top_k_of_long_rows(const Shared<T>& x) {
  static_assert(Columns > Count, "a launch leaves Count elements of Columns");
  const auto shape_from = [&](index_t columns) {
    return Shape{x.shape()[0], (columns + Columns - 1) / Columns * Count};
  };
  Shape shape = shape_from(x.shape()[1]);
  const auto values = [&] { return x.device().template empty<T>(shape).partition({1, Count}); };
  const auto places = [&] { return x.device().template empty<i32>(shape).partition({1, Count}); };
  auto top = outputs_of<T>(top_of_pieces<T, Columns, Count>(values(), places(), x));
  while (shape[1] > Count) {
    shape = shape_from(shape[1]);
    top = outputs_of<T>(top_of_chosen<T, Columns, Count>(values(), places(), top.values, top.places));
  }
  return top;
}

}  // namespace tilewright::ports
