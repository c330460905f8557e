// SPDX-License-Identifier: Apache-2.0
// Programs of the checked kernels, in whole tiles and in tiles that a GPU rounds up.
#pragma once

#include <string>
#include <vector>

#include "support/arguments.hpp"
#include "support/checked_kernels.hpp"
#include "tilewright/compiler/compile.hpp"

namespace tilewright::test {

struct checked_launch {
  std::string name;
  compiler::program source;
};

namespace checked {

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
  all.push_back(launch("paged_gemm", paged_gemm,
                       {dense({512, 512}, {128, 128}), dense({512, 512}), dense({512, 512}), list}, {{"BK", 64}}));
  all.push_back(launch("nested", nested, {dense({64, 64}, {16, 16}), dense({64, 64}), list}));
  all.push_back(paged_attention_launch<true>(1024));
  return all;
}

}  // namespace tilewright::test
