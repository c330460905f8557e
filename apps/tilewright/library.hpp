// SPDX-License-Identifier: Apache-2.0
// The kernel library as the command line knows it: a name, the sizes of a launch, and a function that launches it.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/bake.hpp"

// One launch: what the compiler is told of it, and the launch itself.
struct LibraryLaunch {
  const tilewright::ast::module_view* module = nullptr;
  std::vector<tilewright::compiler::argument> arguments;
  std::vector<tilewright::compiler::named_extent> with, defaults;
  tilewright::schedule schedule;
  std::function<void(const tilewright::Device&)> run;
};

struct LibraryKernel {
  std::string name;
  std::string elements;  // "f32 f16 bf16"
  // "M=0,N=0,BM=128": names of sizes with what holds unless given; 0: must be given.
  std::string sizes;
  LibraryLaunch (*launch)(tilewright::dtype element, const Sizes& sizes, const tilewright::schedule& schedule);
};

std::vector<LibraryKernel> product_kernels();
std::vector<LibraryKernel> row_kernels();
std::vector<LibraryKernel> attention_kernels();

std::vector<LibraryKernel> library_kernels();
// Throws usage_error.
LibraryKernel find_kernel(const std::string& name);
void require_element(const LibraryKernel& kernel, tilewright::dtype element);

// ---- For the tables ------------------------------------------------------------------------------------------------
// Dense tensors in new memory, as bake_launch() makes them.
tilewright::compiler::argument described(const tilewright::bake_input& given);
tilewright::compiler::argument described(const tilewright::bake_output& given);
std::vector<tilewright::compiler::named_extent> named(const tilewright::dim_bindings& bindings);

template <class Parameter, class Given>
tilewright::compiler::argument argument_of(const Given& given) {
  if constexpr (Parameter::kind != tilewright::parameter_kind::scalar) {
    return described(given);
  } else {
    tilewright::compiler::argument made;
    const auto value = static_cast<typename tilewright::detail::host_element<typename Parameter::element>::type>(given);
    std::memcpy(&made.scalar, &value, sizeof value);
    return made;
  }
}

template <class... P, class... Given>
LibraryLaunch launch_of(const tilewright::kernel_reference<tilewright::parameter_list<P...>>& kernel,
                        const Given&... given) {
  return {kernel.module,      {argument_of<P>(given)...},
          named(kernel.with), named(kernel.defaults),
          kernel.schedule,    tilewright::detail::bake_launch(kernel, given...)};
}

template <class Kernel, class... Given>
LibraryLaunch launch_one(const tilewright::schedule& schedule, const Kernel& kernel, const Given&... given) {
  auto reference = kernel.reference();
  reference.schedule = schedule;
  return launch_of(reference, given...);
}

// Calls use(T{}) for the element type.
template <class Use>
LibraryLaunch for_float(tilewright::dtype element, const Use& use) {
  if (element == tilewright::dtype::f16) return use(tilewright::f16());
  if (element == tilewright::dtype::bf16) return use(tilewright::bf16());
  return use(tilewright::f32());
}
