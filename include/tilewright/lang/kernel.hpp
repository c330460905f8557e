// SPDX-License-Identifier: Apache-2.0
// Kernel: a captured lambda with its name, the values given to its Dims and its schedule. Calling it launches it.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/lang/capture.hpp"
#include "tilewright/lang/schedule.hpp"

// Not constexpr and without a body: that constant evaluation reaches one is the message.
namespace tilewright::diagnostics {
void error_this_kernel_has_no_such_dim();
void error_dim_is_given_an_extent_under_1(index_t extent);
void error_expression_of_dims_is_given_a_value();
}  // namespace tilewright::diagnostics

namespace tilewright {

namespace lang {

// Text as a template argument.
template <unsigned long Size>
struct kernel_name {
  char text[Size] = {};
  constexpr kernel_name(const char (&name)[Size]) {
    for (unsigned long i = 0; i < Size; ++i) text[i] = name[i];
  }
};

template <class F>
constexpr bool uses_dim(const Dim& dim) {
  for (int i = 0; i < sizes_of<F>.symbols; ++i) {
    if (__builtin_strcmp(captured<F>.symbols[i].name, dim.name) == 0) return true;
  }
  return false;
}

// The value of a Dim that is known only at run time; see dim<D>(n).
template <Dim D>
struct run_time_binding {
  index_t extent;
};

// A value for a Dim of one kernel. The Dim is checked while C++ compiles: one that the kernel lacks is an error.
template <class F>
struct checked_binding {
  dim_binding binding{Dim(0), 0};
  bool given = false;

  constexpr checked_binding() = default;
  consteval checked_binding(dim_binding value) : binding(value), given(true) {
    if (value.dim.is_expression()) diagnostics::error_expression_of_dims_is_given_a_value();
    if (!uses_dim<F>(value.dim)) diagnostics::error_this_kernel_has_no_such_dim();
    if (value.extent < 1) diagnostics::error_dim_is_given_an_extent_under_1(value.extent);
  }
  template <Dim D>
  constexpr checked_binding(run_time_binding<D> value) : binding{D, value.extent}, given(true) {
    static_assert(!D.is_expression(), "an expression of Dims is given a value; give one to each of its Dims");
    static_assert(D.is_expression() || uses_dim<F>(D), "this kernel has no such Dim");
  }
};

template <class... Parameters>
constexpr bool is_tensor_place(parameter_list<Parameters...>, int place) {
  constexpr parameter_kind kinds[] = {Parameters::kind...};
  return place >= 0 && place < static_cast<int>(sizeof...(Parameters)) && place < max_scheduled_parameters &&
         kinds[place] != parameter_kind::scalar;
}

// The place of a parameter whose sum of floats tiles of indices choose the elements of; -1 for none.
template <class F>
constexpr int place_of_chosen_sum() {
  for (int place = 0; place < signature_of<F>::parameters::size; ++place) {
    const ast::parameter_record& parameter = captured<F>.parameters[place];
    const ast::tile_type& type = captured<F>.types[parameter.type];
    const bool adds_floats =
        parameter.kind == parameter_kind::accum && parameter.by == combiner::sum && is_floating(type.element);
    if (adds_floats && type.rank > 0 && type.extents[0] == ast::dynamic_extent) return place;
  }
  return -1;
}

// What with() takes: a value for a Dim, or a word of lang/schedule.hpp, whose value is checked likewise.
template <class F>
struct checked_option {
  checked_binding<F> dim;
  schedule_option option;
  bool is_schedule = false;

  constexpr checked_option() = default;
  consteval checked_option(dim_binding value) : dim(value) {}
  template <Dim D>
  constexpr checked_option(run_time_binding<D> value) : dim(value) {}
  consteval checked_option(schedule_option value) : option(value), is_schedule(true) {
    check_value(value);
    if (value.which == schedule_option::word::deterministic && value.value != 0 && place_of_chosen_sum<F>() >= 0) {
      diagnostics::error_deterministic_cannot_order_a_sum_of_floats_by_combine_at_in_parameter(
          place_of_chosen_sum<F>());
    }
    using list = typename signature_of<F>::parameters::list;
    if (value.parameter != schedule_option::every_parameter && !is_tensor_place(list{}, value.parameter)) {
      diagnostics::error_this_kernel_has_no_tensor_parameter_at(value.parameter);
    }
  }
};

}  // namespace lang

template <lang::kernel_name Name, class F>
class Kernel {
  using binding = lang::checked_binding<F>;
  using option = lang::checked_option<F>;

 public:
  using parameters = typename lang::signature_of<F>::parameters::list;

  // The captured module; lives as long as the program.
  static constexpr const ast::module_view& module() { return lang::module_of<Name, F>; }

  // This kernel with values for some of its Dims and words about its schedule: kernel.with(BK = 64, num_ctas = 2), in
  // any order. The last value given for a Dim or word wins; further calls add to it. A value of a Dim from a launch
  // argument must agree.
  constexpr Kernel with(option a, option b = {}, option c = {}, option d = {}, option e = {}, option f = {},
                        option g = {}, option h = {}, option i = {}, option j = {}, option k = {},
                        option l = {}) const {
    Kernel result = *this;
    const option* const all[] = {&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l};
    for (const option* each : all) result.add(*each);
    return result;
  }
  // Values for Dims, used where nothing else gives one.
  constexpr Kernel defaults(binding a, binding b = {}, binding c = {}, binding d = {}, binding e = {},
                            binding f = {}) const {
    Kernel result = *this;
    set(result.defaults_, a, b, c, d, e, f);
    return result;
  }

  constexpr kernel_reference<parameters> reference() const { return {&module(), with_, defaults_, schedule_}; }

  // Launches: finds `launch` of the runtime by argument-dependent lookup.
  template <class... Arguments>
  requires(!Loan<Arguments> && ...) [[gnu::always_inline]] constexpr decltype(auto) operator()(
      Arguments&&... arguments) const {
    return launch(reference(), static_cast<Arguments&&>(arguments)...);
  }
  // With a loan: the result lives no longer than its arguments.
  template <class... Arguments>
  requires(Loan<Arguments> || ...) [[gnu::always_inline]] constexpr decltype(auto) operator()(
      Arguments&&... arguments TILEWRIGHT_LIFETIME_BOUND) const {
    return launch(reference(), static_cast<Arguments&&>(arguments)...);
  }

 private:
  constexpr void add(const option& given) {
    if (given.is_schedule) lang::apply(schedule_, given.option);
    set(with_, given.dim);
  }
  template <class... Bindings>
  static constexpr void set(dim_bindings& target, const Bindings&... bindings) {
    ((bindings.given ? target.set(bindings.binding) : void()), ...);
  }

  dim_bindings with_, defaults_;
  schedule schedule_;
};

// For with() and defaults(): a value that is known only at run time, as in kernel.with(dim<D>(config.head_size)).
template <Dim D>
constexpr lang::run_time_binding<D> dim(index_t extent) {
  return {extent};
}

namespace lang {

template <class F>
constexpr bool is_kernel_lambda() {
  if constexpr (!has_one_signature<F> || !__is_empty(F)) {
    return false;
  } else {
    using parameters = typename signature_of<F>::parameters;
    return same<typename signature_of<F>::result, void> && parameters::known && parameters::are_of_tensors &&
           parameters::have_output;
  }
}

// Why F is no kernel lambda.
template <class F>
constexpr auto report_lambda() {
  constexpr bool one = has_one_signature<F>, empty = __is_empty(F);
  if constexpr (!one || !empty) {
    (void)sizeof(diagnostics::kernel_lambda<one, empty, F>);
  } else {
    using parameters = typename signature_of<F>::parameters;
    if constexpr (!(parameters::known && parameters::are_of_tensors)) {
      parameters::report();
    } else {
      constexpr bool returns_nothing = same<typename signature_of<F>::result, void>;
      (void)sizeof(diagnostics::kernel_signature<returns_nothing, parameters::have_output, F>);
    }
  }
}

template <class F, int... I>
constexpr auto shown_file(sequence<I...>) -> diagnostics::file<sizes_of<F>.file[I]...>*;
template <class F>
using shown_file_of = decltype(shown_file<F>(first_integers<static_cast<int>(__builtin_strlen(sizes_of<F>.file))>{}));

template <auto>
struct constant;

// What kernel() gives for a lambda that cannot be one; the reason was reported.
struct not_a_kernel {};

}  // namespace lang

// Captures a lambda: kernel<"add">([](Block b, Out<f32, B> z, In<f32, dyn> x) { ... }). The Block is optional.
template <lang::kernel_name Name, class F>
constexpr auto kernel(F) {
  if constexpr (!lang::is_kernel_lambda<F>()) {
    lang::report_lambda<F>();
    return lang::not_a_kernel{};
  } else {
    // Asked in this form, the sizes of a body that is no constant expression are reported once, by the compiler.
    if constexpr (requires { typename lang::constant<lang::sizes_of<F>.code>; }) {
      if constexpr (lang::sizes_of<F>.broken != diagnostics::no_breach) {
        constexpr lang::module_sizes sizes = lang::sizes_of<F>;
        (void)sizeof(diagnostics::broken_rule<sizes.broken, diagnostics::line<sizes.line>, lang::shown_file_of<F>,
                                              diagnostics::got<sizes.got>>);
      }
    }
    return Kernel<Name, F>{};
  }
}

}  // namespace tilewright
