// SPDX-License-Identifier: Apache-2.0
// From a lambda to a module: its parameters are made, its body runs over them twice, once to count and once to fill.
#pragma once

#include "tilewright/ast/kernel_reference.hpp"
#include "tilewright/lang/accum.hpp"
#include "tilewright/lang/block.hpp"

namespace tilewright::diagnostics {

template <bool IsParameter, class Given>
struct kernel_parameter {
  static_assert(IsParameter,
                "a kernel parameter is an In, Out, InOut, Accum, Scatter, Unique or Scalar, taken by value");
};
template <bool IsOfTensors, class Given>
struct element_of_parameter {
  static_assert(IsOfTensors,
                "f4e2m1, i4 and u4 are elements of tiles alone, and a tensor of such packed numbers holds u8: write "
                "In<u8, ...> x and unpack<T>(x.load(...)), Out<u8, ...> z and z.store(pack(...))");
};
template <bool HasOneSignature, bool CapturesNothing, class Lambda>
struct kernel_lambda {
  static_assert(HasOneSignature, "a kernel lambda names its parameter types: no auto, as in Out<f32, BM> z");
  static_assert(CapturesNothing, "a kernel lambda captures nothing; pass values as Scalar<T> or template arguments");
};
template <bool ReturnsNothing, bool HasOutput, class Lambda>
struct kernel_signature {
  static_assert(ReturnsNothing,
                "a kernel returns nothing; it stores into Out and InOut parameters, or combines into Accum ones");
  static_assert(HasOutput, "a kernel needs an Out, InOut, Accum or Scatter parameter: its pieces are the grid");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

// ---- Parameters
template <class P>
struct parameter_of {
  static constexpr bool known = false, is_output = false, is_stored = false;
  using type = parameter<parameter_kind::scalar, f32>;
};
template <class P>
requires requires { typename P::parameter; }
struct parameter_of<P> {
  static constexpr bool known = true;
  using type = typename P::parameter;
  static constexpr bool is_output = tilewright::is_output(type::kind);
  static constexpr bool is_stored = is_output && type::kind != parameter_kind::accum;  // on every path
  static constexpr combiner by = [] {
    if constexpr (type::kind == parameter_kind::accum) return P::by;
    return combiner::sum;
  }();
  static constexpr void declare(ast::recorder&, int) {}
  static constexpr P make(ast::recorder& trace, int position, int) {
    return parameter_access::make<P>(&trace, position);
  }
};
template <class T>
struct parameter_of<Tile<T>> {
  static constexpr bool known = true, is_output = false, is_stored = false;
  static constexpr combiner by = combiner::sum;
  using type = parameter<parameter_kind::scalar, T>;
  static constexpr void declare(ast::recorder& trace, int position) {
    trace.add(ast::op::scalar, Tile<T>::type, 0, position);
  }
  static constexpr Tile<T> make(ast::recorder& trace, int, int scalars_before) {
    return access::make<Tile<T>>(trace, scalars_before);
  }
};

template <class... P>
struct parameter_types {
  static constexpr int size = sizeof...(P);
  static constexpr bool known = (parameter_of<P>::known && ... && true);
  static constexpr bool are_of_tensors = (is_of_tensors<typename parameter_of<P>::type::element> && ... && true);
  static constexpr bool have_output = (parameter_of<P>::is_output || ... || false);
  using list = parameter_list<typename parameter_of<P>::type...>;
  template <class Unused = void>
  static constexpr auto report() {
    ((void)sizeof(diagnostics::kernel_parameter<parameter_of<P>::known, P>), ...);
    ((void)sizeof(diagnostics::element_of_parameter<is_of_tensors<typename parameter_of<P>::type::element>, P>), ...);
  }
};

// ---- The lambda's signature
template <class Member>
struct signature;
template <class F, class R, class... P>
struct signature<R (F::*)(P...) const> {
  using parameters = parameter_types<P...>;
  using result = R;
  static constexpr bool takes_block = false;
};
template <class F, class R, class... P>
struct signature<R (F::*)(Block, P...) const> {
  using parameters = parameter_types<P...>;
  using result = R;
  static constexpr bool takes_block = true;
};
template <class F>
using signature_of = signature<decltype(&F::operator())>;

template <class F>
concept has_one_signature = requires {
  &F::operator();
};

// ---- Running the body
template <class F, class... P, int... I>
constexpr void run_body(ast::recorder& trace, parameter_types<P...>, sequence<I...>) {
  constexpr parameter_kind kinds[] = {parameter_of<P>::type::kind..., parameter_kind::in};
  int scalars_before[sizeof...(P) + 1] = {};
  for (int i = 0; i < static_cast<int>(sizeof...(P)); ++i) {
    scalars_before[i + 1] = scalars_before[i] + (kinds[i] == parameter_kind::scalar ? 1 : 0);
  }
  (trace.intern(P::type), ...);
  (parameter_of<P>::declare(trace, I), ...);
  if constexpr (signature_of<F>::takes_block) {
    F{}(parameter_access::make<Block>(&trace, 0), parameter_of<P>::make(trace, I, scalars_before[I])...);
  } else {
    F{}(parameter_of<P>::make(trace, I, scalars_before[I])...);
  }
  constexpr unsigned long long outputs = ((parameter_of<P>::is_stored ? 1ULL << I : 0ULL) | ...);
  if (trace.stored() != outputs) trace.break_rule_at(0, diagnostics::error_output_is_never_stored);
}

template <class F>
constexpr void run(ast::recorder& trace) {
  using parameters = typename signature_of<F>::parameters;
  run_body<F>(trace, parameters{}, first_integers<parameters::size>{});
}

// ---- The two passes
struct module_sizes {
  int code = 0, records = 0, types = 0, symbols = 0, files = 0, texts = 0;
  diagnostics::trace_rule broken = diagnostics::no_breach;
  int line = 0;
  long long got = 0;
  char file[48] = {};  // the end of the path, which is what a message has room for
};

constexpr void copy_text(char*& to, const char* from) {
  do *to++ = *from;
  while (*from++ != 0);
}

// Bytes that the texts of a list take, each with its end.
constexpr int size_of_texts(const ast::growing_list<const char*>& list) {
  int size = 0;
  for (int i = 0; i < list.count; ++i) size += static_cast<int>(__builtin_strlen(list.items[i])) + 1;
  return size;
}
constexpr void copy_texts(char* to, const ast::growing_list<const char*>& list) {
  for (int i = 0; i < list.count; ++i) copy_text(to, list.items[i]);
}

constexpr void state_breach(module_sizes& sizes, const diagnostics::breach& breach) {
  constexpr int room = sizeof(sizes.file) - 1;
  const int length = static_cast<int>(__builtin_strlen(breach.file));
  char* file = sizes.file;
  copy_text(file, breach.file + (length > room ? length - room : 0));
  sizes.broken = breach.rule;
  sizes.line = breach.line;
  sizes.got = breach.got;
}

template <class F>
constexpr module_sizes measure() {
  ast::recorder trace;
  run<F>(trace);
  module_sizes sizes{trace.code_size,     trace.record_count,         trace.types.count,
                     trace.symbols.count, size_of_texts(trace.files), size_of_texts(trace.texts)};
  if (trace.breach.rule != diagnostics::no_breach) state_breach(sizes, trace.breach);
  return sizes;
}

template <int Code, int Records, int Types, int Symbols, int Parameters, int Files, int Texts>
struct module_arrays {
  std::int32_t code[Code];
  std::int32_t locations[Records];
  ast::tile_type types[Types];
  ast::symbol symbols[Symbols == 0 ? 1 : Symbols];
  ast::parameter_record parameters[Parameters];
  char files[Files == 0 ? 1 : Files];
  char texts[Texts == 0 ? 1 : Texts];
};

// Scalar parameters have no line of their own; they stand where the body begins.
template <class Arrays>
constexpr void place_scalars(Arrays& arrays, int records) {
  int first = 0;
  while (first < records && arrays.locations[first] == 0) ++first;
  for (int i = 0; i < first && first < records; ++i) arrays.locations[i] = arrays.locations[first];
}

template <class... P>
constexpr void state_parameters(ast::recorder& trace, ast::parameter_record* records, parameter_types<P...>) {
  ((*records++ = {parameter_of<P>::type::kind, trace.intern(P::type), parameter_of<P>::by}), ...);
}

template <class F, class Arrays>
constexpr Arrays fill() {
  Arrays arrays{};
  ast::recorder trace;
  trace.code = arrays.code;
  trace.locations = arrays.locations;
  trace.stated_types = arrays.types;
  run<F>(trace);
  for (int i = 0; i < trace.symbols.count; ++i) arrays.symbols[i] = trace.symbols.items[i]->stated;
  copy_texts(arrays.files, trace.files);
  copy_texts(arrays.texts, trace.texts);
  state_parameters(trace, arrays.parameters, typename signature_of<F>::parameters{});
  place_scalars(arrays, trace.record_count);
  return arrays;
}

template <class F>
inline constexpr module_sizes sizes_of = measure<F>();

template <class F>
using arrays_of = module_arrays<sizes_of<F>.code, sizes_of<F>.records, sizes_of<F>.types, sizes_of<F>.symbols,
                                signature_of<F>::parameters::size, sizes_of<F>.files, sizes_of<F>.texts>;

template <class F>
inline constexpr arrays_of<F> captured = fill<F, arrays_of<F>>();

// The module of F under a name.
template <auto Name, class F>
inline constexpr ast::module_view module_of = {Name.text,
                                               captured<F>.code,
                                               sizes_of<F>.code,
                                               captured<F>.locations,
                                               sizes_of<F>.records,
                                               captured<F>.types,
                                               sizes_of<F>.types,
                                               captured<F>.symbols,
                                               sizes_of<F>.symbols,
                                               captured<F>.parameters,
                                               signature_of<F>::parameters::size,
                                               captured<F>.files,
                                               sizes_of<F>.files,
                                               captured<F>.texts,
                                               sizes_of<F>.texts};

}  // namespace tilewright::lang
