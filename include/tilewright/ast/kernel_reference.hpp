// SPDX-License-Identifier: Apache-2.0
// What a captured kernel hands to a launch: the module, the parameter kinds, the values given to Dims so far and the
// schedule. lang makes it, runtime's `launch(kernel_reference, arguments...)` takes it (found by argument-dependent
// lookup).
#pragma once

#include "tilewright/ast/module_view.hpp"
#include "tilewright/base/parameters.hpp"
#include "tilewright/base/schedule.hpp"

namespace tilewright {

inline constexpr int max_dim_bindings = 16;

// Values for Dims by name; the last one given for a name wins. Names alone are kept, not Dims: a launch has these on
// its stack, and the larger its frame is, the less of a program g++ sees at once and can refuse.
struct dim_bindings {
  struct item {
    char name[Dim::longest_name + 1] = {};
    index_t extent = 0;
  };
  item items[max_dim_bindings] = {};
  int count = 0;

  constexpr void set(dim_binding binding) {
    int place = 0;
    while (place < count && __builtin_strcmp(items[place].name, binding.dim.name) != 0) ++place;
    item& given = items[place];
    if (place == count) {
      for (int i = 0; i < Dim::longest_name; ++i) given.name[i] = binding.dim.name[i];
      ++count;
    }
    given.extent = binding.extent;
  }
};

// Parameters: parameter_list<parameter<...>...> in the kernel's order. Lives as long as the program (the module is in
// .rodata); copied freely.
template <class Parameters>
struct kernel_reference {
  const ast::module_view* module;
  dim_bindings with;              // from .with(BK = 64)
  dim_bindings defaults;          // from .defaults(BK = 32), used when nothing else binds the Dim
  tilewright::schedule schedule;  // from .with(num_ctas = 2), for GPUs
};

}  // namespace tilewright
