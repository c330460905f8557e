// SPDX-License-Identifier: Apache-2.0
// The kernel library as the command line knows it: a name, the sizes of a launch, and a function that launches it.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/bake.hpp"

struct LibraryKernel {
  std::string name;
  std::string elements;  // "f32 f16 bf16"
  // "M=0,N=0,BM=128": names of sizes with what holds unless given; 0: must be given.
  std::string sizes;
  void (*launch)(const tilewright::Device& device, tilewright::dtype element, const Sizes& sizes,
                 const tilewright::schedule& schedule);
};

std::vector<LibraryKernel> product_kernels();
std::vector<LibraryKernel> row_kernels();
std::vector<LibraryKernel> attention_kernels();

std::vector<LibraryKernel> library_kernels();
// Throws usage_error.
LibraryKernel find_kernel(const std::string& name);
void require_element(const LibraryKernel& kernel, tilewright::dtype element);

// ---- For the tables ------------------------------------------------------------------------------------------------
// Calls make(T{}) for the element type; its result is a kernel, launched with the arguments.
template <class Make, class... Given>
void launch_one(const tilewright::Device& device, const tilewright::schedule& schedule, const Make& kernel,
                const Given&... given) {
  auto reference = kernel.reference();
  reference.schedule = schedule;
  tilewright::detail::bake_launch(reference, given...)(device);
}

template <class Use>
void for_float(tilewright::dtype element, const Use& use) {
  if (element == tilewright::dtype::f16) return use(tilewright::f16());
  if (element == tilewright::dtype::bf16) return use(tilewright::bf16());
  return use(tilewright::f32());
}
