// SPDX-License-Identifier: Apache-2.0
// Functions made of other operations, and random numbers, are assembled for an H200: with each element type, in tiles
// whose extents are powers of two and in tiles that round up to them.
#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "support/arguments.hpp"
#include "tileir/tools.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

constexpr Dim BM{"BM"}, BN{"BN"};

template <class T>
constexpr auto of_floats = kernel<"of_floats">([](Out<T, BM, BN> z, In<T, dyn, dyn> x) {
  auto v = load_like(x, z);
  auto sum = sigmoid(v) + silu(v) + gelu_tanh(v) + softplus(v) + expm1(v) + log1p(v);
  if constexpr (!lang::same<T, f64>) sum += gelu(v) + erf(v) + erfc(v);
  z.store(sum + trunc(v) * round_half_even(v) * round_half_away(v) + sign(v) + clamp(relu(v), 1, v));
});

template <class T>
constexpr auto of_integers = kernel<"of_integers">([](Out<T, BM, BN> z, In<T, dyn, dyn> x, Scalar<T> n) {
  auto v = load_like(x, z);
  z.store(sign(v) + clamp(relu(v), 1, n) + rotate_left(v, 3) + rotate_right(v, n) + rotate_left(v, v));
});

template <class T, class Id>
constexpr auto indicators = kernel<"indicators">([](Block b, Out<T, BM, BN> z, In<Id, dyn> ids) {
  z.store(one_hot<T, BN>(ids.load(tile<BM>, b.pid(0))));
});

template <class Position>
constexpr auto numbers = kernel<"numbers">([](Out<f32, BM, BN> z, In<Position, dyn, dyn> x, Scalar<u64> seed) {
  auto words = random_words(seed, load_like(x, z));
  z.store(random_uniform(seed, load_like(x, z)) + cast<f32>(words.y ^ words.z ^ words.w));
});

template <class T>
constexpr auto orders = kernel<"orders">([](Block b, Out<T, BM, 32> z, Out<i32, BM, 4> p, In<T, dyn, dyn> x) {
  auto v = x.load(tile<BM, 32>, b.pid(0), 0, pad(0));
  z.store(sort<1>(v) + sort<1, sort_order::descending>(v));
  p.store(top_k<1, 4>(v).positions);
});

template <class T>
constexpr auto rearranged = kernel<"rearranged">([](Block b, Out<T, BM, 32> z, Out<T, BM, 128> y, In<T, dyn, dyn> x) {
  auto v = x.load(tile<BM, 32>, b.pid(0), 0, pad(0));
  z.store(roll<1, -3>(flip<1>(v)));
  y.store(pad<1, 33, 63>(v, 1));
});
template <class T>
constexpr auto rearranged_ones = kernel<"rearranged_ones">([](Out<T, 1, BM, 4, 2, 8> z, In<T, 1, dyn, 4, 2, 8> x) {
  z.store(flip<2>(roll<4, 3>(load_like(x, z))));
});

class TileirFunctions : public TileirTools {
 protected:
  template <class Kernel>
  static void expect_assembled(const Kernel& kernel, const std::vector<compiler::argument>& arguments) {
    const ast::module_view& module = *kernel.reference().module;
    try {
      const auto special = compiler::bind_arguments(module, arguments, {}, {}).special;
      const auto code = compiler::tileir::emit(compiler::front(module, special), compiler::target::sm_90);
      if (const auto fault = find_fault(code)) ADD_FAILURE() << module.name << ": " << to_text(*fault);
      EXPECT_FALSE(assemble(tools(), write(code), module, {}).cubin.empty());
    } catch (const error& refused) {
      ADD_FAILURE() << module.name << ": " << refused.what();
    }
  }

  static std::vector<std::vector<compiler::argument>> tensors() {
    return {{dense({64, 128}, {8, 64}), dense({64, 128})}, {dense({60, 90}, {6, 30}), dense({60, 90})}};
  }
  static std::vector<std::vector<compiler::argument>> tensors_and_a_scalar() {
    auto all = tensors();
    for (auto& arguments : all) arguments.push_back(scalar_bits(1));
    return all;
  }
};

TEST_F(TileirFunctions, OfFloatsAreAssembled) {
  for (const auto& arguments : tensors()) {
    expect_assembled(of_floats<f16>, arguments);
    expect_assembled(of_floats<bf16>, arguments);
    expect_assembled(of_floats<f32>, arguments);
    expect_assembled(of_floats<f64>, arguments);
  }
}

TEST_F(TileirFunctions, OfIntegersAreAssembled) {
  for (const auto& arguments : tensors_and_a_scalar()) {
    expect_assembled(of_integers<i8>, arguments);
    expect_assembled(of_integers<u16>, arguments);
    expect_assembled(of_integers<i32>, arguments);
    expect_assembled(of_integers<u64>, arguments);
  }
}

TEST_F(TileirFunctions, IndicatorsAreAssembled) {
  const std::vector<compiler::argument> whole{dense({64, 128}, {8, 128}), dense({64})},
      rounded{dense({60, 30}, {6, 30}), dense({60})};
  for (const auto& arguments : {whole, rounded}) {
    expect_assembled(indicators<f32, i32>, arguments);
    expect_assembled(indicators<bool, u8>, arguments);
    expect_assembled(indicators<f16, i64>, arguments);
  }
}

TEST_F(TileirFunctions, SortingIsAssembled) {
  for (const index_t rows : {8, 6}) {
    const std::vector<compiler::argument> arguments{dense({60, 32}, {rows, 32}), dense({60, 4}, {rows, 4}),
                                                    dense({60, 32})};
    expect_assembled(orders<f16>, arguments);
    expect_assembled(orders<f32>, arguments);
    expect_assembled(orders<u8>, arguments);
    expect_assembled(orders<i64>, arguments);
  }
}

TEST_F(TileirFunctions, RearrangedTilesAreAssembled) {
  for (const index_t rows : {8, 6}) {
    const std::vector<compiler::argument> matrices{dense({60, 32}, {rows, 32}), dense({60, 128}, {rows, 128}),
                                                   dense({60, 32})};
    expect_assembled(rearranged<u8>, matrices);
    expect_assembled(rearranged<bf16>, matrices);
    expect_assembled(rearranged<f64>, matrices);
    expect_assembled(rearranged_ones<f32>, {dense({1, 60, 4, 2, 8}, {1, rows, 4, 2, 8}), dense({1, 60, 4, 2, 8})});
  }
}

TEST_F(TileirFunctions, RandomNumbersAreAssembled) {
  for (const auto& arguments : tensors_and_a_scalar()) {
    expect_assembled(numbers<u32>, arguments);
    expect_assembled(numbers<i64>, arguments);
  }
}

}  // namespace
}  // namespace tilewright::test
