// SPDX-License-Identifier: Apache-2.0
// Outputs that are cut into pieces with their axes in another order, on each back end: every element of the tensor is
// where the order says, and nothing else is written.
#include <array>

#include "numeric/kernels/kernel_test.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim BA{"BA"}, BM{"BM"}, BN{"BN"};

template <class T>
constexpr auto doubled = kernel<"doubled">([](Out<T, BA, BM, BN> z, In<T, dyn, dyn, dyn> x) {
  z.store(load_like(x, z) + load_like(x, z));
});
inline constexpr auto doubled_and_turned =
    kernel<"doubled_and_turned">([](Out<f64, BM, BN> z, Out<f64, BM, BN> turned, In<f64, dyn, dyn> x) {
      auto v = load_like(x, z) + load_like(x, z);
      z.store(v);
      turned.store(v);
    });
inline constexpr auto added_to =
    kernel<"added_to">([](InOut<f32, BM, BN> z, In<f32, dyn, dyn> x) { z.store(z.load() * 3.0f + load_like(x, z)); });
inline constexpr auto summed = kernel<"summed">([](Block b, Accum<f32, combiner::sum, BM, BN> z, In<f32, dyn, dyn> x) {
  z.combine(x.load(tile<BM, BN>, b.pid(0), b.pid(1), pad(0)));
});
inline constexpr auto copied_tile_by_tile =
    kernel<"copied_tile_by_tile">([](Block b, Out<i32, BM, dyn> z, In<i32, dyn, dyn> x) {
      auto from = x.partition(tile<BM, BN>);
      auto to = z.partition(tile<BM, BN>);
      for (auto n : range(to.tiles(1))) to.store(0, n, from.load(b.pid(0), n, pad(0)));
    });

class PermutedOutput : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(PermutedOutput);

template <class T>
std::vector<T> numbers(index_t count) {
  std::vector<T> made;
  for (index_t i = 0; i < count; ++i) made.push_back(static_cast<T>(static_cast<float>(i * 7919 % 509 - 250)));
  return made;
}

// Of a tensor whose view by `order` has the values `seen`, of extents `shape`.
template <class T>
std::vector<T> in_memory(const std::vector<T>& seen, const Shape& shape, const std::array<int, 3>& order) {
  const int rank = shape.rank();
  Shape memory = shape;
  for (int axis = 0; axis < rank; ++axis) memory[order[static_cast<std::size_t>(axis)]] = shape[axis];
  std::vector<T> made(seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    std::array<index_t, 3> place{};
    auto rest = static_cast<index_t>(i);
    for (int axis = rank; axis-- > 0; rest /= shape[axis]) {
      place[static_cast<std::size_t>(order[static_cast<std::size_t>(axis)])] = rest % shape[axis];
    }
    index_t at = 0;
    for (int axis = 0; axis < rank; ++axis) at = at * memory[axis] + place[static_cast<std::size_t>(axis)];
    made[static_cast<std::size_t>(at)] = seen[i];
  }
  return made;
}

template <class T>
std::vector<T> twice(std::vector<T> values) {
  for (T& value : values) value = value + value;
  return values;
}

TEST_P(PermutedOutput, HasEachElementInItsPlaceInEveryOrderOfThreeAxes) {
  const auto check = [&]<class T, int... Order>(std::integer_sequence<int, Order...>, T) {
    for (const Shape& shape : {Shape{1, 1, 1}, {3, 5, 7}, {4, 33, 20}, {2, 64, 32}, {5, 1, 40}, {0, 4, 4}, {3, 8, 0}}) {
      for (const Shape& piece : {Shape{1, 16, 8}, {2, 5, 20}, {4, 64, 32}}) {
        const auto values = numbers<T>(shape.elements());
        Shape memory = shape;
        int axis = 0;
        ((memory[Order] = shape[axis++]), ...);
        auto z = poisoned<T>(memory);
        doubled<T>(z.template permute<Order...>().partition(piece), upload(values, shape)).sync();
        ASSERT_EQ(z.to_host(), in_memory(twice(values), shape, {Order...})) << to_text(shape) << to_text(piece);
      }
    }
  };
  const auto check_orders = [&]<class T>(T kind) {
    check(std::integer_sequence<int, 0, 1, 2>{}, kind);
    check(std::integer_sequence<int, 0, 2, 1>{}, kind);
    check(std::integer_sequence<int, 1, 0, 2>{}, kind);
    check(std::integer_sequence<int, 1, 2, 0>{}, kind);
    check(std::integer_sequence<int, 2, 0, 1>{}, kind);
    check(std::integer_sequence<int, 2, 1, 0>{}, kind);
  };
  check_orders(f32());
  check_orders(i8());
}

// The blocks of both have one grid: block (i, j) stores piece (j, i) of the turned tensor.
TEST_P(PermutedOutput, LiesBesideOneInItsOwnOrder) {
  for (const Shape& shape : {Shape{1, 1}, {33, 70}, {64, 32}, {100, 3}}) {
    const auto values = numbers<f64>(shape.elements());
    auto z = poisoned<f64>(shape), turned = poisoned<f64>({shape[1], shape[0]});
    doubled_and_turned(z.partition({16, 32}), turned.permute<1, 0>().partition({16, 32}), upload(values, shape)).sync();
    EXPECT_EQ(z.to_host(), twice(values));
    EXPECT_EQ(turned.to_host(), in_memory(twice(values), shape, {1, 0}));
  }
}

TEST_P(PermutedOutput, IsReadAndWrittenInPlace) {
  const Shape shape{37, 50};
  const auto values = numbers<f32>(shape.elements());
  auto expected = values;
  for (f32& value : expected) value += 6;
  auto z = device().full<f32>({50, 37}, 2);
  added_to(z.permute<1, 0>().partition({8, 32}), upload(values, shape)).sync();
  EXPECT_EQ(z.to_host(), in_memory(expected, shape, {1, 0}));
}

TEST_P(PermutedOutput, IsCombinedInto) {
  const Shape shape{21, 40};
  const auto values = numbers<f32>(shape.elements());
  auto expected = values;
  for (f32& value : expected) value = 1 + 3 * value;  // whole numbers, so exact
  for (const auto& kernel : {summed, summed.with(deterministic)}) {
    auto z = device().full<f32>({40, 21}, 1);
    kernel(z.permute<1, 0>().partition({8, 12}, shared_by(3)), upload(values, shape)).sync();
    EXPECT_EQ(z.to_host(), in_memory(expected, shape, {1, 0}));
  }
}

TEST_P(PermutedOutput, IsStoredTileByTileAlongAWholeAxis) {
  for (const Shape& shape : {Shape{21, 100}, {1, 1}, {16, 64}}) {
    const auto values = numbers<i32>(shape.elements());
    auto z = poisoned<i32>({shape[1], shape[0]});
    copied_tile_by_tile.with(BN = 16)(z.permute<1, 0>().partition({8, whole_axis}), upload(values, shape)).sync();
    EXPECT_EQ(z.to_host(), in_memory(values, shape, {1, 0}));
  }
}

// A part of a tensor in another order: what lies around it stays.
TEST_P(PermutedOutput, IsAPartThatLeavesTheRestAlone) {
  const auto values = numbers<f32>(6 * 10);
  auto z = device().full<f32>({1, 12, 9}, -1);
  doubled<f32>(z.slice(1, 2, 12).slice(2, 1, 7).permute<0, 2, 1>().partition({1, 4, 4}), upload(values, {1, 6, 10}))
      .sync();
  std::vector<f32> expected(12 * 9, -1);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 10; ++j) expected[(j + 2) * 9 + i + 1] = 2 * values[i * 10 + j];
  }
  EXPECT_EQ(z.to_host(), expected);
}

}  // namespace
}  // namespace tilewright::test
