// SPDX-License-Identifier: Apache-2.0
// lesser_or_second and greater_or_second of ir.hpp, by the processor's own operation: LLVM makes it of a comparison and
// a selection, too, but not whenever other code is around them.
#include <llvm/IR/IntrinsicsX86.h>

#include <vector>

#include "compiler/cpu/ir.hpp"
#include "compiler/cpu/ir_module.hpp"
#include "compiler/cpu/jit.hpp"

namespace tilewright::compiler::ir {
namespace {

namespace llvm_ids = llvm::Intrinsic;

struct extreme_ids {
  llvm_ids::ID lesser, greater;
};

// Of one register.
extreme_ids ids_of(scalar_type element, int bytes) {
  const bool is_f32 = element == scalar_type::f32;
  if (bytes == 16 && is_f32) return {llvm_ids::x86_sse_min_ps, llvm_ids::x86_sse_max_ps};
  if (bytes == 32 && is_f32) return {llvm_ids::x86_avx_min_ps_256, llvm_ids::x86_avx_max_ps_256};
  if (is_f32) return {llvm_ids::x86_avx512_min_ps_512, llvm_ids::x86_avx512_max_ps_512};
  if (bytes == 16) return {llvm_ids::x86_sse2_min_pd, llvm_ids::x86_sse2_max_pd};
  if (bytes == 32) return {llvm_ids::x86_avx_min_pd_256, llvm_ids::x86_avx_max_pd_256};
  return {llvm_ids::x86_avx512_min_pd_512, llvm_ids::x86_avx512_max_pd_512};
}

value register_extreme(module_builder& code, bool is_greater, value a, value b) {
  const type t = code.type_of(a);
  const int bytes = t.lanes * bits_of(t.scalar) / 8;
  const extreme_ids ids = ids_of(t.scalar, bytes);
  llvm::SmallVector<llvm::Value*, 3> arguments = {unwrap(a), unwrap(b)};
  constexpr std::uint32_t current_rounding = 4;
  if (bytes == 64) arguments.push_back(code.raw().builder.getInt32(current_rounding));
  return value(code.raw().builder.CreateIntrinsic(is_greater ? ids.greater : ids.lesser, {}, arguments));
}

// Lanes `first` and on of v, `count` of them; those past the end are any.
value piece_of(module_builder& code, value v, int first, int count) {
  const int lanes = code.type_of(v).lanes;
  if (first == 0 && count == lanes) return v;
  std::vector<int> numbers;
  for (int n = first; n < first + count; ++n) numbers.push_back(n < lanes ? n : -1);
  return code.shuffle(v, v, numbers);
}

// `v` with the lanes from `first` on taken from `piece`.
value with_piece(module_builder& code, value v, value piece, int first) {
  const int lanes = code.type_of(v).lanes;
  std::vector<int> numbers;
  for (int n = 0; n < lanes; ++n) numbers.push_back(n < first ? n : lanes + n - first);
  return code.shuffle(v, piece_of(code, piece, 0, lanes), numbers);
}

value extreme_or_second(module_builder& code, bool is_greater, value a, value b) {
  const type t = code.type_of(a);
  const int element_bytes = bits_of(t.scalar) / 8;
  value result;
  for (int first = 0; first < t.lanes;) {
    int bytes = 16;
    while (bytes < vector_bytes() && bytes < (t.lanes - first) * element_bytes) bytes *= 2;
    const int count = bytes / element_bytes;
    const value made =
        register_extreme(code, is_greater, piece_of(code, a, first, count), piece_of(code, b, first, count));
    result = first == 0 ? piece_of(code, made, 0, t.lanes) : with_piece(code, result, made, first);
    first += count;
  }
  return result;
}

}  // namespace

value module_builder::lesser_or_second(value a, value b) { return extreme_or_second(*this, false, a, b); }
value module_builder::greater_or_second(value a, value b) { return extreme_or_second(*this, true, a, b); }

}  // namespace tilewright::compiler::ir
