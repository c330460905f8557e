// SPDX-License-Identifier: Apache-2.0
// Outputs that blocks share: how they are captured.
#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"};

TEST(Accum, IsCombinedAnyNumberOfTimes) {
  constexpr auto twice = kernel<"twice">([](Block b, Accum<f32, combiner::sum, N> z, In<f32, dyn> x) {
    auto v = x.load(tile<N>, b.pid(1));
    z.combine(v);
    z.combine(v * v);
  });
  EXPECT_EQ(records(twice),
            "%0 = block_id axis 1 : index[]\n"
            "%1 = load %0 parameter 1 : f32[N]\n"
            "combine %1 parameter 0\n"
            "%3 = multiply %1, %1 : f32[N]\n"
            "combine %3 parameter 0\n");
}

TEST(Accum, IsCombinedInLoopsAndOnOneBranchOnly) {
  constexpr auto some = kernel<"some">([](Block b, Accum<i32, combiner::max, N> z, In<i32, dyn, dyn> x) {
    for (auto k : range(x.extent(0))) z.combine(reshape(x.load(tile<1, N>, k, b.pid(0)), tile<N>));
    if_(b.pid(1) == 0, [&] { z.combine(b.full<i32>(tile<N>, 7)); });
  });
  EXPECT_EQ(records(some),
            "%0 = extent parameter 1 axis 0 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = constant 1 : index[]\n"
            "%3 = for_begin %1, %0, %2 : index[]\n"
            "  %4 = block_id axis 0 : index[]\n"
            "  %5 = load %3, %4 parameter 1 : i32[1, N]\n"
            "  %6 = reshape %5 : i32[N]\n"
            "  combine %6 parameter 0\n"
            "for_end\n"
            "%9 = block_id axis 1 : index[]\n"
            "%10 = constant 0 : index[]\n"
            "%11 = equal %9, %10 : bool[]\n"
            "if_begin %11\n"
            "  %13 = constant 7 : i32[N]\n"
            "  combine %13 parameter 0\n"
            "if_else\n"
            "if_end\n");
}

TEST(Accum, KeepsItsCombinerAndIsNoOutputToStore) {
  constexpr auto k = kernel<"k">(
      [](Out<f32, M> z, Accum<u64, combiner::bit_xor, M, N> hash, Accum<f64, combiner::min> least, In<f32, dyn> x) {
        z.store(load_like(x, z));
        require_equal(hash.extent(1), least.by == combiner::min ? 1 : 2);
      });
  const ast::module_view& module = *k.reference().module;
  const std::string parameters =
      "kernel 'k'\n"
      "parameter 0 Out f32[M]\n"
      "parameter 1 Accum bit_xor u64[M, N]\n"
      "parameter 2 Accum min f64[]\n";
  EXPECT_EQ(ast::to_text(module).substr(0, parameters.size()), parameters);
  EXPECT_EQ(module.parameters[0].by, combiner::sum);
  EXPECT_EQ(module.parameters[1].by, combiner::bit_xor);
  EXPECT_EQ(module.parameters[2].kind, parameter_kind::accum);
}

// What memory combines in one step on each device, and nothing else.
static_assert(can_combine(combiner::sum, dtype::f32) && can_combine(combiner::max, dtype::f64));
static_assert(!can_combine(combiner::bit_and, dtype::f32));
static_assert(can_combine(combiner::bit_xor, dtype::u32) && can_combine(combiner::min, dtype::i64));
static_assert(!can_combine(combiner::sum, dtype::f16) && !can_combine(combiner::sum, dtype::bf16));
static_assert(!can_combine(combiner::sum, dtype::i16) && !can_combine(combiner::bit_or, dtype::boolean));
static_assert(!can_combine(combiner::sum, dtype::index));

}  // namespace
}  // namespace tilewright::test
