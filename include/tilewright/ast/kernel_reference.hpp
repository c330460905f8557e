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

// Values for Dims by name; the last one given for a name wins.
struct dim_bindings {
  dim_binding items[max_dim_bindings] = {{Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0},
                                         {Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0},
                                         {Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0}, {Dim(0), 0}};
  int count = 0;

  constexpr void set(dim_binding binding) {
    for (int i = 0; i < count; ++i) {
      if (items[i].dim == binding.dim) {
        items[i] = binding;
        return;
      }
    }
    items[count++] = binding;
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
