// SPDX-License-Identifier: Apache-2.0
// Branches that give structs, and loops that data ends, on every back end against plain C++.
#include <array>

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

}  // namespace
}  // namespace tilewright::test
