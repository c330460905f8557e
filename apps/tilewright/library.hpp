// SPDX-License-Identifier: Apache-2.0
// The kernel library as the command line knows it: a name, the sizes of a launch, and a function that launches it.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/bake.hpp"

// What the tensors of a launch hold before it. The same values for a seed everywhere.
struct LaunchInputs {
  struct element {
    std::size_t parameter;
    std::vector<tilewright::index_t> place;
    double value;
  };
  std::uint64_t seed = 0;
  std::vector<element> elements;   // that hold something else
  std::vector<std::size_t> empty;  // parameters that nobody writes

  bool is_empty(std::size_t parameter) const;
  // Writes the elements of a parameter to row-major numbers. Throws usage_error for a place outside.
  void set_elements(std::size_t parameter, const tilewright::Shape& shape, std::vector<double>& numbers) const;
};
// Normally distributed floats; integers 0, 1, 2, 3, 0, ...
std::vector<double> input_numbers(const tilewright::Shape& shape, bool is_floating, std::uint64_t seed);

// One launch: what the compiler is told of it, and the launch itself.
struct LibraryLaunch {
  const tilewright::ast::module_view* module = nullptr;
  std::vector<tilewright::compiler::argument> arguments;
  std::vector<tilewright::compiler::named_extent> with, defaults;
  tilewright::schedule schedule;
  std::function<void(const tilewright::Device&)> run;
  std::function<void(const tilewright::Device&, const LaunchInputs&)> run_with;
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

template <class Parameter, class Given>
auto filled_argument(const tilewright::Device& device, const Given& given, const LaunchInputs& inputs,
                     std::size_t position) {
  using element = typename tilewright::detail::host_element<typename Parameter::element>::type;
  if constexpr (std::is_same_v<Given, tilewright::bake_input>) {
    if (inputs.is_empty(position)) return device.empty<element>(given.shape);
    constexpr bool is_floating = tilewright::is_floating(tilewright::dtype_of<element>);
    std::vector<double> numbers = input_numbers(given.shape, is_floating, inputs.seed + position);
    inputs.set_elements(position, given.shape, numbers);
    std::vector<element> values;
    for (const double number : numbers) {
      if constexpr (std::is_arithmetic_v<element>) {
        values.push_back(static_cast<element>(number));
      } else {
        values.push_back(element(static_cast<float>(number)));
      }
    }
    return device.from_host<element>(values, given.shape);
  } else {
    return tilewright::detail::bake_argument<Parameter>(device, given);
  }
}

template <class... P, class... Given, std::size_t... I>
auto filled_launch(const tilewright::kernel_reference<tilewright::parameter_list<P...>>& kernel,
                   std::index_sequence<I...>, const Given&... given) {
  return [=](const tilewright::Device& device, const LaunchInputs& inputs) {
    (void)launch(kernel, filled_argument<P>(device, given, inputs, I)...).sync();
  };
}

template <class... P, class... Given>
LibraryLaunch launch_of(const tilewright::kernel_reference<tilewright::parameter_list<P...>>& kernel,
                        const Given&... given) {
  return {kernel.module,
          {argument_of<P>(given)...},
          named(kernel.with),
          named(kernel.defaults),
          kernel.schedule,
          tilewright::detail::bake_launch(kernel, given...),
          filled_launch(kernel, std::index_sequence_for<P...>(), given...)};
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
