// SPDX-License-Identifier: Apache-2.0
// Branches that give structs, and loops that data ends, on every back end against plain C++.
#include <algorithm>
#include <array>
#include <bit>

#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "support/arguments.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

constexpr Dim B{"B"};
constexpr index_t width = 8, count = 27;  // the last tile has 3 elements

class ControlFlow : public BackEndTest {
 protected:
  // z of `module`, whose parameters are z in pieces of `width`, then the operands.
  std::vector<float> compute(const ast::module_view& module, const std::vector<compiler::argument>& operands) {
    const host_array z(dtype::f32, {count});
    std::vector<compiler::argument> arguments{z.argument()};
    arguments[0].piece[0] = width;
    arguments.insert(arguments.end(), operands.begin(), operands.end());
    run_module(module, GetParam(), arguments);
    return z.values<float>();
  }
};
TILEWRIGHT_ON_EVERY_BACK_END(ControlFlow);

struct Scaled {
  Tile<f32, B> value;
  Tile<f32> factor;
};
struct Both {
  Scaled part[2];
  std::array<Tile<i32>, 2> count;
};

constexpr auto gives_structs = kernel<"gives_structs">([](Block b, Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
  auto v = load_like(x, z);
  auto seven = b.full<f32>(tile<>, 7.0);
  auto given = if_(
      n > 2,
      [&] {
        return Both{{{v, seven}, {v * v, seven + 1}}, {n, n + 1}};
      },
      [&] {
        auto inner = if_(
            n > 1,
            [&] {
              return Scaled{v + 1, seven * 2};
            },
            [&] {
              return Scaled{v + 2, seven * 3};
            });
        return Both{{inner, {inner.value, inner.factor + 5}}, {-n, n}};
      });
  z.store(given.part[0].value * given.part[0].factor + given.part[1].value * given.part[1].factor +
          cast<f32>(given.count[0] * 100 + given.count[1]));
});

TEST_P(ControlFlow, ABranchGivesTheFieldsOfItsStruct) {
  host_array x(dtype::f32, {count});
  for (index_t i = 0; i < count; ++i) x.set(i, static_cast<float>(i));
  for (const int n : {1, 2, 3}) {
    const std::vector<float> got =
        compute(gives_structs.module(), {x.argument(), scalar_bits(static_cast<std::uint64_t>(n))});
    for (index_t i = 0; i < count; ++i) {
      const float v = static_cast<float>(i);
      const float value = n > 1 ? v + 1 : v + 2, factor = n > 1 ? 14.0f : 21.0f;
      const float expected =
          n > 2 ? v * 7 + v * v * 8 + 304.0f : value * factor + value * (factor + 5) + static_cast<float>(n - 100 * n);
      EXPECT_EQ(got[static_cast<std::size_t>(i)], expected) << "n " << n << ", element " << i;
    }
  }
}

// ---- while_ --------------------------------------------------------------------------------------------------------
// How many steps 3n + 1 or n / 2 lead from n to 1. Each block goes round as often as its own elements need.
constexpr auto steps_to_one = kernel<"steps_to_one">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
  auto n = cast<i32>(x.load(tile<B>, b.pid(0), pad(1)));
  auto steps = b.zeros<i32>(tile<B>);
  b.while_([&] { return reshape(reduce_max<0>(n), tile<>) > 1; },
           [&] {
             auto goes_on = n > 1;
             n = select(goes_on, select((n & 1) == 1, n * 3 + 1, n / 2), n);
             steps = select(goes_on, steps + 1, steps);
           });
  z.store(cast<f32>(steps));
});

TEST_P(ControlFlow, AWhileLoopGoesRoundAsOftenAsItsBlockNeeds) {
  host_array x(dtype::f32, {count});
  for (index_t i = 0; i < count; ++i) x.set(i, static_cast<float>(i + 1));
  const std::vector<float> got = compute(steps_to_one.module(), {x.argument()});
  for (index_t i = 0; i < count; ++i) {
    int steps = 0;
    for (index_t n = i + 1; n > 1; ++steps) n = n % 2 == 1 ? 3 * n + 1 : n / 2;
    EXPECT_EQ(got[static_cast<std::size_t>(i)], static_cast<float>(steps)) << "from " << i + 1;
  }
}

// The condition computes what the body assigns: its value must not be in place before the loop is left.
constexpr auto doubles_below = kernel<"doubles_below">([](Block b, Out<f32, B> z, In<f32, dyn> x, Scalar<f32> limit) {
  auto v = x.load(tile<B>, b.pid(0), pad(0));
  b.while_([&] { return reshape(reduce_sum<0>(v * 2), tile<>) < limit; }, [&] { v = v * 2; });
  z.store(v);
});

TEST_P(ControlFlow, AWhileLoopGivesWhatItsConditionRefused) {
  host_array x(dtype::f32, {count});
  for (index_t i = 0; i < count; ++i) x.set(i, static_cast<float>(i % 5 + 1));
  for (const float limit : {0.0f, 100.0f, 5000.0f}) {
    const std::vector<float> got =
        compute(doubles_below.module(), {x.argument(), scalar_bits(std::bit_cast<std::uint32_t>(limit))});
    for (index_t first = 0; first < count; first += width) {
      const index_t last = std::min(first + width, count);
      float factor = 1;
      const auto sum = [&] {
        float all = 0;
        for (index_t i = first; i < last; ++i) all += static_cast<float>(i % 5 + 1) * factor * 2;
        return all;
      };
      while (sum() < limit) factor *= 2;
      for (index_t i = first; i < last; ++i) {
        EXPECT_EQ(got[static_cast<std::size_t>(i)], static_cast<float>(i % 5 + 1) * factor) << limit << " " << i;
      }
    }
  }
}

// Tiles that trade places, in loops of each kind inside each other, with a struct that a branch gives.
constexpr auto trades = kernel<"trades">([](Block b, Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
  auto one = load_like(x, z);
  auto two = one * 2;
  auto i = b.zeros<i32>(tile<>);
  for (auto k : b.range(2)) {
    i = cast<i32>(k);
    b.while_([&] { return i < n; },
             [&] {
               auto pair = if_((i & 1) == 0,
                               [&] {
                                 return Scaled{one + two, cast<f32>(i)};
                               },
                               [&] {
                                 return Scaled{two - one, cast<f32>(i * 2)};
                               });
               auto before = one;
               one = two;
               two = before + pair.factor;
               for (auto j : b.range(3)) two = two + pair.value * cast<f32>(j);
               i += 1;
             });
  }
  z.store(one + two * 3 + cast<f32>(i));
});

TEST_P(ControlFlow, LoopsOfBothKindsNest) {
  host_array x(dtype::f32, {count});
  for (index_t i = 0; i < count; ++i) x.set(i, static_cast<float>(i % 3));
  for (const int n : {-1, 0, 1, 4}) {
    const std::vector<float> got = compute(trades.module(), {x.argument(), scalar_bits(static_cast<std::uint64_t>(n))});
    for (index_t at = 0; at < count; ++at) {
      float one = static_cast<float>(at % 3), two = one * 2;
      int i = 0;
      for (int k = 0; k < 2; ++k) {
        for (i = k; i < n; ++i) {
          const float value = i % 2 == 0 ? one + two : two - one, factor = static_cast<float>(i % 2 == 0 ? i : i * 2);
          const float before = one;
          one = two;
          two = before + factor;
          for (int j = 0; j < 3; ++j) two += value * static_cast<float>(j);
        }
      }
      EXPECT_EQ(got[static_cast<std::size_t>(at)], one + two * 3 + static_cast<float>(i)) << "n " << n << ", " << at;
    }
  }
}

}  // namespace
}  // namespace tilewright::test
