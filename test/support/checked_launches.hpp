// SPDX-License-Identifier: Apache-2.0
// One launch for each kind of residual check, and one with many in nested loops and branches.
#pragma once

#include <string>
#include <vector>

#include "support/arguments.hpp"
#include "support/paged_attention.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {

struct checked_launch {
  std::string name;
  compiler::program source;
};

namespace checked {

using kernels::BK, kernels::BM, kernels::BN, kernels::D;

constexpr auto first_of(const In<i32, dyn>& list, const Index& i) {
  return to_index(reshape(list.load(tile<1>, i), tile<>));
}

inline constexpr auto pages = kernel<"pages">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<i32, dyn> list) {
  z.store(x.load(tile<BM, BN>, first_of(list, b.pid(0)), b.pid(1)));
});
inline constexpr auto rows = kernel<"rows">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<i64, dyn, 1> list) {
  z.store(x.gather_rows(list.load(tile<BM, 1>, b.pid(0), 0), tile<BM, BN>, b.pid(1)));
});
inline constexpr auto quotients = kernel<"quotients">(
    [](Out<i32, BM, BN> z, In<i32, dyn, dyn> x, In<i32, dyn, dyn> d) { z.store(load_like(x, z) / load_like(d, z)); });
inline constexpr auto asserted = kernel<"asserted">([](Out<i32, BM, BN> z, In<i32, dyn, dyn> x) {
  auto tile = load_like(x, z);
  assert_(tile >= 0);
  assert_(reduce_max<0>(tile) < 1000);
  z.store(tile);
});
inline constexpr auto stepped =
    kernel<"stepped">([](Block b, Out<i32, BM, BN> z, In<i32, dyn, dyn> x, In<i32, dyn> list) {
      auto step = first_of(list, b.pid(0));
      requires_(step < 100);
      auto total = b.zeros<i32>(tile<BM, BN>);
      for (auto i : range(0, x.partition(tile<BM, BN>).tiles(0), step))
        total = total + x.load(tile<BM, BN>, i, b.pid(1));
      z.store(total);
    });
// y's rows of tiles in the order of a list.
inline constexpr auto paged_gemm =
    kernel<"paged_gemm">([](Block b, Out<f16, BM, BN> z, In<f16, dyn, dyn> x, In<f16, dyn, dyn> y, In<i32, dyn> list) {
      auto acc = b.zeros<f32>(tile<BM, BN>);
      for (auto k : range(x.partition(tile<BM, BK>).tiles(1)))
        acc = mma(x.load(tile<BM, BK>, b.pid(0), k), y.load(tile<BK, BN>, first_of(list, k), b.pid(1)), acc);
      z.store(cast<f16>(acc));
    });
// Divisions and loads in a loop in a branch in a loop.
inline constexpr auto nested =
    kernel<"nested">([](Block b, InOut<i32, BM, BN> z, In<i32, dyn, dyn> x, In<i32, dyn> list) {
      auto total = z.load();
      for (auto i : range(list.partition(tile<1>).tiles(0))) {
        auto page = first_of(list, i);
        total = if_(
            page > 3,
            [&] {
              auto sum = b.zeros<i32>(tile<BM, BN>);
              for (auto j : range(page)) sum = sum + x.load(tile<BM, BN>, j, page) / x.load(tile<BM, BN>, page, j);
              return sum;
            },
            [&] { return total; });
      }
      z.store(total);
    });

template <class Kernel>
checked_launch launch(const std::string& name, const Kernel& kernel, const std::vector<compiler::argument>& given,
                      const std::vector<compiler::named_extent>& dims = {}) {
  const ast::module_view& module = *kernel.reference().module;
  auto bound = compiler::bind_arguments(module, given, dims, {});
  bound.special.schedule = kernel.reference().schedule;
  return {name, compiler::front(module, bound.special)};
}

}  // namespace checked

template <bool IsChecked>
checked_launch paged_attention_launch(index_t keys) {
  const compiler::argument whole = dense({keys, 2048});
  return checked::launch(IsChecked ? "paged_attention" : "attention", scheduled_paged_attention<IsChecked>(),
                         {dense({keys, 2048}, {128, 128}), whole, whole, whole, scalar_bits(1), dense({1})},
                         {{"BN", 128}});
}

inline std::vector<checked_launch> checked_launches() {
  using namespace checked;
  const compiler::argument list = dense({64});
  std::vector<checked_launch> all;
  all.push_back(launch("pages", pages, {dense({64, 128}, {16, 128}), dense({64, 128}), list}));
  all.push_back(launch("pages_rounded", pages, {dense({60, 90}, {6, 30}), dense({61, 97}), list}));
  all.push_back(launch("rows", rows, {dense({64, 128}, {16, 128}), dense({100, 128}), dense({64, 1})}));
  all.push_back(launch("rows_rounded", rows, {dense({60, 90}, {6, 30}), dense({100, 97}), dense({60, 1})}));
  all.push_back(launch("quotients", quotients, {dense({64, 128}, {16, 128}), dense({64, 128}), dense({64, 128})}));
  all.push_back(launch("quotients_rounded", quotients, {dense({60, 90}, {6, 30}), dense({60, 90}), dense({60, 90})}));
  // Lanes past a tensor are told from those inside.
  all.push_back(launch("rows_ragged", rows, {dense({61, 128}, {16, 128}), dense({100, 128}), dense({61, 1})}));
  all.push_back(launch("quotients_ragged", quotients, {dense({61, 97}, {6, 30}), dense({61, 97}), dense({61, 97})}));
  all.push_back(launch("stepped", stepped, {dense({64, 128}, {16, 128}), dense({64, 128}), list}));
  all.push_back(launch("asserted", asserted, {dense({64, 128}, {16, 128}), dense({64, 128})}));
  all.push_back(launch("asserted_rounded", asserted, {dense({60, 90}, {6, 30}), dense({60, 90})}));
  all.push_back(launch("paged_gemm", paged_gemm,
                       {dense({512, 512}, {128, 128}), dense({512, 512}), dense({512, 512}), list}, {{"BK", 64}}));
  all.push_back(launch("nested", nested, {dense({64, 64}, {16, 16}), dense({64, 64}), list}));
  all.push_back(paged_attention_launch<true>(1024));
  return all;
}

}  // namespace tilewright::test
