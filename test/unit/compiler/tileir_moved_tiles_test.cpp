// SPDX-License-Identifier: Apache-2.0
// Which carried tiles a round of a loop gives with their elements in other places.
#include <gtest/gtest.h>

#include "compiler/loops.hpp"
#include "compiler/tileir/moved_tiles.hpp"
#include "support/program_builder.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using compiler::tileir::moved_tiles;
using carried = std::vector<value_id>;

const compiler::value_type square = type_of(dtype::f32, {4, 4});

// A loop that carries two tiles, and what a round makes of them.
template <class Round>
std::vector<bool> moved_by(Round round) {
  program_builder p(1);
  const value_id zero = p.index(0), a = p.constant(square, 1), b = p.constant(square, 2);
  p.loop(zero, p.index(3), p.index(1), {a, b}, [&](value_id, const carried& now) { return round(p, now); });
  const compiler::program made = p.result();
  for (const compiler::instruction& next : made.entry.body) {
    if (compiler::is_loop(next)) return moved_tiles(next);
  }
  return {};
}
value_id transposed(program_builder& p, value_id x) { return p.value(op::permute, square, {x}, {1}); }

using flags = std::vector<bool>;

TEST(TileirMovedTiles, AreTransposedOrGivenInAnothersPlace) {
  EXPECT_EQ(moved_by([](program_builder& p, const carried& now) {
              return carried{transposed(p, now[0]), now[1]};
            }),
            (flags{true, false}));
  EXPECT_EQ(moved_by([](program_builder&, const carried& now) {
              return carried{now[1], now[0]};
            }),
            (flags{true, true}));
  EXPECT_EQ(moved_by([](program_builder& p, const carried& now) {
              const value_id sum = p.like(op::add, {now[0], now[1]});
              return carried{sum, p.like(op::multiply, {transposed(p, sum), now[1]})};
            }),
            (flags{false, true}));
  EXPECT_EQ(moved_by([](program_builder& p, const carried& now) {
              const auto inner = p.loop(p.index(0), p.index(2), p.index(1), {now[0]},
                                        [&](value_id, const carried& deep) { return carried{transposed(p, deep[0])}; });
              return carried{inner[0], p.like(op::add, {now[1], now[1]})};
            }),
            (flags{true, false}));
}

TEST(TileirMovedTiles, AreNotWhatIsSummedOrMadeInTheRound) {
  EXPECT_EQ(moved_by([](program_builder& p, const carried& now) {
              const value_id made = transposed(p, p.constant(square, 5));
              return carried{p.like(op::add, {now[0], made}),
                             p.value(op::mma, square, {transposed(p, now[1]), made, now[1]}, {0})};
            }),
            (flags{false, false}));
}

// Each value is looked at once.
TEST(TileirMovedTiles, AreFoundBehindLongChains) {
  EXPECT_EQ(moved_by([](program_builder& p, const carried& now) {
              value_id x = now[0];
              for (int i = 0; i < 200; ++i) x = p.like(op::multiply, {x, p.like(op::add, {x, x})});
              return carried{x, transposed(p, x)};
            }),
            (flags{false, true}));
}

}  // namespace
}  // namespace tilewright::test
